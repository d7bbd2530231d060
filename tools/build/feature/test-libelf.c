// SPDX-License-Identifier: GPL-2.0
#include <gelf.h>

int main(void)
{
	GElf_Ehdr ehdr;

	return elf_version(EV_CURRENT) == EV_NONE || gelf_getehdr(0, &ehdr) != 0;
}
