#include "preload/control/whole_calls.h"

#include "base/hash.h"
#include "base/lock_owners.h"
#include "base/state_places.h"
#include "preload/base/state.h"
#include "preload/base/thread.h"
#include "preload/control/ctl.h"
#include "preload/memory/blocks.h"
#include "sched/await.h"
#include "sched/memory.h"
#include "preload/base/rules.h"

#define MOST_FUNCTIONS 1024u

static struct {
	uint64_t lo, hi;
	uint32_t owner;
	enum whole_call_kind kind;
} function[MOST_FUNCTIONS];
static unsigned n_functions;

static struct await_table *table(void)
{
	return ctl_segment(ctl_session->layout.await_off);
}

bool whole_calls_possible(void)
{
	const struct session_config *c = &ctl_session->config;
	return known_calls(c->settings.known_locks) && c->settings.model == MODEL_SC && !c->certify;
}

bool whole_calls_on(void)
{
	return whole_calls_possible() && !ctl_session->ctl.discoveries.applied_calls_refused;
}

static void refuse(void)
{
	if (ctl_session->config.mode != MODE_EXPLORE)
		return;
	ctl_session->ctl.discoveries.calls_refused = 1;
	table()->changes++;
}

bool whole_calls_refuse(void)
{
	bool waits = false;
	if (ctl_session->config.mode != MODE_EXPLORE)
		return false;
	for (const struct fiber *f = fiber_first; f; f = f->next) {
		const struct op *op = f->id == NO_THREAD || f->ended ? NULL : world_pending(ctl_world, f->id);
		waits |= op && op->kind == EV_MUTEX_LOCK && stands_for_call_mutex(world_object_address(ctl_world, op->obj[0]));
	}
	if (waits)
		refuse();
	return waits;
}

void whole_call_add(uint64_t lo, uint64_t hi, uint32_t owner, enum whole_call_kind kind)
{
	if (n_functions == MOST_FUNCTIONS)
		return;
	function[n_functions].lo = lo;
	function[n_functions].hi = hi;
	function[n_functions].kind = kind;
	function[n_functions++].owner = owner;
}

/* Returns the index of the function that contains the address; n_functions: none does. */
static unsigned find(uint64_t at)
{
	unsigned i = 0;
	while (i < n_functions && at - function[i].lo >= function[i].hi - function[i].lo)
		i++;
	return i;
}

bool whole_call_kind_at(uint64_t at, enum whole_call_kind kind, uint32_t *owner)
{
	unsigned i = find(at);
	*owner = i < n_functions ? function[i].owner : LOCK_OF_NOBODY;
	return i < n_functions && function[i].kind == kind;
}

bool whole_call_is(uint64_t at)
{
	unsigned i = find(at);
	return i < n_functions && function[i].lo == at && function[i].kind != CALL_PAIR_TAKES && function[i].kind != CALL_PAIR_GIVES;
}

/* ---- the mutex ---- */

static void perform(enum event_kind kind, const void *pc)
{
	struct fiber *me = fiber_cur;
	struct op op = ctl_op(kind, pc);
	uint64_t sp = me->call.sp;

	op.obj[0] = ctl_object(OBJ_MUTEX, (const void *)me->call.mutex);
	op.type = MUTEX_NORMAL;
	me->call.sp = 0;
	ctl_perform(&op);
	me->call.sp = sp;
}

static void give_back(const void *pc)
{
	if (fiber_cur->call.has)
		perform(EV_MUTEX_UNLOCK, pc);
	fiber_cur->call.has = false;
}

static void over(const void *pc)
{
	give_back(pc);
	fiber_cur->call.sp = 0;
}

/* Returns the address that stands for the mutex of the object with this byte: none of the program's. */
static uint64_t mutex_of(uint64_t addr)
{
	return CALL_MUTEXES_AT + (hash_spread(block_begin(addr)) % CALL_MUTEXES);
}

/* ---- calls ---- */

