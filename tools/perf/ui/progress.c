// SPDX-License-Identifier: GPL-2.0
#include "progress.h"

#include <stdbool.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define WIDTH 40

static struct {
	uint64_t started, drawn; /* ns */
	bool shown;
} bar;

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

void progress__update(uint64_t done, uint64_t total, void *ctx)
{
	uint64_t now = now_ns();
	int i, n;

	(void)ctx;
	if (!bar.started)
		bar.started = now;
	if (now - bar.started < 500000000 || now - bar.drawn < 100000000 || !isatty(STDERR_FILENO))
		return;
	bar.drawn = now;
	bar.shown = true;
	if (!total) {
		fprintf(stderr, "\r%lu MB", (unsigned long)(done >> 20));
		return;
	}
	n = (int)(done * WIDTH / total);
	fputs("\r[", stderr);
	for (i = 0; i < WIDTH; i++)
		fputc(i < n ? '#' : '.', stderr);
	fprintf(stderr, "] %3lu%%", (unsigned long)(done * 100 / total));
}

void progress__finish(void)
{
	if (bar.shown)
		fprintf(stderr, "\r%*s\r", WIDTH + 8, "");
	bar.shown = false;
	bar.started = 0;
}
