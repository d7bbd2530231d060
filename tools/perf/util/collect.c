// SPDX-License-Identifier: GPL-2.0
#include "collect.h"
#include "collect-int.h"
#include "err.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CAPTURE_MAX = 256 * 1024 };

static const int stop_signals[NR_STOP] = { SIGINT, SIGTERM, SIGHUP };

/* For the handler: whom to tell, and that it happened. */
static volatile sig_atomic_t running_pid, stop_seen;
static bool held; /* between collect__hold() and collect__release() */

static void stop_handler(int sig, siginfo_t *info, void *ctx)
{
	int saved = errno;

	(void)ctx;
	stop_seen = sig;
	/* the terminal tells the whole group, perf included */
	if (running_pid > 0 && info->si_code != SI_KERNEL)
		kill(running_pid, sig == SIGHUP ? SIGINT : sig);
	errno = saved;
}

void collect_signals__init(struct collect_signals *s)
{
	struct sigaction sa = { .sa_sigaction = stop_handler, .sa_flags = SA_SIGINFO };
	sigset_t block;

	sigemptyset(&block);
	for (int i = 0; i < NR_STOP; i++)
		sigaddset(&block, stop_signals[i]);
	sigprocmask(SIG_BLOCK, &block, &s->mask);
	sa.sa_mask = block;
	for (int i = 0; i < NR_STOP; i++) {
		sigaction(stop_signals[i], NULL, &s->old[i]);
		if (s->old[i].sa_handler != SIG_IGN) /* nohup, background of a script */
			sigaction(stop_signals[i], &sa, NULL);
	}
}

void collect_signals__restore(const struct collect_signals *s)
{
	for (int i = 0; i < NR_STOP; i++)
		sigaction(stop_signals[i], &s->old[i], NULL);
	sigprocmask(SIG_SETMASK, &s->mask, NULL);
}

void collect_signals__child(const struct collect_signals *s)
{
	for (int i = 0; i < NR_STOP; i++) {
		if (s->old[i].sa_handler != SIG_IGN)
			signal(stop_signals[i], SIG_DFL);
	}
	sigprocmask(SIG_SETMASK, &s->mask, NULL);
}

/* In the child, after fork; does not return. */
static void __attribute__((noreturn))
child_exec(char *const argv[], const struct collect_signals *s, pid_t parent, int report_fd)
{
	int code;

	collect_signals__child(s);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(128 + SIGTERM);
	execv(argv[0], argv);
	code = errno;
	if (write(report_fd, &code, sizeof(code)) < 0)
		_exit(126);
	_exit(127);
}

