// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "err.h"

/* "NAME>+5%" in text: finds the operator and the limit. */
static int parse(const char *text, int len, const char *all, int *ret_name, double *ret_limit,
		 bool *ret_percent, struct mig_err *err)
{
	int op = len;
	char number[64], *end;

	for (int i = 0; i < len; i++)
		if (text[i] == '>' || text[i] == '<')
			op = i;
	if (op == 0 || op >= len - 1)
		goto bad;
	snprintf(number, sizeof(number), "%.*s", len - op - 1, text + op + 1);
	*ret_limit = strtod(number, &end);
	*ret_percent = *end == '%';
	if (end == number || end[*ret_percent] || !isfinite(*ret_limit))
		goto bad;
	*ret_name = op;
	return 0;
bad:
	mig_err__usage(err, "--fail-on %s: \"%.*s\" is no condition", all, len, text);
	return mig_err__hint(err,
			     "write 'NAME>+5%%' (change of the mean) or 'NAME>1000' (the mean)");
}

static void check(const struct compare *c, struct compare_gate *g, int name_len, double limit,
		  bool percent)
{
	const struct compare_row *r = NULL;

	for (size_t i = 0; i < c->nr && !r; i++)
		if ((int)strlen(c->row[i].name) == name_len &&
		    !strncmp(c->row[i].name, g->text, name_len))
			r = &c->row[i];
	g->value = NAN;
	if (!r || !r->side[1].n || (percent && !r->side[0].n)) {
		g->missing = true;
		return;
	}
	g->value = percent ? r->two.change_pct : r->side[1].one.mean;
	if (isnan(g->value)) { /* from nothing to something */
		g->value = r->side[1].one.mean > 0   ? INFINITY
			   : r->side[1].one.mean < 0 ? -INFINITY
						     : 0;
	}
	g->tripped = g->text[name_len] == '>' ? g->value > limit : g->value < limit;
	g->undecided = g->tripped && r->side[0].n && r->verdict != COMPARE_BETTER &&
		       r->verdict != COMPARE_WORSE && r->verdict != COMPARE_CHANGED;
}

int compare__gate(const struct compare *c, const char *conditions, struct compare_gate **ret,
		  size_t *ret_nr, struct mig_err *err)
{
	struct compare_gate *gate = calloc(strlen(conditions) + 1, sizeof(*gate));
	int len, name = 0, rc;
	double limit = 0;
	bool percent = false;
	size_t nr = 0;

	if (!gate)
		return mig_err__set(err, -ENOMEM, "out of memory");
	for (const char *p = conditions; *p; p += len + (p[len] == ',')) {
		len = strcspn(p, ",");
		rc = parse(p, len, conditions, &name, &limit, &percent, err);
		if (rc) {
			free(gate);
			return rc;
		}
		gate[nr] = (struct compare_gate){ .text = p, .len = len };
		check(c, &gate[nr++], name, limit, percent);
	}
	*ret = gate;
	*ret_nr = nr;
	return 0;
}
