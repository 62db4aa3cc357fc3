/* Frames that were left; see dead_stack.h. */
#include "preload/memory/dead_stack.h"

#include "preload/base/access.h"
#include "preload/base/running.h"
#include "preload/base/state.h"
#include "preload/base/thread.h"
#include "preload/failure/stack.h"
#include "preload/memory/replaced_frame.h"
#include "preload/memory/shadow_table.h"
#include "preload/base/rules.h"

#define NEAR_END 65536u /* this many bytes at the end of a stack may lie in two leaves, and both are checked */

bool dead_stack_on, dead_stack_jumped;

static uint64_t lowest = UINT64_MAX; /* no checked stack lies below this address */

void dead_stack_of(const struct fiber *f)
{
	if (!dead_stack_on || f->stack.users)
		return;
	if (lowest > f->stack.own_lo)
		lowest = f->stack.own_lo;
	if (f->stack.own_hi >> ADDRESS_BITS)
		return;
	for (uint64_t at = f->stack.own_hi - 1; at > f->stack.own_hi - NEAR_END - 2; at -= NEAR_END) {
		uint32_t leaf = table_leaf(at);
		if (leaf)
			table_maps[leaf].stacks = true;
	}
}

static bool in_stack(const struct fiber *f, uint64_t addr)
{
	return addr - f->stack.own_lo < f->stack.own_hi - f->stack.own_lo;
}

/* Returns an address below which f uses nothing. f must not be running. */
static uint64_t bound(const struct fiber *f)
{
	return f->access ? f->access->sp - RED_ZONE : f->stack.sp;
}

/* Returns whether addr is below everything that f uses of its stack. */
static bool is_left(const struct fiber *f, uint64_t addr)
{
	uint64_t here = (uintptr_t)__builtin_frame_address(0), end = f == fiber_cur ? here - RED_ZONE : bound(f);
	if (f->ended)
		return f != fiber_first; /* false for the first thread: its stack holds main's arguments, and stays */
	return addr < end && in_stack(f, end);
}

/* Returns the thread whose stack holds addr, or NULL. Prefers a living thread to one that has ended, because it may have taken over the
   stack of that thread. */
static const struct fiber *owner(uint64_t addr)
{
	const struct fiber *ended = NULL;
	for (const struct fiber *f = fiber_first; f; f = f->next) {
		if (f->id == NO_THREAD || f->stack.users || !in_stack(f, addr))
			continue;
		if (!f->ended)
			return f;
		ended = f;
	}
	return ended;
}

bool dead_stack_suspect(uint64_t addr)
{
	if (!dead_stack_on || dead_stack_jumped || addr < lowest)
		return false;
	const struct fiber *f = mem_on_own_stack(addr) ? fiber_cur : owner(addr);
	return f && (is_left(f, addr) || (f != fiber_cur && replaced_frame_suspect(f, addr)));
}

/* Returns whether the access to the stack of f, which has not ended, is certainly an error. */
static bool is_error(const struct fiber *f, const struct mem_access *a)
{
	if (is_left(f, a->addr))
		return stack_reaches_end(f, a->addr, NULL);
	return f != fiber_cur && replaced_frame_suspect(f, a->addr) && replaced_frame_check(f, a);
}

bool dead_stack_check(const struct mem_access *a, struct session_block *out)
{
	const struct fiber *f = owner(a->addr);
	uint64_t sp = a->regs ? a->regs->sp : ctl_sp;
	if (!f || (f == fiber_cur && a->addr + a->size > sp - RED_ZONE))
		return false;
	if (f->ended ? !is_left(f, a->addr) : !is_error(f, a))
		return false;
	*out = (struct session_block){ .error = MEMORY_STACK, .write = !!(a->flags & MEM_WRITE), .addr = a->addr, .size = a->size,
		.owner = { f->id, NO_THREAD } };
	return true;
}
