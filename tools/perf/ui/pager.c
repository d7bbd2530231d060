// SPDX-License-Identifier: GPL-2.0
#include "pager.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t pager_pid;

static const char *pager__command(void)
{
	const char *p = getenv("PERF_PAGER");

	if (!p)
		p = getenv("PAGER");
	if (!p)
		p = "less";
	return *p && strcmp(p, "cat") ? p : NULL;
}

void pager__start(void)
{
	const char *cmd = pager__command();
	int fd[2];

	if (!cmd || !isatty(STDOUT_FILENO) || pipe(fd))
		return;
	fflush(stdout);
	pager_pid = fork();
	if (pager_pid < 0) {
		pager_pid = 0;
		close(fd[0]);
		close(fd[1]);
		return;
	}
	if (!pager_pid) {
		dup2(fd[0], STDIN_FILENO);
		close(fd[0]);
		close(fd[1]);
		setenv("LESS", "FRSX", 0);
		execl("/bin/sh", "sh", "-c", cmd, (char *)NULL);
		_exit(127);
	}
	dup2(fd[1], STDOUT_FILENO);
	close(fd[0]);
	close(fd[1]);
	/* the user may leave the pager before the end: that is no error */
	signal(SIGPIPE, SIG_IGN);
}

bool pager__running(void)
{
	return pager_pid > 0;
}

void pager__wait(void)
{
	if (!pager_pid)
		return;
	fclose(stdout);
	while (waitpid(pager_pid, NULL, 0) < 0 && errno == EINTR)
		;
	pager_pid = 0;
}
