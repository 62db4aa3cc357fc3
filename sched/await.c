/* The table of spin loops; see await.h. */
#include "sched/await.h"

uint32_t await_node(struct await_table *t, uint64_t state, uint64_t addr, uint32_t size, uint32_t expected)
{
	return 0;
}

uint32_t await_find(const struct await_table *t, uint64_t state)
{
	return 0;
}

bool await_learn(struct await_table *t, uint32_t from, uint32_t found, uint32_t to)
{
	return false;
}

uint32_t await_next(const struct await_table *t, uint32_t from, uint32_t found)
{
	return 0;
}

bool await_blocked(const struct await_table *t, uint32_t node,
	uint32_t (*value)(void *ctx, uint64_t addr, uint32_t size), void *ctx)
{
	return false;
}
