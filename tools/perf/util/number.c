// SPDX-License-Identifier: GPL-2.0
#include "number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const char *number__mean(double v, char ret[NUMBER_MAX])
{
	double size = fabs(v);

	if (isnan(v))
		snprintf(ret, NUMBER_MAX, "-");
	else if (size >= 1e8)
		snprintf(ret, NUMBER_MAX, "%.4g", v);
	else if (v == trunc(v) || size >= 1000)
		snprintf(ret, NUMBER_MAX, "%.0f", trunc(v));
	else if (size >= 10)
		snprintf(ret, NUMBER_MAX, "%.2f", v);
	else
		snprintf(ret, NUMBER_MAX, "%.4g", v);
	return ret;
}

int number__decimals(double v)
{
	double size = fabs(v);
	double scale = 1;
	int most;

	if (!isfinite(v))
		return 0;
	most = size >= 10 || size == 0 ? 2 : 3 - (int)floor(log10(size));
	if (most > 6)
		most = 6;
	for (int d = 0; d < most; d++, scale *= 10) {
		if (fabs(v * scale - nearbyint(v * scale)) <= 1e-9 * size * scale)
			return d;
	}
	return most;
}

const char *number__short(double v, char ret[NUMBER_MAX])
{
	snprintf(ret, NUMBER_MAX, "%.*f", number__decimals(v), v);
	return ret;
}

const char *number__exact(double v, char ret[NUMBER_MAX])
{
	if (v == trunc(v) && fabs(v) < 9e15) {
		snprintf(ret, NUMBER_MAX, "%.0f", v);
		return ret;
	}
	/* the shortest that reads back as the same number */
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(ret, NUMBER_MAX, "%.*g", digits, v);
		if (strtod(ret, NULL) == v)
			break;
	}
	return ret;
}

const char *number__percent(double pct, char ret[NUMBER_MAX])
{
	if (isnan(pct))
		snprintf(ret, NUMBER_MAX, "-");
	else
		snprintf(ret, NUMBER_MAX, fabs(pct) >= 1e5 ? "%+.2g%%" : "%+.1f%%", pct);
	return ret;
}
