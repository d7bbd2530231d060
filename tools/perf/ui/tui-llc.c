// SPDX-License-Identifier: GPL-2.0
/* tui-llc: what report --llc prints, part by part. */
#include "tui-int.h"

#include <errno.h>

#include "stdio-int.h"

static int load(struct tui_view *v, struct mig_err *err)
{
	static const struct {
		const char *title;
		void (*print)(const struct report *r, FILE *fp);
	} parts[] = {
		{ "Moves within and between last-level caches", stdio__llc_moves },
		{ "Homes of processes", stdio__llc_homes },
		{ "There and back", stdio__llc_trips },
		{ "Chases", stdio__llc_chases },
	};
	int ret = tui__need_tasks(v->tui, &v->run, err);

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]) && !ret; i++) {
		struct tree_node *n = tree__add(&v->tree, NULL, parts[i].title);
		struct tui_text tx;

		if (!n || !tui_text__open(&tx))
			return mig_err__set(err, -ENOMEM, "out of memory");
		parts[i].print(&v->run->report, tx.fp);
		n->has_lines = n->open = true;
		if (tui_text__close(&tx, n))
			ret = mig_err__set(err, -ENOMEM, "out of memory");
	}
	return ret;
}

const struct tui_view_ops tui_llc_ops = {
	.name = "LLCs",
	.load = load,
};
