// SPDX-License-Identifier: GPL-2.0
#include "err.h"
#include "tests.h"

#include <errno.h>

int main(void)
{
	struct mig_err err = { 0 };
	char big[2000];

	is_int(mig_err__set(&err, -ENOENT, "%s is missing", "x.data"), -ENOENT,
	       "set returns the code");
	is_str(err.msg, "x.data is missing", "message is formatted");
	is_int(mig_err__hint(&err, "give %d files", 2), -ENOENT, "hint returns the code");
	is_str(err.hint, "give 2 files", "hint is formatted");
	mig_err__set(&err, -EIO, "again");
	is_str(err.hint, "", "a new error has no old hint");
	memset(big, 'a', sizeof(big) - 1);
	big[sizeof(big) - 1] = '\0';
	mig_err__set(&err, -EIO, "%s", big);
	is_int(strlen(err.msg), sizeof(err.msg) - 1, "a long message is cut");
	is_int(mig_err__set(NULL, -EIO, "x"), -EIO, "no struct: the code is passed on");
	is_int(mig_err__hint(NULL, "x"), -EINVAL, "no struct: hint is refused");
	return done_testing();
}
