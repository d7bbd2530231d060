// SPDX-License-Identifier: GPL-2.0
#include <jansson.h>

int main(void)
{
	json_t *obj = json_object();

	json_decref(obj);
	return !obj;
}
