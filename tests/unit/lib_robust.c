#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/lib_robust.h"

struct event traced[TRACED_MOST];
uint32_t n_traced;
struct robust_cycle trace_cycle;

static union {
	struct arena a;
	uint64_t room[4 << 20];
} scratch;

struct event *trace_add(thread_id t, unsigned kind, unsigned mode)
{
	assert_true(n_traced < TRACED_MOST);
	traced[n_traced] = (struct event){ .thread = t, .kind = (uint8_t)kind, .mode = { (uint8_t)mode }, .pc = n_traced + 1 };
	return &traced[n_traced++];
}

struct event *trace_bytes(struct event *e, unsigned at, unsigned size)
{
	unsigned last = at + size - 1;
	e->obj[0] = OBJECT_MEMORY | (1 + at / 16);
	e->obj[1] = last / 16 == at / 16 ? 0 : OBJECT_MEMORY | (1 + last / 16);
	e->mode[1] = e->obj[1] ? e->mode[0] : M_NONE;
	e->span = (uint8_t)(at % 16 | last % 16 << 4);
	return e;
}

void trace_store_by(thread_id t, thread_id agent, unsigned at, unsigned size)
{
	trace_bytes(trace_add(t, EV_STORE, M_BUFFER), at, size)->result = agent;
}

void trace_on_object(thread_id t, unsigned kind, unsigned mode, object_id o)
{
	trace_add(t, kind, mode)->obj[0] = o;
}

void trace_start(void)
{
	n_traced = 0;
}

bool trace_is_robust(void)
{
	struct arena *a = arena_init(scratch.room, sizeof(scratch.room));
	bool unknown = true, robust;
	memset(&trace_cycle, 0, sizeof(trace_cycle));
	robust = robust_check(traced, n_traced, a, &trace_cycle, &unknown);
	assert_false(unknown);
	assert_int_equal(a->used - a->freed, sizeof(struct arena)); /* all memory was freed */
	assert_int_equal(robust, trace_cycle.n == 0);
	return robust;
}
