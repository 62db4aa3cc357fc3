/* From an access that a sensor saw to events. */
#include "preload/mem.h"

#include <string.h>

#include "preload/aside.h"
#include "preload/core.h"
#include "preload/ctl.h"
#include "preload/shadow.h"
#include "preload/spin.h"
#include "sched/memory.h"
#include "preload/rules.h"

bool mem_on;
bool mem_dirty;

static struct memory_table *table(void)
{
	return ctl_segment(ctl_session->layout.memory_off);
}

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
	if (!(flags & (MEM_ATOMIC | MEM_PLAIN))) /* a mov: it may be an acquire load or a release store */
		f |= (flags & MEM_READ ? OPF_ACQUIRE : 0) | (flags & MEM_WRITE ? OPF_RELEASE : 0);
	return f;
}

/* One event: bytes within a page. */
struct piece {
	const struct mem_access *a;
	uint64_t addr;
	uint32_t size;
	struct op op;
};

/* NULL: the table of shared memory is full; it says so, and so does the verdict. */
static void *describe(void *arg)
{
	struct piece *p = arg;
	const struct mem_access *a = p->a;
	unsigned kind = !(a->flags & MEM_WRITE) ? EV_LOAD : a->flags & MEM_READ ? EV_RMW : EV_STORE;
	p->op = ctl_op(kind, (const void *)a->pc);
	if (!memory_name(table(), p->addr, p->size, p->op.obj, &p->op.span))
		return NULL;
	p->op.arg[0] = p->addr;
	p->op.arg[1] = p->size;
	p->op.flags = (uint8_t)op_flags(a->flags);
	if (a->flags & MEM_CAS)
		p->op.type = memory_fingerprint(a->expected, p->size);
	spin_announce(a, &p->op);
	return p;
}

static void *performed(void *arg)
{
	spin_performed(&((struct piece *)arg)->op);
	return NULL;
}

static void perform(const struct mem_access *a, uint64_t addr, uint32_t size)
{
	struct piece p = { .a = a, .addr = addr, .size = size };
	struct fiber *me = fiber_cur;
	if (!aside(describe, &p))
		return;
	me->access = a->regs && a->regs->extended ? a->regs : NULL;
	ctl_perform(&p.op);
	me->access = NULL;
	aside(performed, &p);
}

void mem_perform(const struct mem_access *a)
{
	if (!mem_on || !ctl_enter())
		return;
	if (mem_budget <= 0 && !memory_is_shared(table(), a->addr, a->size) && !spin_probe(a)) {
		ctl_leave();
		return;
	}
	for (uint64_t at = a->addr, end = a->addr + a->size; at < end;) {
		uint64_t page_end = (at | (MEMORY_PAGE - 1)) + 1, to = end < page_end ? end : page_end;
		if (a->size <= MEMORY_CELL || memory_is_shared(table(), at, to - at))
			perform(a, at, (uint32_t)(to - at));
		at = to;
	}
	ctl_leave();
}

void mem_attach(struct op *op, uint64_t addr, uint32_t size)
{
	object_id cell[2];
	uint8_t span;
	ctl_inside = 0; /* the access is the program's */
	bool visible = mem_note(addr, size, MEM_READ | MEM_ATOMIC);
	ctl_inside = 1;
	if (visible && memory_is_shared(table(), addr, size) && memory_name(table(), addr, size, cell, &span) && !cell[1]) {
		op->obj[1] = cell[0];
		op->span = span;
	}
}

void mem_start(void)
{
	shadow_apply();
	spin_start();
	mem_on = true;
}
