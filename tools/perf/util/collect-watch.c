// SPDX-License-Identifier: GPL-2.0
/*
 * collect-watch: one run of a measurement, with its output and a time limit. The terminal's ^C
 * reaches us, not the group of the job; we hand it on.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "collect-int.h"
#include "err.h"

enum { TAIL_MAX = 256 * 1024 };

struct watch {
	const struct collect_job *job;
	struct collect_end *end;
	pid_t pid, command; /* command: the first child of pid, 0 = not seen yet */
	int out, pidfd;
	size_t len;
	double start, kill_at; /* kill_at: when SIGKILL is due, 0 = not yet */
};

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

static void __attribute__((noreturn))
child(const struct collect_job *job, const struct collect_signals *s, int out, int report)
{
	int in = job->stdin_fd >= 0 ? job->stdin_fd : open("/dev/null", O_RDONLY | O_CLOEXEC), code;

	setpgid(0, 0);
	collect_signals__child(s);
	dup2(in, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	dup2(out, STDERR_FILENO);
	execv(job->argv[0], job->argv);
	code = errno;
	if (write(report, &code, sizeof(code)) < 0)
		_exit(126);
	_exit(127);
}

/* Keeps the tail: of a full buffer the older half goes. false at the end of the output. */
static bool read_some(struct watch *w)
{
	ssize_t n;

	if (w->len + 1 >= TAIL_MAX) {
		memmove(w->end->text, w->end->text + TAIL_MAX / 2, w->len - TAIL_MAX / 2);
		w->len -= TAIL_MAX / 2;
	}
	n = read(w->out, w->end->text + w->len, TAIL_MAX - 1 - w->len);
	if (n > 0)
		w->len += n;
	return n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN));
}

static void stop(struct watch *w, int sig, double grace)
{
	kill(-w->pid, w->kill_at > 0 ? SIGKILL : sig);
	w->kill_at = now() + grace;
}

/* "PID (COMM) STATE PPID ..." */
static pid_t parent_of(pid_t pid)
{
	char path[32], text[256], *end;
	int ppid = -1;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	f = fopen(path, "re");
	if (!f)
		return -1;
	end = fgets(text, sizeof(text), f) ? strrchr(text, ')') : NULL;
	fclose(f);
	if (!end || sscanf(end + 1, " %*c %d", &ppid) != 1)
		ppid = -1;
	return ppid;
}

/*
 * perf forks its command long before it starts it (opening the counters takes its time), and next
 * to its own start: its number is one of the next. 0 = none seen.
 */
static pid_t first_child(pid_t of)
{
	for (pid_t pid = of + 1; pid < of + 64; pid++)
		if (parent_of(pid) == of)
			return pid;
	return 0;
}

/*
 * A perf that gets SIGCHLD before it comes to wait for its command never waits, and exits with 0
 * whatever the command did. Then the command is left to us (we are a subreaper), dead.
 */
static void check_command(struct watch *w)
{
	pid_t pid;

	/* what else is left behind are orphans of the command; where it was not seen, one may be it
	 */
	while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
		w->end->unwatched |= w->command ? pid == w->command : !w->end->status;
}

/* What has to be done by now; returns for how many milliseconds nothing has. */
static int check_time(struct watch *w)
{
	double at = now(), next = 3600;

	if (collect__stop_signal() && !w->end->stopped) {
		w->end->stopped = true;
		stop(w, SIGINT, 2);
	}
	if (w->job->timeout > 0 && !w->end->timed_out && !w->end->stopped) {
		next = w->start + w->job->timeout - at;
		if (next <= 0) {
			w->end->timed_out = true;
			stop(w, SIGTERM, 2);
		}
	}
	if (w->kill_at > 0) {
		if (at >= w->kill_at)
			stop(w, SIGKILL, 2);
		next = w->kill_at - at;
	}
	if (w->job->is_perf && !w->command) {
		w->command = first_child(w->pid);
		if (!w->command && next > 0.002)
			next = 0.002;
	}
	if (w->pidfd < 0 && next > 0.05) /* no descriptor tells of the end: look */
		next = 0.05;
	return next > 3600 ? 3600 * 1000 : next <= 0 ? 0 : (int)(next * 1000) + 1;
}

/* Until the job has ended; its output may end before. */
static void follow(struct watch *w, const sigset_t *mask)
{
	struct pollfd p[2] = { { .fd = w->out, .events = POLLIN },
			       { .fd = w->pidfd, .events = POLLIN } };
	int status = 0, ms;
	pid_t got = 0;

	while (got != w->pid) {
		struct timespec ts;

		ms = check_time(w);
		ts = (struct timespec){ ms / 1000, ms % 1000 * 1000000L };
		if (ppoll(p, 2, &ts, mask) > 0 && p[0].revents && !read_some(w))
			p[0].fd = -1;
		got = waitpid(w->pid, &status, WNOHANG);
		if (got < 0 && errno != EINTR)
			break;
	}
	w->end->seconds = now() - w->start;
	w->end->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	fcntl(w->out, F_SETFL, O_NONBLOCK);
	errno = 0;
	while (p[0].fd >= 0 && read_some(w) && errno != EAGAIN)
		errno = 0;
	w->end->text[w->len] = '\0';
}

static int start(struct watch *w, const struct collect_signals *s, int *ret_code)
{
	int out[2], report[2];

	*ret_code = 0;
	if (pipe2(out, O_CLOEXEC))
		return -errno;
	if (pipe2(report, O_CLOEXEC)) {
		close(out[0]);
		close(out[1]);
		return -errno;
	}
	fflush(NULL);
	w->start = now();
	w->pid = fork();
	if (w->pid == 0)
		child(w->job, s, out[1], report[1]);
	if (w->pid > 0)
		setpgid(w->pid, w->pid); /* whoever is first */
	else
		*ret_code = errno;
	close(out[1]);
	close(report[1]);
	while (read(report[0], ret_code, sizeof(*ret_code)) < 0 && errno == EINTR)
		;
	close(report[0]);
	w->out = out[0];
	return 0;
}

int collect__watch(const struct collect_job *job, struct collect_end *ret, struct mig_err *err)
{
	struct watch w = { .job = job, .end = ret, .pidfd = -1 };
	struct collect_signals s;
	int rc, code = 0;

	*ret = (struct collect_end){ .text = calloc(1, TAIL_MAX) };
	if (!ret->text)
		return mig_err__set(err, -ENOMEM, "out of memory");
	collect_signals__init(&s);
	if (job->is_perf)
		prctl(PR_SET_CHILD_SUBREAPER, 1);
	rc = start(&w, &s, &code);
	if (!rc && w.pid > 0) {
		w.pidfd = syscall(SYS_pidfd_open, w.pid, 0);
		if (w.pidfd >= 0)
			fcntl(w.pidfd, F_SETFD, FD_CLOEXEC);
		follow(&w, &s.mask);
		if (job->is_perf)
			check_command(&w);
		if (w.pidfd >= 0)
			close(w.pidfd);
	}
	if (!rc)
		close(w.out);
	if (job->is_perf)
		prctl(PR_SET_CHILD_SUBREAPER, 0);
	collect_signals__restore(&s);
	if (!rc && code)
		rc = -code;
	if (rc) {
		free(ret->text);
		ret->text = NULL;
		return mig_err__set(err, rc, "cannot run %s: %s", job->argv[0], strerror(-rc));
	}
	return 0;
}