static int wait_for(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0) {
		if (errno != EINTR)
			return 128;
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static char *read_all(int fd)
{
	size_t len = 0, cap = 4096;
	char *text = malloc(cap), *more;
	ssize_t n;

	while (text) {
		if (len + 1 == cap && cap < CAPTURE_MAX) {
			more = realloc(text, cap * 2);
			if (!more)
				break;
			text = more;
			cap *= 2;
		}
		if (len + 1 == cap) /* enough: read on only to let the program end */
			len = cap / 2;
		n = read(fd, text + len, cap - 1 - len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		len += n;
	}
	if (text)
		text[len] = '\0';
	return text;
}

/* The C locale, and nothing of the user's perf options that would change the output. */
static void child_capture(int out)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (null >= 0)
		dup2(null, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	dup2(out, STDERR_FILENO);
	setenv("LC_ALL", "C", 1);
	setenv("PERF_PAGER", "cat", 1);
}

/* A pair of pipes: what exec failed with, and the output that is captured. */
struct pipes {
	int report[2];
	int out[2];
};

static int pipes__init(struct pipes *p, bool capture)
{
	*p = (struct pipes){ { -1, -1 }, { -1, -1 } };
	return pipe2(p->report, O_CLOEXEC) || (capture && pipe2(p->out, O_CLOEXEC)) ? errno : 0;
}

static void pipes__close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void pipes__exit(struct pipes *p)
{
	for (int i = 0; i < 2; i++) {
		pipes__close(&p->report[i]);
		pipes__close(&p->out[i]);
	}
}

/* The parent's part: reads what there is to read and waits. Returns the errno of exec, or 0. */
static int follow(pid_t pid, struct pipes *p, char **ret_text, int *ret_status)
{
	int code = 0;

	pipes__close(&p->report[1]);
	pipes__close(&p->out[1]);
	while (read(p->report[0], &code, sizeof(code)) < 0 && errno == EINTR)
		;
	if (ret_text)
		*ret_text = read_all(p->out[0]);
	*ret_status = wait_for(pid);
	return !code && ret_text && !*ret_text ? ENOMEM : code;
}

/* Forks and execs; with ret_text captures the output. */
static int run(char *const argv[], char **ret_text, int *ret_status, struct mig_err *err)
{
	pid_t parent = getpid(), pid;
	char *text = NULL;
	struct collect_signals sig;
	struct pipes pipes;
	int code = pipes__init(&pipes, ret_text);

	if (code)
		goto out;
	fflush(NULL);
	if (!held)
		stop_seen = 0;
	collect_signals__init(&sig);
	pid = fork();
	if (pid == 0) {
		if (ret_text)
			child_capture(pipes.out[1]);
		child_exec(argv, &sig, parent, pipes.report[1]);
	}
	code = pid < 0 ? errno : 0;
	running_pid = pid > 0 ? pid : 0;
	sigprocmask(SIG_SETMASK, &sig.mask, NULL);
	if (pid > 0)
		code = follow(pid, &pipes, ret_text ? &text : NULL, ret_status);
	running_pid = 0;
	collect_signals__restore(&sig);
out:
	pipes__exit(&pipes);
	if (code) {
		free(text);
		return mig_err__set(err, -code, "cannot run %s: %s", argv[0], strerror(code));
	}
	if (ret_text)
		*ret_text = text;
	return 0;
}

int collect__run(char *const argv[], int *ret_status, struct mig_err *err)
{
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	return run(argv, NULL, ret_status, err);
}

unsigned collect__stop_orphans(void)
{
	FILE *fp = fopen("/proc/thread-self/children", "re");
	unsigned nr = 0;
	int pid;

	while (fp && fscanf(fp, "%d", &pid) == 1)
		nr += !kill(pid, SIGTERM);
	if (fp)
		fclose(fp);
	return nr;
}

int collect__capture(char *const argv[], char **ret_text, int *ret_status, struct mig_err *err)
{
	int code = run(argv, ret_text, ret_status, err);

	if (!code && stop_seen) {
		free(*ret_text);
		*ret_text = NULL;
		code = mig_err__set(err, -EINTR, "interrupted");
	}
	return code;
}

int collect__stop_signal(void)
{
	return stop_seen;
}

void collect__hold(struct collect_signals *s)
{
	stop_seen = 0;
	held = true;
	collect_signals__init(s);
	sigprocmask(SIG_SETMASK, &s->mask, NULL);
}

void collect__release(const struct collect_signals *s)
{
	collect_signals__restore(s);
	held = false;
}

/* perf, perf_6.1, perf-5.10: yes; perf-migstat: no. */
static bool is_perf_name(const char *path)
{
	const char *base = strrchr(path, '/');

	base = base ? base + 1 : path;
	return !strncmp(base, "perf", 4) && strncmp(base, "perf-migstat", 12);
}

/* The resolved target counts, so that a link to ourselves named perf is passed over. */
static bool is_usable_perf(const char *path)
{
	char real[PATH_MAX];

	return access(path, X_OK) == 0 && realpath(path, real) &&
	       strncmp(strrchr(real, '/') + 1, "perf-migstat", 12);
}

static bool find_in_path(const char *name, char *ret_path, size_t size)
{
	const char *p = getenv("PATH");
	size_t len;

	for (p = p ? p : "/usr/bin:/bin"; *p; p += len + (p[len] == ':')) {
		len = strcspn(p, ":");
		if (!len)
			continue;
		if ((size_t)snprintf(ret_path, size, "%.*s/%s", (int)len, p, name) < size &&
		    is_usable_perf(ret_path))
			return true;
	}
	return false;
}

int collect__find_perf(char *ret_path, size_t size, struct mig_err *err)
{
	const char *env = getenv("PERF");
	char link[64];
	ssize_t n;

	if (env && *env) {
		if (!strchr(env, '/') ? find_in_path(env, ret_path, size) : is_usable_perf(env)) {
			if (strchr(env, '/'))
				snprintf(ret_path, size, "%s", env);
			return 0;
		}
		mig_err__set(err, -ENOENT, "PERF=%s: no program of that name", env);
		return mig_err__hint(err, "unset PERF, or set it to the path of a perf");
	}
	snprintf(link, sizeof(link), "/proc/%d/exe", (int)getppid());
	n = readlink(link, ret_path, size - 1);
	if (n > 0) {
		ret_path[n] = '\0';
		if (is_perf_name(ret_path) && access(ret_path, X_OK) == 0)
			return 0;
	}
	if (find_in_path("perf", ret_path, size))
		return 0;
	mig_err__set(err, -ENOENT, "no perf found in $PATH");
	return mig_err__hint(err, "install it (Debian: apt install linux-perf; Fedora: dnf install "
				  "perf), or set PERF=/path/to/perf");
}
