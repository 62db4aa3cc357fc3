#include "preload/memory/replaced_frame.h"

#include <string.h>

#include "preload/base/access.h"
#include "preload/base/state.h"
#include "preload/base/thread.h"
#include "preload/failure/stack.h"
#include "preload/memory/dead_stack.h"
#include "sched/hb.h"
#include "sched/memory.h"

#define WORDS 128u           /* how much of the stack is copied */
#define NEAR (64u << 20)     /* code lies at most this far from the start of the program, or from simul's code; stacks lie further away */
#define MOST_EVENTS 2000u    /* with more events since the creation, the order is not looked at */

struct frames_then {
	thread_id creator;
	uint32_t epoch;     /* of the creator, at the creation */
	uint64_t lo, hi;    /* where the words were */
	uint64_t word[WORDS];
};

struct frames_then *replaced_frame_room(void)
{
	return dead_stack_on ? ctl_alloc(sizeof(struct frames_then)) : NULL;
}

void replaced_frame_created(struct fiber *f)
{
	struct frames_then *then = f->stack.frames_then;
	const struct fiber *me = fiber_cur;
	if (!then)
		return;
	then->lo = then->hi = 0;
	if (me->stack.users || ctl_sp - me->stack.own_lo >= me->stack.own_hi - me->stack.own_lo)
		return;
	then->creator = me->id;
	then->epoch = hb_epoch(ctl_hb, me->id);
	then->lo = ctl_sp & ~UINT64_C(7);
	uint64_t room = (me->stack.own_hi - then->lo) & ~UINT64_C(7);
	then->hi = then->lo + (room < sizeof then->word ? room : sizeof then->word);
	memcpy(then->word, (const void *)then->lo, then->hi - then->lo);
}

/* ---- suspicion ---- */

static const struct session_sensors *sensors(void)
{
	return ctl_segment(ctl_session->layout.sensors_off);
}

/* Returns whether the value may be an address in the program or in a library. */
static bool like_code(uint64_t value)
{
	return value - sensors()->module[0].base < NEAR || value - (uintptr_t)replaced_frame_suspect + NEAR < 2 * NEAR;
}

bool replaced_frame_suspect(const struct fiber *owner, uint64_t addr)
{
	const struct frames_then *then = fiber_cur->stack.frames_then;
	if (!then || addr - then->lo >= then->hi - then->lo || then->creator != owner->id ||
	    hb_seen(ctl_hb, fiber_cur->id, owner->id) > then->epoch)
		return false;
	for (uint64_t at = (addr | 7) + 1; at < then->hi; at += 8) {
		uint64_t value = then->word[(at - then->lo) / 8];
		if (value != *(const uint64_t *)at && like_code(value))
			return true;
	}
	return false;
}

/* ---- certainty ---- */

/* Returns whether each access of the program that could tell a thread something is an event. */
static bool sees_all(void)
{
	const struct session_sensors *s = sensors();
	const struct session_control *c = &ctl_session->ctl;
	const struct memory_table *memory = ctl_segment(ctl_session->layout.memory_off);
	bool explores = ctl_session->config.mode == MODE_EXPLORE;
	if (s->holes || s->generated_code || s->modules > SESSION_MODULES || c->facts.unseen.n || c->facts.uncontrolled || memory->full ||
	    (explores && memory->changes != c->discoveries.applied_memory))
		return false;
	for (uint32_t i = 0; i < s->modules; i++)
		if (s->module[i].not_hooked || (s->module[i].refused[0] && (s->module[i].executed || (!i && !s->tsan))))
			return false;
	for (unsigned i = 0; i < EXCEPTIONS; i++)
		if (c->facts.exception[i].done)
			return false;
	return s->tsan || s->modules;
}

/* Returns the index after the event that created the thread; 0: it is not there. */
static uint32_t after_creation(thread_id who, thread_id creator)
{
	for (uint32_t i = 0; i < ctl_trace.n; i++) {
		const struct event *e = &ctl_trace.event[i];
		if (e->kind == EV_THREAD_CREATE && e->thread == creator && event_child(e) == who)
			return i + 1;
	}
	return 0;
}

/* Returns whether an event of `creator` after the creation of the running thread comes before what that thread does now, in the transitive
   closure of the dependence of events. skip: the thread's latest event does not count. */
static bool knows_newer(thread_id creator, bool skip)
{
	static uint32_t known[MAX_IDS]; /* the events of a thread with smaller indices come before */
	thread_id me = fiber_cur->id;
	uint32_t first = after_creation(me, creator), n = ctl_trace.n;
	if (!first || n - first > MOST_EVENTS)
		return true;
	memset(known, 0, sizeof known);
	known[me] = n;
	for (uint32_t i = n; i-- > first;) {
		const struct event *e = &ctl_trace.event[i];
		if (i >= known[e->thread])
			continue;
		if (e->thread == creator)
			return true;
		if (e->thread == me && skip) {
			skip = false;
			continue;
		}
		for (uint32_t j = i; j-- > first;) {
			const struct event *earlier = &ctl_trace.event[j];
			if (known[earlier->thread] <= j && events_dependent(earlier, e))
				known[earlier->thread] = j + 1;
		}
	}
	return false;
}

bool replaced_frame_check(const struct fiber *owner, const struct mem_access *a)
{
	const struct frames_then *then = fiber_cur->stack.frames_then;
	uint64_t slot;
	if (!sees_all() || !stack_reaches_end(owner, a->addr, &slot))
		return false;
	if (slot < then->lo || slot >= then->hi || then->word[(slot - then->lo) / 8] == *(const uint64_t *)slot)
		return false;
	const struct memory_table *memory = ctl_segment(ctl_session->layout.memory_off);
	return !knows_newer(owner->id, !a->object && memory_is_shared(memory, a->addr, a->size));
}
