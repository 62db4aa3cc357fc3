/* The part of the tree that workers share: see common.h. */
#include "explore/common.h"

#include "explore/search.h"

size_t explore_common_min_memory(void)
{
	return 64 * 1024;
}

bool explore_common_create(void *common, size_t size)
{
	(void)common;
	return size >= explore_common_min_memory();
}

bool explore_join(void *memory, void *common, size_t size, bool owns_root)
{
	(void)memory;
	(void)common;
	(void)size;
	(void)owns_root;
	return false;
}

void explore_use_host(void *memory, const struct explore_host *host)
{
	(void)memory;
	(void)host;
}

bool explore_waiting(const void *memory)
{
	(void)memory;
	return false;
}

uint32_t *explore_door(void *common)
{
	return common;
}

bool explore_common_over(const void *common)
{
	(void)common;
	return false;
}

uint32_t explore_common_changing(const void *common)
{
	(void)common;
	return 0;
}

uint32_t explore_worker(const void *memory)
{
	(void)memory;
	return 0;
}

uint64_t explore_common_used(const void *common)
{
	(void)common;
	return 0;
}
