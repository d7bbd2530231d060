// SPDX-License-Identifier: GPL-2.0
/*
 * unit-price: prices that are known by hand, and what chance does: where the labels are drawn at
 * random there is no price, and the interval says so.
 */
#include "tests.h"
#include "price.h"

#include <math.h>

static void add(struct price *p, int tid, int n, uint64_t stayed, uint64_t moved)
{
	for (int i = 0; i < n; i++) {
		price__add(p, tid, 1, 0, false, stayed);
		price__add(p, tid, 1, 0, true, moved);
	}
}

static void test_known(void)
{
	struct price p = { 0 }, q = { 0 };
	const struct price_result *r = price__result(&p);

	ok(!r->known, "no slices, no price");
	add(&p, 10, 19, 1000, 1500);
	ok(!price__result(&p)->known, "19 of each side are too few");
	is_int((int64_t)price__result(&p)->moved, 19, "they are counted");
	add(&p, 10, 1, 1000, 1500);
	r = price__result(&p);
	ok(r->known && r->ns == 500 && r->lo == 500 && r->hi == 500, "20: 500 ns, certainly");
	/* another thread is slower for itself; its moves cost the same */
	add(&p, 11, 20, 90000, 90500);
	r = price__result(&p);
	ok(r->ns == 500 && r->lo == 500 && r->hi == 500, "within each thread");
	/* seven that stayed are no median to compare with */
	for (int i = 0; i < 40; i++)
		price__add(&p, 12, 1, 0, i >= 7, 1000000);
	is_int((int64_t)price__result(&p)->moved, 40, "a set with few that stayed does not count");
	/* woken by another, or otherwise: other work */
	add(&q, 10, 20, 1000, 1500);
	for (int i = 0; i < 20; i++) {
		price__add(&q, 10, 2, 0, true, 7000);
		price__add(&q, 10, 1, 3, true, 7000);
	}
	ok(price__result(&q)->ns == 500, "only slices of one waker and one mechanism are compared");
	is_int(price__merge(&q, &p), 0, "merge");
	is_int((int64_t)price__result(&q)->moved, 60, "moved slices of both");
	ok(price__result(&q)->ns == 500, "the price of both");
	price__exit(&p);
	price__exit(&q);

	add(&p, 10, 30, 1500, 1000);
	ok(price__result(&p)->ns == -500, "a price below zero");
	price__exit(&p);
	for (int i = 0; i < 100000; i++)
		price__add(&p, 10, 1, 0, i % 2, i % 2 ? 800 : 300);
	is_int((int64_t)price__result(&p)->moved, 50000, "many: all are counted");
	is_int(p.set[0].side[1].kept, PRICE_KEEP, "few are kept");
	ok(price__result(&p)->ns == 500, "and tell the price");
	price__exit(&p);
}

static uint64_t state = 88172645463325252ULL;

static double uniform(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (double)(state >> 11) / 9007199254740992.0;
}

/* Lengths as slices have them: most alike, some ten times as long. */
static uint64_t length(int tid)
{
	double normal = sqrt(-2 * log(1 - uniform())) * cos(2 * M_PI * uniform());

	return (uint64_t)(10000 * (tid + 1) * exp(0.5 * normal));
}

static void test_chance(void)
{
	int holds = 0, finds = 0;

	for (int run = 0; run < 100; run++) {
		struct price none = { 0 }, some = { 0 };

		for (int i = 0; i < 400; i++) {
			int tid = i % 4;
			bool moved = uniform() < 0.4;
			uint64_t ns = length(tid);

			price__add(&none, tid, 1, 0, moved, ns);
			price__add(&some, tid, 1, 0, moved, ns + (moved ? 8000 : 0));
		}
		holds += price__result(&none)->lo <= 0 && price__result(&none)->hi >= 0;
		finds += price__result(&some)->lo <= 8000 && price__result(&some)->hi >= 8000;
		price__exit(&none);
		price__exit(&some);
	}
	ok(holds >= 93, "labels at random: the interval holds 0 in %d of 100", holds);
	ok(finds >= 93, "8 us more after a move: the interval holds it in %d of 100", finds);
}

int main(void)
{
	test_known();
	test_chance();
	return done_testing();
}
