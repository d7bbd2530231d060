// SPDX-License-Identifier: GPL-2.0
/* Names and the hash below them. */
#include "strtab.h"

#include "hash.h"
#include "tests.h"

#define MANY 20000

static void many_names(void)
{
	static uint32_t ids[MANY];
	struct strtab st;
	bool same = true, named = true, found = true, unique = true;
	char name[32];
	int i;

	is_int(strtab__init(&st), 0, "init");
	for (i = 0; i < MANY; i++) {
		snprintf(name, sizeof(name), "task-%d", i);
		ids[i] = strtab__intern(&st, name, strlen(name));
		unique &= ids[i] && (!i || ids[i] != ids[i - 1]);
	}
	for (i = 0; i < MANY; i++) {
		snprintf(name, sizeof(name), "task-%d", i);
		same &= strtab__intern(&st, name, strlen(name)) == ids[i];
		found &= strtab__find(&st, name, strlen(name)) == ids[i];
		named &= !strcmp(strtab__name(&st, ids[i]), name);
	}
	ok(unique, "%d names have ids", MANY);
	ok(same, "a name has one id");
	ok(found, "and is found by it");
	ok(named, "an id has its name");
	is_int(strtab__find(&st, "task-x", 6), 0, "a name never seen is 0");
	strtab__exit(&st);
}

static void odd_names(void)
{
	struct strtab st;
	uint32_t a, b, empty;

	strtab__init(&st);
	a = strtab__intern(&st, "abcdef", 3);
	is_str(strtab__name(&st, a), "abc", "length counts, not NUL");
	b = strtab__intern(&st, "abc", 3);
	is_int(b, a, "the same by content");
	ok(strtab__intern(&st, "abcd", 4) != a, "a longer one is another");
	is_str(strtab__name(&st, 0), "", "0 is the empty name");
	is_str(strtab__name(&st, 4711), "", "an unknown id as well");
	empty = strtab__intern(&st, "", 0);
	is_str(strtab__name(&st, empty), "", "the empty name");
	a = strtab__intern(&st, "\xff\x01", 2);
	is_str(strtab__name(&st, a), "\xff\x01", "bytes are kept as they are");
	strtab__exit(&st);
}

/* Entries with one hash value are all found, and only they. */
static void collisions(void)
{
	struct hash h = { 0 };
	uint32_t pos, k, n, i;
	uint64_t sum;

	pos = hash__start(&h, 7);
	is_int(hash__next(&h, 7, &pos), 0, "an empty hash holds nothing");
	for (i = 0; i < 3000; i++)
		if (hash__add(&h, i % 3 ? i : 7, i))
			exit(1);
	n = 0;
	sum = 0;
	for (pos = hash__start(&h, 7); (k = hash__next(&h, 7, &pos));) {
		n++;
		sum += k - 1;
	}
	/* multiples of 3 below 3000, and 7 itself */
	is_int(n, 1001, "all entries of one hash value");
	is_int((int64_t)sum, 3 * (999 * 1000 / 2) + 7, "and no other");
	for (n = 0, i = 0; i < 3000; i++) {
		if (!(i % 3) || i == 7)
			continue;
		for (pos = hash__start(&h, i); (k = hash__next(&h, i, &pos));)
			n += k - 1 == i;
	}
	is_int(n, 1999, "each of the others");
	hash__exit(&h);
	ok(!h.slots && !h.nr, "exit leaves an empty one");
	ok(hash__bytes("abc", 3) == hash__bytes("abcd", 3) &&
		   hash__bytes("abc", 3) != hash__bytes("abd", 3),
	   "hash of bytes");
}

int main(void)
{
	many_names();
	odd_names();
	collisions();
	return done_testing();
}
