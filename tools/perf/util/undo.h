/* SPDX-License-Identifier: GPL-2.0 */
/*
 * undo: what has to be put back, in a file that outlives the program.
 *
 * A record is on the disk (fsync) before its knob is touched. Whoever opens the file next finds
 * what a killed program left and puts it back. The file is locked while it is open, so that two
 * sweeps never restore each other's values. It is emptied when all is restored.
 *
 * The file: JSON, one object a line. The first has "boot" (the kernel's boot_id) and "pid". Records
 * have "kind": text, choice, features ("path", "text": written back); dir ("path": a cgroup, its
 * tasks go to its parent, then it is removed); cmd ("text": a shell command). A last line without
 * its end was never acted upon. After a reboot what lies in /proc and /sys is not restored.
 */
#ifndef MIG_UNDO_H
#define MIG_UNDO_H

#include <stdbool.h>
#include <stddef.h>

#include "knob.h"

enum undo_kind { UNDO_PLACE, UNDO_DIR, UNDO_CMD };

struct undo_record {
	enum undo_kind kind;
	enum knob_kind place; /* of UNDO_PLACE */
	char *path; /* NULL for UNDO_CMD */
	char *text; /* NULL for UNDO_DIR */
	bool done;
};

struct undo {
	char *path; /* of the state file */
	int fd;
	struct undo_record *record;
	size_t nr;
	long pid; /* who left the records, 0 = nobody */
	bool same_boot;
};

/*
 * Opens and locks the state file, made with its folder if need be; path NULL: the usual place,
 * /var/lib/perf-migstat/sweep.state for root, else below ~/.local/state. What a killed program
 * left is in record[]. -EBUSY if a sweep is running. undo__close() in any case.
 */
int undo__open(struct undo *u, const char *path, struct mig_err *err);
void undo__close(struct undo *u);

/*
 * Adds records, in memory until undo__sync(), which has them on the disk when it returns; once,
 * before anything is touched.
 */
int undo__add_place(struct undo *u, const struct knob_place *p);
int undo__add_dir(struct undo *u, const char *path);
int undo__add_cmd(struct undo *u, const char *cmd);
int undo__sync(struct undo *u, struct mig_err *err);

/*
 * Puts everything back, last record first, and empties the file. One that fails does not keep the
 * others from it: err has the first, and the file stays for another try.
 */
int undo__restore(struct undo *u, struct mig_err *err);

#endif
