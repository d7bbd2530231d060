// SPDX-License-Identifier: GPL-2.0
/* tui-text: what the text views print, as lines of a view. */
#include "tui-int.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

FILE *tui_text__open(struct tui_text *tx)
{
	tx->buf = NULL;
	tx->fp = open_memstream(&tx->buf, &tx->size);
	return tx->fp;
}

static int text__end(struct tui_text *tx)
{
	if (!tx->fp || fclose(tx->fp) || !tx->buf) {
		free(tx->buf);
		return -ENOMEM;
	}
	return 0;
}

int tui_text__close(struct tui_text *tx, struct tree_node *n)
{
	int ret = text__end(tx);

	if (ret)
		return ret;
	ret = tree_node__add_text(n, tx->buf);
	free(tx->buf);
	return ret;
}

int tui_text__line(struct tui_text *tx, char *buf, size_t size)
{
	int ret = text__end(tx);

	if (ret)
		return ret;
	snprintf(buf, size, "%.*s", (int)strcspn(tx->buf, "\n"), tx->buf);
	free(tx->buf);
	return 0;
}

void tui_text__task(const struct session *s, uint32_t comm, int32_t tid, char *buf, size_t size)
{
	char name[32];

	if (tid > 0)
		snprintf(buf, size, "%s/%d",
			 mig_key__comm(&s->names, comm ? comm : MIG_KEY_NONE, name, sizeof(name)),
			 tid);
	else
		snprintf(buf, size, "%s", tid ? "-" : "[idle]");
}

void tui_text__chain(const struct session *s, uint32_t chain, FILE *fp)
{
	const char *names[CHAIN_MAX_DEPTH];
	size_t i, nr = chain_table__names(&s->chains, chain, names, CHAIN_MAX_DEPTH);

	for (i = 0; i < nr; i++)
		fprintf(fp, "    %s\n", names[i] ? names[i] : "?");
}
