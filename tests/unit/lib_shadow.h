/*
 * The shadow's own code, compiled into a test, with stubs for the rest of the library. Include it once, after cmocka.h.
 * The test defines races_report.
 */
#ifndef SIMUL_TESTS_LIB_SHADOW_H
#define SIMUL_TESTS_LIB_SHADOW_H

#include <stdlib.h>

#define SEALED
#include "preload/memory/shadow.c"
#include "preload/memory/changes.c"
#include "preload/memory/shadow_list.c"
#include "preload/memory/shadow_table.c"
#include "preload/memory/shadow_visible.c"
#include "preload/memory/blocks.c"
#include "preload/memory/aliases.c"

/* ---- the rest of the library ---- */

static struct {
	struct session session;
	struct memory_table table;
} segment;
static struct fiber fibers[512];
static _Alignas(16) char arena_memory[8 << 20];

int ctl_state = CTL_ON;
int ctl_inside;
struct session *ctl_session = &segment.session;
struct hb *ctl_hb;
struct trace ctl_trace;
struct fiber *fiber_cur, *fiber_first;
bool mem_on = true;
bool mem_dirty;
bool window_on;
uint64_t mem_stack_lo, mem_stack_hi, mem_local_hi, mem_local_bytes;
uint64_t heap_low_at, heap_low_bytes;
uint64_t guard_hit, guard_lowest = UINT64_MAX; /* none of the memory here is simul's */
struct guard_range guard_range[GUARD_RANGES];
unsigned guard_ranges;

bool window_waits(uint64_t addr, uint64_t size)
{
	return false;
}

size_t safe_read(uint64_t addr, void *to, size_t size)
{
	return 0;
}

/* No signal handler runs here. */
bool interrupt_any, footprint_open, child_reads_on;
bool child_reads_note(uint64_t addr, uint64_t size)
{
	return false;
}
bool footprint_access(uint64_t addr, uint64_t size, unsigned flags, uint64_t sp)
{
	return false;
}

bool interrupt_hides(thread_id t, uint32_t epoch, uint32_t seen)
{
	return false;
}

const struct interrupt *interrupt_of(thread_id t)
{
	return NULL;
}

uint32_t interrupt_since(const struct interrupt *i)
{
	return 0;
}

bool interrupt_precedes(const struct interrupt *i, thread_id t, uint32_t epoch, uint64_t addr)
{
	return false;
}

void guard_add(const void *p, uint64_t bytes)
{
}

void heap_let_wait(void)
{
}

enum heap_state heap_check(const void *p)
{
	return HEAP_UNKNOWN;
}

bool dead_stack_suspect(uint64_t addr)
{
	return false;
}

void dead_stack_of(const struct fiber *f)
{
}

void ctl_refuse(const char *fmt, ...)
{
	abort();
}

#endif
