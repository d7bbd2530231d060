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