/* Does something as an access, so that the stack is that of the program. */
static void as_access(const struct mem_access *a, void (*what)(const void *pc))
{
	struct fiber *me = fiber_cur;
	const struct mem_regs *was = me->access;
	me->access = a->regs && a->regs->extended ? a->regs : NULL;
	what((const void *)a->pc);
	me->access = was;
}

/* Returns whether the running call is over after the instruction. */
static bool leaves(const struct mem_access *a)
{
	unsigned here = find(a->pc - 1);
	bool jumps_within = a->addr - function[here].lo < function[here].hi - function[here].lo;
	return fiber_cur->call.sp && a->regs->sp >= fiber_cur->call.sp && !jumps_within;
}

void whole_call_mark(const struct mem_access *a)
{
	struct fiber *me = fiber_cur;
	uint64_t sp = a->regs->sp;
	if (a->flags == MEM_CALL_ENDS) {
		if (leaves(a))
			as_access(a, over);
		return;
	}
	if (me->call.sp && sp < me->call.sp)
		return; /* called by another one */
	if (me->call.sp)
		as_access(a, over);
	if (!whole_calls_on())
		return;
	unsigned here = find(a->pc - 1);
	if (function[here].kind == CALL_TELLS) {
		refuse();
		return;
	}
	me->call.sp = sp;
	me->call.block = 0;
	me->call.gave = false;
	me->call.owner = function[here].owner;
	me->call.operation = function[here].kind != CALL_ONE_STEP;
	me->call.waits = function[here].kind == CALL_TAKES || function[here].kind == CALL_TAKES_SLOWLY;
	if (function[here].kind == CALL_TAKES || function[here].kind == CALL_OPERATES)
		me->lock_op = 0; /* the slow part belongs to the event that led to it */
}

static void take(const void *pc)
{
	perform(EV_MUTEX_LOCK, pc);
	fiber_cur->call.has = true;
}

void whole_call_access(const struct mem_access *a, uint64_t addr)
{
	struct fiber *me = fiber_cur;
	if (a->regs && a->regs->sp > me->call.sp)
		as_access(a, over);
	if (!me->call.sp || me->call.has || me->call.operation)
		return;
	if (!me->call.gave) {
		me->call.block = block_begin(addr);
		me->call.mutex = mutex_of(addr);
	}
	ctl_session->ctl.facts.one_step |= 1u << me->call.owner;
	as_access(a, take);
}

bool whole_call_operation(const struct mem_access *a)
{
	const struct fiber *me = fiber_cur;
	return me->call.sp && me->call.operation && a->regs && a->regs->sp <= me->call.sp;
}

static uint32_t value_now(void *ctx, uint64_t addr, uint32_t size)
{
	return memory_fingerprint((const void *)addr, size);
}

/* Returns whether the access leaves its spin loop with the values in memory, or belongs to no loop that is known. Whenever one becomes known, the search begins again. */
static bool leaves_loop(const struct op *op)
{
	uint32_t node = await_find(table(), op->state);
	return !node || (!await_is_lock(await_at(table(), node)) && !await_stuck(table(), node, value_now, NULL));
}

/* Returns whether the operation does not wait now, or only for a mutex of the object. */
static bool goes_on(const struct fiber *me, const struct op *op)
{
	bool memory = event_kind_accesses(op->kind);
	if (!memory)
		return op->kind == EV_FUTEX_WAKE;
	bool takes_lock = op->kind == EV_RMW && op->type; /* a compare-and-swap */
	return !(op->flags & OPF_AWAIT) || (takes_lock && me->call.block && block_begin(op->arg[0]) == me->call.block) || leaves_loop(op);
}

bool whole_call_pause(const struct op *op, uint64_t top)
{
	struct fiber *me = fiber_cur;
	if (top > me->call.sp) {
		over((const void *)op->pc);
		return false;
	}
	if (!me->call.has || goes_on(me, op))
		return false;
	give_back((const void *)op->pc);
	return true;
}

/* The mutex is taken again at the next access. Here would be too early: other threads would run before the hook has written what the operation did, for example that
   a mutex of the program is locked. */
void whole_call_resume(void)
{
	fiber_cur->call.gave = fiber_cur->call.sp;
}
