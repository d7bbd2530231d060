// SPDX-License-Identifier: GPL-2.0
/* no-tui: instead of tui.c in a build without slang. */
#include "tui.h"

#include <errno.h>
#include <stddef.h>

#include "err.h"
#include "session.h"

bool tui__can(const char **ret_why)
{
	*ret_why = "perf migstat was built without slang (apt install libslang2-dev, make)";
	return false;
}

int tui__load(const struct tui_opts *opts, struct session *s, struct tui **ret_tui,
	      struct mig_err *err)
{
	const char *why;

	(void)opts;
	*ret_tui = NULL;
	session__delete(s);
	tui__can(&why);
	return mig_err__set(err, -ENOSYS, "no terminal UI: %s", why);
}

int tui__show(struct tui *t, const struct mig_err *failed, struct mig_err *err)
{
	(void)t;
	(void)failed;
	(void)err;
	return 0;
}

void tui__delete(struct tui *t)
{
	(void)t;
}

const struct session *tui__session(const struct tui *t)
{
	(void)t;
	return NULL;
}
