// SPDX-License-Identifier: GPL-2.0
/*
 * cost FILE COMMAND [ARG]...: runs a command and appends "CPU_US RSS_KB" to FILE: user and system
 * time of the command with all its children, and the largest peak RSS of any of them. Exits as it
 * does.
 *
 * A small program of its own, because a child inherits its parent's peak RSS: under a shell or an
 * interpreter small figures would be the parent's.
 */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static long us(struct timeval tv)
{
	return tv.tv_sec * 1000000L + tv.tv_usec;
}

int main(int argc, char **argv)
{
	struct rusage ru;
	int status;
	pid_t pid;
	FILE *f;

	if (argc < 3) {
		fprintf(stderr, "Usage: cost FILE COMMAND [ARG]...\n");
		return 2;
	}
	pid = fork();
	if (pid == 0) {
		execvp(argv[2], argv + 2);
		perror(argv[2]);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &ru) != pid) {
		perror("cost");
		return 1;
	}
	f = fopen(argv[1], "a");
	if (!f || fprintf(f, "%ld %ld\n", us(ru.ru_utime) + us(ru.ru_stime), ru.ru_maxrss) < 0 ||
	    fclose(f)) {
		perror(argv[1]);
		return 1;
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
