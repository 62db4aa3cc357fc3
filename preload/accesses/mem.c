/* Turns an access that a sensor reports into events; see mem.h. */
#include "preload/accesses/mem.h"

#include <string.h>

#include "base/hash.h"
#include "base/table.h"
#include "explore/explore.h"
#include "preload/base/aside.h"
#include "preload/base/thread.h"
#include "preload/memory/aliases.h"
#include "preload/memory/full_order.h"
#include "preload/memory/block_bug.h"
#include "preload/memory/blocks.h"
#include "preload/memory/changes.h"
#include "preload/control/ctl.h"
#include "preload/control/exceptions.h"
#include "preload/memory/dead_stack.h"
#include "preload/memory/footprint.h"
#include "preload/memory/object_uses.h"
#include "preload/memory/left_out.h"
#include "preload/memory/repeat.h"
#include "preload/base/guard.h"
#include "preload/failure/values.h"
#include "preload/memory/shadow.h"
#include "preload/memory/spin.h"
#include "preload/memory/window.h"
#include "preload/control/lock_ops.h"
#include "preload/control/whole_calls.h"
#include "sched/hb.h"
#include "sched/memory.h"
#include "sched/rc11.h"
#include "preload/base/rules.h"

static struct memory_table *table(void)
{
	return ctl_segment(ctl_session->layout.memory_off);
}

bool mem_is_visible(uint64_t addr, uint64_t size)
{
	bool visible = false;
	for (uint64_t end = addr + size, key, to; addr < end && !visible; addr = to) {
		to = alias_run(addr, end, &key);
		visible = memory_is_shared(table(), key, to - addr);
	}
	return visible;
}

/* Returns whether a mov that writes is a release. Under PSO it is not, since stores to different places overtake each other. */
static bool stores_in_order(void)
{
	return ctl_session->config.settings.model != MODEL_PSO;
}

/* Translates MEM_* to OPF_*. */
static unsigned op_flags(unsigned flags)
{
	unsigned f = 0;
	if (flags & MEM_ATOMIC)
		f |= OPF_ATOMIC;
	if (flags & MEM_PLAIN)
		f |= OPF_PLAIN;
	if (flags & MEM_ACQUIRE)
		f |= OPF_ACQUIRE;
	if (flags & MEM_RELEASE)
		f |= OPF_RELEASE;
	if ((flags & MEM_DRAIN) && !(flags & MEM_READ))
		f |= OPF_DRAINS;
	if (flags & (MEM_ATOMIC | MEM_PLAIN))
		return f;
	/* a mov: it may be an acquire load or a release store */
	if (flags & MEM_READ)
		f |= OPF_ACQUIRE;
	if ((flags & MEM_WRITE) && (stores_in_order() || mem_drains(flags)))
		f |= OPF_RELEASE;
	return f;
}

/* The part of an access that is one event: bytes within one page. */
struct piece {
	const struct mem_access *a;
	uint64_t addr;
	uint32_t size;
	bool first, more; /* first: the first piece of its access; more: further pieces follow */
	bool repeats;     /* the thread has just read the same: no event */
	struct op op;
};

/* Returns whether additions commute. A certificate orders all accesses of the same bytes, and cycles (--robustness) and
   RC11 need the order of writes. */
static bool adds_commute(void)
{
	const struct settings *s = &ctl_session->config.settings;
	return !ctl_session->config.certify && !s->robustness && s->model != MODEL_RC11;
}

/* Returns whether a locked instruction makes it, of code that does not say a memory order. */
static bool is_locked(const struct mem_access *a)
{
	return (a->flags & MEM_ATOMIC) && a->regs && a->regs->extended;
}

/* Fills in the operation of a piece. Returns NULL when the table of shared memory is full, which the verdict then reports. */
static void *describe(void *arg)
{
	struct piece *p = arg;
	const struct mem_access *a = p->a;
	unsigned kind = !(a->flags & MEM_WRITE) ? EV_LOAD : a->flags & MEM_READ ? EV_RMW : EV_STORE;
	p->op = ctl_op(kind, (const void *)a->pc);
	if (!memory_name(table(), alias_key(p->addr), p->size, p->op.obj, &p->op.span))
		return NULL;
	p->op.arg[0] = p->addr;
	p->op.arg[1] = p->size;
	p->op.more = p->more;
	p->op.type = (a->flags & MEM_FREE) != 0;
	p->op.same = !p->first || (a->flags & MEM_SAME);
	p->op.flags = (uint8_t)op_flags(a->flags);
	p->op.adds = (a->flags & MEM_ADDS) && p->first && !p->more && adds_commute();
	p->op.seq_cst = (a->flags & MEM_SEQ_CST) || is_locked(a);
	if (a->flags & MEM_CAS) {
		p->op.failed_seq_cst = (a->flags & MEM_FAILED_SEQ_CST) || is_locked(a);
		p->op.type = memory_fingerprint(a->expected, p->size);
		p->op.failed_acquires = !(a->flags & MEM_FAILED_RELAXED);
	}
	p->repeats = p->first && !p->more && repeat_comes(a, &p->op);
	if (p->repeats)
		return p;
	spin_announce(a, &p->op);
	repeat_announced(a, &p->op);
	return p;
}

