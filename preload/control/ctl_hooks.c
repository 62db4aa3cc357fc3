/* What hooks need besides ctl_perform: operations, their objects, the running thread, ends of threads and processes. */
#include <stdarg.h>
#include <stdio.h>

#include "preload/base/access.h"
#include "preload/base/real.h"
#include "preload/base/running.h"
#include "preload/control/ctl.h"
#include "preload/control/exceptions.h"
#include "preload/control/fiber.h"
#include "preload/control/object_key.h"
#include "preload/control/thread_pointer.h"
#include "preload/failure/bug.h"
#include "preload/failure/stack.h"
#include "preload/memory/aliases.h"
#include "preload/memory/object_memory.h"
#include "preload/base/rules.h"

struct op ctl_op(enum event_kind kind, const void *pc)
{
	return (struct op){ .kind = (uint8_t)kind, .deadline = OP_NO_DEADLINE, .pc = (uintptr_t)pc };
}

object_id ctl_object(enum object_kind kind, const void *addr)
{
	if (object_memory_bytes[kind] && object_memory_goes((uintptr_t)addr))
		object_memory_check(kind, (uintptr_t)addr);
	object_id o = world_object(ctl_world, kind, object_key(kind, addr));
	if (!o)
		ctl_out_of_memory();
	return o;
}

object_id ctl_object_new(enum object_kind kind, const void *addr)
{
	struct object_info info;
	if (object_memory_bytes[kind] && object_memory_goes((uintptr_t)addr))
		object_memory_check(kind, (uintptr_t)addr);
	uint64_t key = alias_key((uintptr_t)addr);
	object_id o = world_find(ctl_world, kind, key);
	if (o && world_object_info(ctl_world, o, &info) && info.destroyed)
		o = world_renew(ctl_world, kind, key);
	return o ? o : ctl_object(kind, addr);
}

thread_id ctl_self(void)
{
	return fiber_cur->id;
}

bool ctl_has_stores(void)
{
	return mem_on && mem_dirty && !ctl_session->config.certify;
}

unsigned ctl_threads(void)
{
	uint32_t n = ((const struct thread_names *)ctl_segment(ctl_session->layout.names_off))->count;
	return n < MAX_THREADS ? n : MAX_THREADS;
}

const struct op *ctl_pending(thread_id t)
{
	return world_alive(ctl_world, t) ? world_pending(ctl_world, t) : NULL;
}

void ctl_act_cancel(void)
{
	fiber_cur->value = PTHREAD_CANCELED;
	fiber_cur->cancel_state = PTHREAD_CANCEL_DISABLE; /* no second request while unwinding */
	world_set_cancelable(ctl_world, fiber_cur->id, false);
	thread_pointer_need();
	ctl_leave();
	real_pthread_exit(PTHREAD_CANCELED); /* unwinds to the frame in fiber.c or init.c */
	__builtin_unreachable();
}

void ctl_exit(int status)
{
	if (!ctl_past_checkpoint)
		operations.without_threads(status);
	struct op op = ctl_op(EV_EXIT, __builtin_return_address(0));
	op.arg[0] = (uint64_t)(uint32_t)status;
	fiber_cur->exit_status = status;
	ctl_perform(&op);
	__builtin_unreachable();
}

void ctl_bug(enum bug_kind kind, const char *fmt, ...)
{
	va_list ap;
	struct session_bug *b = bug_begin(kind);
	va_start(ap, fmt);
	vsnprintf(b->message, sizeof b->message, fmt, ap);
	va_end(ap);
	b->stack.n = stack_here(b->stack.pc, SESSION_STACK);
	bug_sign(b);
	bug_die();
}

void ctl_note_handler(enum handler_oddity what, const void *pc)
{
	struct session_sensors *s = ctl_segment(ctl_session->layout.sensors_off);
	if (s->handler[what].at && s->handler[what].at <= ctl_trace.n)
		return;
	s->handler[what].at = ctl_trace.n;
	s->handler[what].place = (uint64_t)pc;
}
