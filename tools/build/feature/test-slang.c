// SPDX-License-Identifier: GPL-2.0
#include <slang.h>

int main(void)
{
	return SLtt_initialize(0) != 0;
}
