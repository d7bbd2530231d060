/* SPDX-License-Identifier: GPL-2.0 */
/*
 * workload: the workload that record gives to perf when the report is to show some tasks only.
 *
 * Recordings are always of the whole system. What `perf migstat record -p -t -u -G` selects is
 * written into the recording as perf's own command line (feature CMDLINE, in files and pipes
 * alike), in the words of the workload:
 *
 *	perf record ... -- PATH/perf-migstat --wait-pids LIST
 *	perf record ... -- PATH/perf-migstat --workload FILTER... [-- COMMAND [ARG]...]
 *
 *	FILTER is --filter-pid LIST    these processes with all their threads (thread group ids),
 *				       and what they fork during the recording
 *		  --filter-tid LIST    these threads
 *		  --filter-uid LIST    tasks of these users, as numbers; for the title only, a
 *				       recording does not hold the user of a task
 *		  --filter-user-pid LIST  the processes of these users when the recording began;
 *				       shown like those of --filter-pid, but not waited for
 *		  --filter-cgroup LIST tasks of these cgroups and below, as the user gave them,
 *				       relative to the cgroup file system (the recording has
 *				       CGROUP records and samples)
 *	LIST is comma-separated; "--wait-pids LIST" is short for "--workload --filter-pid LIST".
 *
 * Several filters add up (a task that fits one of them is shown). With COMMAND the workload is the
 * command, which is recorded but selects nothing; without, it lasts until the last listed process
 * and thread has exited, or until a signal if there is none. A plain `record -- COMMAND` runs
 * COMMAND itself: no filter.
 */
#ifndef MIG_WORKLOAD_H
#define MIG_WORKLOAD_H

struct argv;
struct mig_err;

/* Strings are borrowed from the argv that was parsed; NULL = no such filter. */
struct workload {
	const char *pids;
	const char *tids;
	const char *uids;
	const char *user_pids;
	const char *cgroups;
	const char *const *command; /* NULL-terminated only if the argv was; NULL = none */
	int nr_command;
};

/* True if word is the first word of the grammar: "--wait-pids" or "--workload". */
int workload__is_marker(const char *word);

/*
 * Finds the grammar in a command line: the whole one of perf record ("... -- X/perf-migstat
 * --workload ..."), or the one perf-migstat itself is run with. Returns 1 and fills ret, 0 if the
 * line has no such workload (ret is cleared), or -EINVAL if it begins as one and does not fit.
 */
int workload__parse(const char *const *argv, int n, struct workload *ret);

/* Appends "self --workload ..." (without the "--" before it) for w to line. */
void workload__format(const struct workload *w, const char *self, struct argv *line);

/*
 * The processes that the users of the list uids (numbers) have now, as a list for user_pids in a
 * string the caller frees; "" if none. Returns 0 or a negative errno.
 */
int workload__find_users(const char *uids, char **ret_pids);

/*
 * Waits until all processes and threads of w have exited; for ever if it names none. All signals
 * are let in while it waits, and only then. Returns 0, -EINTR when a signal handler ran, or -EINVAL
 * for a list that is not numbers.
 */
int workload__wait(const struct workload *w);

#endif
