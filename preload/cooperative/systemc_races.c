#include "preload/cooperative/systemc_races.h"

#include <string.h>

#include "base/hash.h"
#include "base/session.h"
#include "preload/base/access.h"
#include "preload/base/state.h"
#include "preload/control/fiber.h"
#include "preload/cooperative/label_text.h"
#include "preload/cooperative/systemc_kernel.h"
#include "preload/failure/bug.h"
#include "preload/failure/stack.h"
#include "preload/memory/data_races.h"
#include "preload/memory/watched.h"
#include "preload/base/rules.h"

void process_races_start(void)
{
	struct session_races *r = ctl_segment(ctl_session->layout.races_off);
	r->kernel_lo = (uint64_t)__builtin_frame_address(0);
	r->kernel_hi = fiber_cur->stack.own_hi;
	r->kernel.stack.n = stack_at_event(r->kernel.stack.pc, r->kernel.above, SESSION_STACK);
}

static void add_access(struct session_race *x, unsigned i, const struct watched_access *of, const char *process)
{
	x->flags[i] = of->flags & ~(unsigned)MEM_WRITE;
	if (of->write)
		x->flags[i] |= MEM_WRITE;
	x->stack[i].n = of->n;
	memcpy(x->stack[i].pc, of->pc, of->n * sizeof of->pc[0]);
	label_add(x->process[i], 0, process, SIZE_MAX);
}

/* The signature does not depend on the order of the accesses: both orders are the same bug. */
static uint64_t signature(const struct session_race *x)
{
	uint64_t h = 1;
	for (unsigned i = 0; i < 2; i++)
		h += bug_hash_frames(HASH_START, &x->stack[i], SESSION_RACE_FRAMES);
	return h ? h : 1;
}

/* Ends the execution with the race as its bug. */
static void __attribute__((noreturn)) die(const struct session_race *x, uint64_t word)
{
	struct session_bug *b = bug_begin(BUG_RACE);
	memcpy(b->process, x->process[1], sizeof b->process);
	b->fault_addr = word;
	b->stack = x->stack[1];
	b->signature = signature(x);
	bug_message(b, "data race: processes %s and %s access the same memory in one delta cycle", x->process[0],
		x->process[1]);
	bug_die();
}

void process_race(const struct watched_access *first, const char *first_process, const struct watched_access *second,
	const char *second_process)
{
	const struct session_config *config = &ctl_session->config;
	struct session_race x = {
		.addr = second->addr,
		.size = (uint32_t)second->size,
		.certain = !((first->flags | second->flags) & MEM_ATOMIC),
		.thread = { fiber_cur->id, fiber_cur->id },
		.count = 1,
		.delta = systemc_delta(),
	};
	if (!first->n || !second->n)
		return;
	add_access(&x, 0, first, first_process);
	add_access(&x, 1, second, second_process);
	if (config->mode != MODE_EXPLORE && signature(&x) != config->race)
		return;
	uint32_t i = races_add(&x);
	if (config->mode != MODE_EXPLORE || (config->settings.fail_on_race && x.certain && races_own(i)))
		die(&x, second->word);
}
