// SPDX-License-Identifier: GPL-2.0
/*
 * main: what only a program behind `perf` needs; it would vanish if this were built into perf.
 *
 * `perf migstat` forks us and waits, without a thought for signals. Left alone, ^C kills perf at
 * once and the prompt returns while we still write; `kill -INT` on perf never reaches us; SIGWINCH
 * arrives blocked; and if we die by a signal, perf says "FATAL: unable to run". So:
 *
 * - At a terminal we become its foreground process group: ^C is ours alone, perf waits for us, our
 *   exit code arrives. ^Z stops us and then the group of perf, so that the shell sees a stopped
 *   job; `fg` brings both back. At exit the terminal goes back to where we took it from.
 * - The death of perf reaches us as SIGTERM (SIGINT is ignored in a script's background).
 * - SIGINT and SIGTERM end in an exit code of 128 + signal.
 *
 * None of this when we were not started by perf: then the shell knows us.
 */
#include "builtin.h"
#include "util/workload.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* For the handlers. */
static volatile sig_atomic_t tty_fd = -1; /* the terminal we have taken, -1 = none */
static volatile sig_atomic_t old_group; /* whose it was */
static volatile sig_atomic_t wrapper; /* the perf that started us */

/* Hands the terminal to a group; a background process may do that only with SIGTTOU ignored. */
static void give_terminal(pid_t group)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, old;

	sigaction(SIGTTOU, &ignore, &old);
	tcsetpgrp(tty_fd, group);
	sigaction(SIGTTOU, &old, NULL);
}

static void leave_terminal(void)
{
	if (tty_fd >= 0 && tcgetpgrp(tty_fd) == getpgrp())
		give_terminal(old_group);
}

/*
 * ^C would have hit all processes of a shell script that runs us. Without it the script would only
 * see perf end, and go on with its next command.
 */
static void pass_on_interrupt(void)
{
	if (tty_fd >= 0 && old_group != wrapper)
		kill(-old_group, SIGINT);
}

static bool has_running_child(void)
{
	siginfo_t info = { .si_pid = 0 };

	return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == 0;
}

static void stop_handler(int sig, siginfo_t *info, void *ctx)
{
	int saved = errno;

	(void)ctx;
	/* ^C in the pager is the pager's: it stops a search, we wait for the pager's end */
	if (sig == SIGINT && info->si_code == SI_KERNEL && has_running_child()) {
		errno = saved;
		return;
	}
	leave_terminal();
	if (sig == SIGINT)
		pass_on_interrupt();
	_exit(128 + sig);
}

/* ^Z: stop as a member of perf's group, which is the job the shell knows. */
static void suspend_handler(int sig)
{
	struct sigaction dfl = { .sa_handler = SIG_DFL }, old;
	int saved = errno;
	pid_t own = getpgrp();
	sigset_t set, mask;

	leave_terminal();
	setpgid(0, old_group);
	sigaction(sig, &dfl, &old);
	sigemptyset(&set);
	sigaddset(&set, sig);
	kill(-old_group, sig);
	sigprocmask(SIG_UNBLOCK, &set, &mask);
	/* here after `fg` or `bg` */
	sigprocmask(SIG_SETMASK, &mask, NULL);
	sigaction(sig, &old, NULL);
	setpgid(0, own);
	if (tcgetpgrp(tty_fd) == old_group)
		give_terminal(own);
	kill(-own, SIGCONT);
	errno = saved;
}

/* Was it perf that started us? */
static bool started_by_perf(pid_t parent)
{
	char link[64], path[4096];
	const char *base;
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/%d/exe", (int)parent);
	n = readlink(link, path, sizeof(path) - 1);
	if (n <= 0)
		return false;
	path[n] = '\0';
	base = strrchr(path, '/');
	base = base ? base + 1 : path;
	return !strncmp(base, "perf", 4) && strncmp(base, "perf-migstat", 12);
}

static bool is_pipe(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode));
}

/*
 * Takes the terminal, unless we are part of a pipeline: the pager behind it would lose the
 * terminal to us.
 */
static void take_terminal(void)
{
	struct sigaction sa = { .sa_handler = suspend_handler, .sa_flags = SA_RESTART };
	int fd = isatty(STDIN_FILENO) ? STDIN_FILENO : STDERR_FILENO;
	pid_t group = getpgrp();

	for (int i = 0; i <= STDERR_FILENO; i++) {
		if (is_pipe(i))
			return;
	}
	if (!isatty(fd) || tcgetpgrp(fd) != group || group == getpid())
		return;
	fd = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (fd < 0 || setpgid(0, 0))
		return;
	old_group = group;
	tty_fd = fd;
	give_terminal(getpgrp());
	atexit(leave_terminal);
	sigaction(SIGTSTP, &sa, NULL);
}

static void catch_stop_signals(void)
{
	/* SIGPIPE (`| head`): of a death by signal perf says "FATAL: unable to run" */
	static const int sigs[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE };
	struct sigaction sa = { .sa_sigaction = stop_handler, .sa_flags = SA_SIGINFO | SA_RESTART };
	struct sigaction old;

	for (size_t i = 0; i < sizeof(sigs) / sizeof(sigs[0]); i++) {
		sigaction(sigs[i], NULL, &old);
		if (old.sa_handler == SIG_DFL)
			sigaction(sigs[i], &sa, NULL);
	}
}

int main(int argc, char **argv)
{
	pid_t parent = getppid();
	sigset_t set;
	int rc;

	setlocale(LC_ALL, "");
	setlocale(LC_NUMERIC, "C"); /* JSON and CSV, and the seconds of --time, have a point */
	sigemptyset(&set);
	sigaddset(&set, SIGWINCH);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	catch_stop_signals();
	/* the workload of a recording is started by perf, too, but belongs to us */
	if (!(argc > 1 && workload__is_marker(argv[1])) && started_by_perf(parent)) {
		wrapper = parent;
		take_terminal();
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		if (getppid() != parent)
			raise(SIGTERM);
	}
	rc = cmd_migstat(argc, argv);
	if (fflush(stdout) && rc == MIG_EXIT_OK && errno != EPIPE) {
		perror("perf migstat: standard output");
		rc = MIG_EXIT_FAILED;
	}
	leave_terminal();
	if (rc == 128 + SIGINT)
		pass_on_interrupt();
	return rc;
}
