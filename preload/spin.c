/* Spin loops; see spin.h. */
#include "preload/spin.h"

#include "preload/rules.h"

void spin_announce(const struct mem_access *a, struct op *op)
{
}

void spin_performed(const struct op *op, uint32_t found)
{
}

void spin_other(unsigned kind)
{
}

bool spin_probe(const struct mem_access *a)
{
	return false;
}

void spin_start(void)
{
}
