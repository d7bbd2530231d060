// SPDX-License-Identifier: GPL-2.0
/* column-label: what tasks belong to (label.h), where rows are by that. */
#include <stdio.h>

#include "column.h"
#include "strtab.h"

static void put(struct mig_value *v, const struct mig_column_ctx *ctx, uint32_t key)
{
	v->type = key == MIG_KEY_NONE ? MIG_V_NULL : MIG_V_TEXT;
	mig_key__comm(ctx->names, key, v->text, sizeof(v->text));
}

static void get_label(const struct mig_row *r, const struct mig_column_ctx *ctx,
		      struct mig_value *v)
{
	put(v, ctx, r->key[MIG_DIM_LABEL]);
}

static void get_waker(const struct mig_row *r, const struct mig_column_ctx *ctx,
		      struct mig_value *v)
{
	put(v, ctx, r->key[MIG_DIM_WAKER_LABEL]);
}

static void get_wakee(const struct mig_row *r, const struct mig_column_ctx *ctx,
		      struct mig_value *v)
{
	put(v, ctx, r->key[MIG_DIM_WAKEE_LABEL]);
}

const struct mig_column mig_columns_label[] = {
	{ "label", NULL, "belongs to", 20, MIG_KIND_NAME, MIG_SIDE_ALL, "label", get_label, NULL,
	  "cgroup, VM, role or group of the task, with --by of that name", 0 },
	{ "waker-label", "waker", "belongs to", 20, MIG_KIND_NAME, MIG_SIDE_ALL, "waker_label",
	  get_waker, NULL, "the same of the waker, with --by cgroup-pair and its like", 0 },
	{ "wakee-label", "wakee", "belongs to", 20, MIG_KIND_NAME, MIG_SIDE_ALL, "wakee_label",
	  get_wakee, NULL, "the same of the wakee", 0 },
	{ NULL, NULL, NULL, 0, 0, 0, NULL, NULL, NULL, NULL, 0 },
};
