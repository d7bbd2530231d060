/* SPDX-License-Identifier: GPL-2.0 */
/*
 * number: figures as text, for tables that people read. Plain ASCII, a point in every locale.
 */
#ifndef MIG_NUMBER_H
#define MIG_NUMBER_H

#include <stddef.h>

enum { NUMBER_MAX = 32 };

/*
 * A mean in ten columns, as LKP prints one: whole numbers truncated, from 1e8 on in 4 digits with
 * an exponent, two decimals below 1000, four digits below 10.
 */
const char *number__mean(double v, char ret[NUMBER_MAX]);

/* How many decimals (0 to 6) the value needs; no more than make 4 digits, but at least 2. */
int number__decimals(double v);

/* As short as the value allows, up to 6 digits. */
const char *number__short(double v, char ret[NUMBER_MAX]);

/* All digits that a double holds; whole numbers without a point. For machines to read. */
const char *number__exact(double v, char ret[NUMBER_MAX]);

/* A change in percent with its sign: "+115.2%", from 1e5 on "+2.1e+05%". */
const char *number__percent(double pct, char ret[NUMBER_MAX]);

#endif
