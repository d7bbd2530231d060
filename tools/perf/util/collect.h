/* SPDX-License-Identifier: GPL-2.0 */
/*
 * collect: runs perf and the workload; what else forks measures itself (cost-switch.c).
 *
 * Signals: SIGINT, SIGTERM and SIGHUP mean "stop and finalise". One that came from kill() (or
 * from the death of the process that started us) is handed on to perf; one that the terminal sent
 * has reached perf already. If we are killed outright, perf is told to stop, too.
 */
#ifndef MIG_COLLECT_H
#define MIG_COLLECT_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

struct mig_err;

enum { NR_STOP = 3 };
struct collect_signals {
	struct sigaction old[NR_STOP];
	sigset_t mask;
};

/*
 * Path of the perf to use: $PERF, else the perf that started us, else the first "perf" in $PATH.
 * Returns 0, or -ENOENT with the cure.
 */
int collect__find_perf(char *ret_path, size_t size, struct mig_err *err);

/*
 * Runs argv (NULL-terminated, argv[0] a path) with our standard files and waits for it.
 * *ret_status is the exit code as a shell gives it: 128 + signal for a death by signal.
 * Returns 0 or a negative errno (the program could not be started).
 */
int collect__run(char *const argv[], int *ret_status, struct mig_err *err);

/*
 * After a collect__run() whose program was killed outright: what it had started is ours then (we
 * are its subreaper, prctl(2)) and gets SIGTERM. Returns how many.
 */
unsigned collect__stop_orphans(void);

/*
 * Runs argv quietly in the C locale and keeps what it wrote to stdout and stderr, at most 256 KiB,
 * in a string the caller frees. Status and errors as above; -EINTR if a stop signal came meanwhile.
 */
int collect__capture(char *const argv[], char **ret_text, int *ret_status, struct mig_err *err);

/*
 * Several programs one after the other, between hold and release: a stop signal is remembered from
 * one to the next. collect__stop_signal() is the last one seen, 0 = none.
 */
void collect__hold(struct collect_signals *s);
void collect__release(const struct collect_signals *s);
int collect__stop_signal(void);

/* collect-watch.c: a program in a process group of its own, so that all of it can be stopped. */
struct collect_job {
	char *const *argv; /* argv[0] a path */
	int stdin_fd; /* -1 = /dev/null */
	double timeout; /* seconds, 0 = none: then SIGTERM, and SIGKILL 2 s later */
	bool is_perf; /* that runs a command: tells whether it waited for it */
};

struct collect_end {
	char *text; /* the last 128 KiB or more of stdout and stderr, never NULL; the caller frees
		     */
	int status; /* as a shell gives it */
	double seconds; /* from fork to exit */
	bool timed_out;
	bool unwatched; /* of perf: it did not wait for its command, the status is not the command's
			 */
	bool stopped; /* by a stop signal to us */
};

/* Runs the job to its end. 0, or a negative errno if it could not be started. */
int collect__watch(const struct collect_job *job, struct collect_end *ret, struct mig_err *err);

#endif
