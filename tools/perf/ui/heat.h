/* SPDX-License-Identifier: GPL-2.0 */
/* heat: moves from CPU to CPU as a square whose cells say how many by their colour and sign. */
#ifndef MIG_HEAT_H
#define MIG_HEAT_H

#include <stdint.h>

struct report;
struct report_move;

struct heat {
	unsigned nr_cpus; /* 0 .. nr_cpus - 1: all the recording knows of */
	uint32_t *first; /* of a CPU's moves in report.moves, nr_cpus + 1 of them */
	const struct report_move *moves; /* borrowed */
	uint64_t max; /* of a cell */
};

#define HEAT_LEVELS 8

int heat__init(struct heat *h, const struct report *r); /* -ENOMEM */
void heat__exit(struct heat *h);
uint64_t heat__cell(const struct heat *h, unsigned from, unsigned to);
/* All that leave a CPU. */
uint64_t heat__from(const struct heat *h, unsigned from);
/* 0 = none, 1 .. HEAT_LEVELS - 1: by the logarithm, the highest is the largest cell's. */
unsigned heat__level(const struct heat *h, uint64_t n);
/* A sign for each level, darker for more. */
char heat__sign(unsigned level);

#endif