static void *performed(void *arg)
{
	spin_performed(&((struct piece *)arg)->op);
	return NULL;
}

/* Announces op; returns when it was performed. */
static void schedule(const struct mem_access *a, struct op *op)
{
	struct fiber *me = fiber_cur;
	me->access = a->regs && a->regs->extended ? a->regs : NULL;
	ctl_perform(op);
	me->access = NULL;
}

/* Records the code of an access to visible bytes for a certificate: enforcement hooks only such code. */
static void note_site(const struct mem_access *a)
{
	struct session_sensors *sensors = ctl_segment(ctl_session->layout.sensors_off);
	uint64_t site = session_site(a->regs ? a->pc - 1 : a->pc, a->regs != NULL);
	uint32_t at = session_site_slot(sensors, site);
	if (at == TABLE_FULL)
		sensors->sites_full = 1;
	else if (!sensors->site[at])
		sensors->site[at] = site;
}

/* Returns whether an instruction of the program reads and writes in one step, though it has no lock. Others are split into two (docs/patching.md). */
static bool is_one_step(const struct mem_access *a)
{
	const unsigned both = MEM_READ | MEM_WRITE;

	return a->regs && (a->flags & (both | MEM_ATOMIC | MEM_PLAIN)) == both;
}

static void perform(const struct mem_access *a, uint64_t addr, uint32_t size, bool first, bool more)
{
	struct mem_access operation;
	enum lock_op_access is = lock_op_possible(fiber_cur) ? lock_op_access(a, addr, &operation) : LOCK_OP_NONE;
	struct piece p = { .a = is == LOCK_OP_FIRST ? &operation : a, .addr = addr, .size = is == LOCK_OP_FIRST ? LOCK_OP_WORDS : size, .first = first, .more = more };
	if (is == LOCK_OP_WITHIN)
		return;
	if (!is && whole_call_running(fiber_cur))
		whole_call_access(a, addr);
	void *described = aside(describe, &p);
	fiber_cur->lock_op_waits = 0;
	if (!described || p.repeats)
		return;
	if (ctl_session->config.certify && !(a->flags & (MEM_FREE | MEM_HELD))) /* enforcement hooks these calls */
		note_site(a);
	if (is_one_step(a))
		except_for(EXCEPT_ONE_STEP, a->pc);
	if (ctl_session->config.settings.model == MODEL_RC11)
		world_computes(ctl_world, fiber_cur->id, mem_update(a->flags), a->operand, a->expected[0]);
	schedule(a, &p.op);
	aside(performed, &p);
	if (is == LOCK_OP_FIRST)
		lock_op_performed(&operation);
}

static void *fence_comes(void *arg)
{
	spin_fence(arg);
	return NULL;
}

/* Waits until the thread's store buffer is empty. That is an event if the buffer may have a store. */
static void empty_buffer(const struct mem_access *a)
{
	struct op op = ctl_op(EV_FENCE, (const void *)a->pc);
	if (!mem_dirty)
		return;
	aside(fence_comes, (void *)a);
	schedule(a, &op);
}

/* Lets other threads run before the access. */
static void give_way(const struct mem_access *a)
{
	struct op op = ctl_op(EV_GIVE_WAY, (const void *)a->pc);
	schedule(a, &op);
}

/* Applies the fence to happens-before, without an event. */
static void *order(void *arg)
{
	const struct mem_access *a = arg;
	if (a->flags & MEM_RELEASE)
		world_release_fence(ctl_world, fiber_cur->id);
	full_order_fence(fiber_cur->id, a->flags & MEM_ACQUIRE, a->flags & MEM_RELEASE);
	shadow_fence();
	return NULL;
}

static void order_fence(const struct mem_access *a)
{
	if (a->flags & (MEM_ACQUIRE | MEM_RELEASE))
		aside(order, (void *)a);
}

