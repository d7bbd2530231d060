// SPDX-License-Identifier: GPL-2.0
/*
 * cost-kernel: the kernel's own idea of what a migration costs.
 */
#include <stdio.h>
#include <stdlib.h>

#include "cost.h"
#include "machine.h"

double cost__kernel_limit(const char *root, char ret_why[160])
{
	static const char *const names[] = { "sched.migration_cost_ns",
					     "sysctl.sched_migration_cost_ns",
					     "sysctl.sched_migration_cost" };
	struct machine m = { 0 };
	double ns = COST_KERNEL_DEFAULT;
	const char *text = NULL, *sched;
	char *end;

	ret_why[0] = '\0';
	if (machine__read(root, &m)) {
		snprintf(ret_why, 160, "out of memory");
		machine__exit(&m);
		return ns;
	}
	for (int i = 0; i < 3 && !text; i++)
		text = machine__get(&m, names[i]);
	if (text)
		ns = strtod(text, &end);
	if (!text || end == text) {
		ns = COST_KERNEL_DEFAULT;
		sched = machine__get(&m, "sched");
		snprintf(ret_why, 160, "%s", text ? text : sched ? sched : "not found");
	}
	machine__exit(&m);
	return ns;
}
