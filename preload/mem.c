/* From an access that a sensor saw to events. */
#include "preload/mem.h"

#include <string.h>

#include "preload/core.h"
#include "preload/ctl.h"
#include "preload/shadow.h"
#include "preload/spin.h"
#include "sched/memory.h"
#include "preload/rules.h"

bool mem_on;

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
static void perform(const struct mem_access *a, uint64_t addr, uint32_t size)
{
	unsigned kind = !(a->flags & MEM_WRITE) ? EV_LOAD : a->flags & MEM_READ ? EV_RMW : EV_STORE;
	struct op op = ctl_op(kind, (const void *)a->pc);
	if (!memory_name(table(), addr, size, op.obj, &op.span))
		return; /* noted in the table: the verdict says so */
	op.arg[0] = addr;
	op.arg[1] = size;
	op.flags = (uint8_t)op_flags(a->flags);
	if (a->flags & MEM_CAS)
		op.type = memory_fingerprint(a->expected, size);
	spin_announce(a, &op);
	struct fiber *me = fiber_cur;
	me->access = a->regs && a->regs->extended ? a->regs : NULL;
	ctl_perform(&op);
	me->access = NULL;
	spin_performed(&op);
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
