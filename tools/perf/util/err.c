// SPDX-License-Identifier: GPL-2.0
#include "err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

int mig_err__set(struct mig_err *err, int code, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return code;
	err->code = code;
	err->usage = false;
	err->hint[0] = '\0';
	va_start(ap, fmt);
	vsnprintf(err->msg, sizeof(err->msg), fmt, ap);
	va_end(ap);
	return code;
}

int mig_err__usage(struct mig_err *err, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return -EINVAL;
	err->code = -EINVAL;
	err->usage = true;
	err->hint[0] = '\0';
	va_start(ap, fmt);
	vsnprintf(err->msg, sizeof(err->msg), fmt, ap);
	va_end(ap);
	return -EINVAL;
}

int mig_err__hint(struct mig_err *err, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return -EINVAL;
	va_start(ap, fmt);
	vsnprintf(err->hint, sizeof(err->hint), fmt, ap);
	va_end(ap);
	return err->code;
}