/* Under RC11 each fence is an event. A replay may give it a stronger order. */
static void ordered_fence(const struct mem_access *a)
{
	struct op op = ctl_op(EV_FENCE, (const void *)a->pc);
	bool acquires = a->flags & MEM_ACQUIRE, releases = a->flags & MEM_RELEASE;
	op.type = RC11_ACQ_REL;
	if (a->flags & MEM_DRAIN)
		op.type = RC11_SEQ_CST;
	else if (!acquires || !releases)
		op.type = acquires ? RC11_ACQUIRE : RC11_RELEASE;
	schedule(a, &op);
	struct mem_access fenced = *a;
	fenced.flags |= order_acquires(world_fenced(ctl_world)) ? MEM_ACQUIRE : 0;
	fenced.flags |= order_releases(world_fenced(ctl_world)) ? MEM_RELEASE : 0;
	order_fence(&fenced);
	ctl_ordered();
}

static void fence(const struct mem_access *a)
{
	if (ctl_session->config.settings.model == MODEL_RC11) {
		ordered_fence(a);
		return;
	}
	if (a->flags & MEM_DRAIN)
		empty_buffer(a);
	order_fence(a);
}

static void *check(void *arg)
{
	block_bug_access(arg);
	return NULL;
}

/* Ends the execution when the access, which may be an error, is one. */
static void judge_suspect(const struct mem_access *a)
{
	struct fiber *me = fiber_cur;
	if (a->flags & (MEM_FREE | MEM_CALLER_CHECKS))
		return;
	me->access = a->regs && a->regs->extended ? a->regs : NULL;
	aside(check, (void *)a);
	me->access = NULL;
}

/* Called just before the access is made. */
static void judge(const struct mem_access *a)
{
	if (block_suspect(a->addr, a->size) || dead_stack_suspect(a->addr))
		judge_suspect(a);
}

/* The same where accesses are no events. Stacks are not looked at: that costs more than the rest of an access there. */
static void judge_block(const struct mem_access *a)
{
	if (!(a->flags & MEM_FENCE) && block_lacks(a->addr, a->size))
		judge_suspect(a);
}

void mem_perform_inside(const struct mem_access *a)
{
	if (what_if_on) {
		operations.what_if_access(a);
		return;
	}
	if (guard_hit)
		guard_written(guard_hit);
	if (mem_coarse && (mem_budget <= 0 || !block_lacks(a->addr, a->size)))
		give_way(a);
	if (mem_coarse) {
		judge_block(a);
		return;
	}
	if (a->flags & MEM_FENCE) {
		if (a->flags & (MEM_READ | MEM_PLAIN))
			whole_call_mark(a);
		else
			fence(a);
		return;
	}
	bool step = footprint_open;
	if (step)
		footprint_record(a);
	bool probing = mem_budget <= 0, draining = mem_dirty && mem_drains(a->flags);
	if (probing && !mem_is_visible(a->addr, a->size) && spin_probe(a) == SPIN_GIVE_WAY)
		give_way(a);
	bool suspect = block_suspect(a->addr, a->size) || dead_stack_suspect(a->addr);
	if ((probing || draining || suspect || step) && !mem_is_visible(a->addr, a->size)) {
		if (draining)
			empty_buffer(a);
		judge(a);
		return;
	}
	uint64_t waits = 0, size = 0; /* the latest piece; it is performed only when it is known whether another piece follows */
	bool first = true;
	for (uint64_t at = a->addr, end = a->addr + a->size, to; at < end; at = to) {
		uint64_t page_end = (at | (MEMORY_PAGE - 1)) + 1;
		to = end < page_end ? end : page_end;
		if (a->size > MEMORY_CELL && !mem_is_visible(at, to - at))
			continue;
		if (size) {
			perform(a, waits, (uint32_t)size, first, true);
			first = false;
		}
		waits = at;
		size = to - at;
	}
	if (size)
		perform(a, waits, (uint32_t)size, first, false);
	judge(a);
}

bool mem_locked;

void mem_perform(const struct mem_access *a)
{
	if (!mem_on || !ctl_enter_unnoticed())
		return;
	mem_perform_inside(a);
	ctl_leave();
}

bool mem_note_call(uint64_t addr, uint64_t size, unsigned flags, uintptr_t pc)
{
	return !left_out(pc - 1) && mem_note(addr, size, flags);
}

void mem_performed(void)
{
	/* no other thread runs before the next scheduling point */
}

uint64_t mem_quiet(uint64_t addr)
{
	return UINT64_MAX;
}

/* Bytes after the end of the block are left out: they may be visible only because a larger block was there. */
uint64_t mem_run(uint64_t addr, uint64_t most)
{
	uint64_t n = 1;
	while (n < most && mem_is_visible(addr + n, 1) && block_holds(addr + n))
		n++;
	return n;
}

void mem_read_again(uintptr_t pc)
{
	struct mem_access a = { .pc = pc };
	if (mem_on && ctl_session->config.certify)
		note_site(&a);
}

