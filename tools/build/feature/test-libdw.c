// SPDX-License-Identifier: GPL-2.0
#include <elfutils/libdwfl.h>

int main(void)
{
	static const Dwfl_Callbacks callbacks;

	dwfl_end(dwfl_begin(&callbacks));
	return 0;
}