void mem_drain(const void *pc)
{
	struct op op = ctl_op(EV_FENCE, pc);
	if (mem_on && mem_dirty)
		ctl_perform(&op);
}

static void drain_all(const void *pc)
{
	struct op op = ctl_op(ctl_session->config.certify ? EV_FENCE : EV_FENCE_ALL, pc);
	op.arg[0] = 1; /* EV_FENCE, of which a certificate has no event: it waits for all buffers, too */
	if (model_has_buffers(ctl_session->config.settings.model))
		ctl_perform(&op);
}

void mem_drain_all(const void *pc)
{
	if (!mem_on || !ctl_enter())
		return;
	drain_all(pc);
	ctl_leave();
}

static bool any_visible(const struct mem_range *r)
{
	bool visible = false;
	for (uint64_t at = (uintptr_t)r->addr, end = at + r->size, key, to; at < end; at = to) {
		to = alias_run(at, end, &key);
		visible |= shadow_next_visible(&key, key + (to - at));
	}
	return visible;
}

/* Records in the shadow that the change was an event. */
static void note_changed(const struct mem_range *r, const void *pc)
{
	for (uint64_t from = (uintptr_t)r->addr, end = from + r->size, at, run; from < end; from = run) {
		run = alias_run(from, end, &at);
		/* an access by another address is no race with a change of this mapping */
		unsigned several = at != from || alias_has_keys(at, at + (run - from)) ? MEM_CHANGE : 0;
		for (uint64_t key_end = at + (run - from), to; shadow_next_visible(&at, key_end); at = to) {
			to = (at | (MEMORY_PAGE - 1)) + 1;
			to = to < key_end ? to : key_end;
			shadow_event(fiber_cur->id, at, to - at, MEM_READ | MEM_WRITE | MEM_ATOMIC | several, (uintptr_t)pc);
		}
	}
}

/* Announces the change. It is one event for all pages: if another thread could use the first page when the change of the second one was announced, its
   access would be ordered after the change but would come before it. */
static void change(const struct mem_range *r, unsigned n, const void *pc)
{
	bool visible = false;
	for (unsigned i = 0; i < n; i++)
		visible |= any_visible(&r[i]);
	if (!visible) {
		drain_all(pc);
		return;
	}
	values_settle();
	const struct session_config *c = &ctl_session->config;
	if (c->bound || c->strategy == STRATEGY_TRUST || c->strategy == STRATEGY_BPOR)
		except_for(EXCEPT_CHANGES, (uintptr_t)pc);
	struct op op = ctl_op(EV_CHANGE_PAGES, pc);
	ctl_perform(&op);
	ctl_pages_changed = true;
	for (unsigned i = 0; i < n; i++)
		note_changed(&r[i], pc);
	values_drop(); /* the memory may be gone */
}

static void objects_go(const struct mem_range *r)
{
	for (uint64_t at = (uintptr_t)r->addr, end = at + r->size, key, to; at < end; at = to) {
		to = alias_run(at, end, &key);
		object_uses_freed((const void *)key, to - at);
	}
}

void mem_unmaps_ranges(const struct mem_range *r, unsigned n, const void *pc)
{
	if (!mem_on || ctl_inside)
		return;
	for (unsigned i = 0; i < n; i++)
		if (r[i].size)
			mem_note((uintptr_t)r[i].addr, r[i].size, MEM_CHANGES);
	changes_what = 0; /* now, because other threads may run */
	if (!ctl_enter())
		return;
	spin_unmaps();
	for (unsigned i = 0; i < n; i++)
		objects_go(&r[i]);
	change(r, n, pc);
	spin_unmaps();
	ctl_leave();
}

void mem_unmaps(const void *addr, uint64_t size, const void *pc)
{
	struct mem_range r = { addr, size };
	mem_unmaps_ranges(&r, 1, pc);
}

void mem_protects(const void *addr, uint64_t size, uint32_t rights, const void *pc)
{
	changes_what = rights;
	mem_unmaps(addr, size, pc);
	changes_what = 0;
}

bool mem_reads_word(uint64_t addr, uint32_t size)
{
	ctl_inside = 0; /* the program makes the access, not simul */
	bool visible = mem_note(addr, size, MEM_READ | MEM_ATOMIC);
	ctl_inside = 1;
	return visible;
}

void mem_attach(struct op *op, uint64_t addr, uint32_t size)
{
	object_id cell[2];
	uint8_t span;
	bool visible = mem_reads_word(addr, size);
	if (visible && mem_is_visible(addr, size) && memory_name(table(), alias_key(addr), size, cell, &span) && !cell[1]) {
		op->obj[1] = cell[0];
		op->span = span;
	}
}

void mem_start(void)
{
	shadow_apply();
	window_begin();
	mem_on = true;
}
