/* One-time initialisation: pthread_once, C11's call_once, and function-local statics of C++. */
#include "preload/control/ctl.h"
#include "preload/control/object_key.h"
#include "preload/base/real.h"
#include "preload/hooks/sync.h"
#include "preload/memory/child_reads.h"

#include "preload/base/rules.h"

/* glibc's control word: bit 0: an initialiser runs; bit 1: it is done; the higher bits count forks. simul sets bit 2 when unwinding has
   left an initialiser, so that the word differs from one that was never used. */
#define ONCE_NEW 0
#define ONCE_RUNNING 1
#define ONCE_DONE 2
#define ONCE_GAVE_UP 4

/* The initialisers that run now, innermost first. Each entry lies on the stack of the thread that runs it. */
struct running {
	int *control;
	object_id object;
	const void *pc;
	thread_id thread;
	struct running *next;
};
static struct running *running_first;

void sync_once_call(void (*init)(void));
int sync_once_personality(int version, int actions, uint64_t class, void *exception, void *context);

static void unlink_running(struct running *r)
{
	for (struct running **p = &running_first; *p; p = &(*p)->next)
		if (*p == r) {
			*p = r->next;
			return;
		}
}

/* Called when unwinding leaves the running thread's initialiser. The next caller runs the initialiser again. */
static void unwound(void)
{
	if (!ctl_enter())
		return;
	struct running *r = running_first;

	while (r && r->thread != ctl_self())
		r = r->next;
	if (r) {
		struct op op = ctl_op(EV_ONCE_ABORT, r->pc);

		op.obj[0] = r->object;
		unlink_running(r);
		ctl_perform(&op);
		*r->control = ONCE_GAVE_UP;
	}
	ctl_leave();
}

/* The personality routine of sync_once_call (x86_64/once.S). The constants are those of the C++ ABI. */
int sync_once_personality(int version, int actions, uint64_t class, void *exception, void *context)
{
	enum { CLEANUP_PHASE = 2, CONTINUE_UNWIND = 8 };

	if (actions & CLEANUP_PHASE)
		unwound();
	return CONTINUE_UNWIND;
}

/* Returns whether the initialisation is done, where the thread may have a store in its buffer. glibc looks first; that is no fence. */
static bool looks_done(const void *addr, bool fresh, const void *pc)
{
	if (!ctl_has_stores())
		return false;
	struct op op = ctl_op(EV_ONCE_LOOK, pc);

	op.obj[0] = sync_object(OBJ_ONCE, addr, fresh);
	return ctl_perform(&op) != 0;
}

static struct op enter_op(const void *addr, bool fresh, const void *pc)
{
	struct op op = ctl_op(EV_ONCE_ENTER, pc);

	op.obj[0] = sync_object(OBJ_ONCE, addr, fresh);
	return op;
}

int sync_once(int *control, void (*init)(void), const void *pc)
{
	if (!ctl_enter()) {
		child_reads_object(control);
		return real_pthread_once(control, init);
	}
	if ((*control & ONCE_DONE) && !world_find(ctl_world, OBJ_ONCE, object_key(OBJ_ONCE, control))) {
		ctl_leave(); /* the initialisation was done before control began */
		return 0;
	}
	if (looks_done(control, *control == ONCE_NEW, pc)) {
		ctl_leave();
		return 0;
	}
	struct op op = enter_op(control, *control == ONCE_NEW, pc);

	if (ctl_perform(&op) == 0) {
		ctl_leave();
		return 0;
	}
	*control = ONCE_RUNNING;
	struct running r = {control, op.obj[0], pc, ctl_self(), running_first};

	running_first = &r;
	ctl_leave();
	sync_once_call(init);
	if (!ctl_enter()) { /* in the native child of an initialiser that forked */
		*control = ONCE_DONE;
		return 0;
	}
	unlink_running(&r);
	struct op done = ctl_op(EV_ONCE_DONE, pc);

	done.obj[0] = r.object;
	ctl_perform(&done);
	*control = ONCE_DONE;
	ctl_leave();
	return 0;
}

int pthread_once(pthread_once_t *control, void (*init)(void))
{
	return sync_once(control, init, HERE);
}

int __pthread_once(pthread_once_t *control, void (*init)(void))
{
	return sync_once(control, init, HERE);
}

/*
 * Guards of C++. Compiled code reads byte 0 before it calls a hook. When byte 0 is set, threads pass without an event. This is correct only
 * if all other threads are created later. A thread that existed before would not be ordered after the initialisation by any event, and the
 * search would never try the order in which this thread comes first. So while other threads live, byte 0 stays 0. Byte 7, which no ABI
 * uses, then says that the initialisation is done.
 */
#define GUARD_BYTE 0
#define OUR_BYTE 7
enum { GUARD_NEW = 0, GUARD_RUNNING, GUARD_DONE, GUARD_GAVE_UP };

static void guard_set(uint64_t *guard, unsigned byte, unsigned char value)
{
	((unsigned char *)guard)[byte] = value;
}

static unsigned guard_get(const uint64_t *guard, unsigned byte)
{
	return ((const unsigned char *)guard)[byte];
}

/* The real function does not exist if dlopen loaded the C++ library after the start. Then this is the only thread. */
static int native_acquire(uint64_t *guard)
{
	child_reads_object(guard);
	return real___cxa_guard_acquire ? real___cxa_guard_acquire(guard) : 1;
}

static void native_release(uint64_t *guard)
{
	if (real___cxa_guard_release)
		real___cxa_guard_release(guard);
	else
		guard_set(guard, GUARD_BYTE, 1);
}

/* Returns 1 if the caller has to initialise the variable, 0 if it is initialised. */
int __cxa_guard_acquire(uint64_t *guard)
{
	if (guard_get(guard, GUARD_BYTE))
		return 0;
	if (!ctl_enter())
		return guard_get(guard, OUR_BYTE) == GUARD_DONE ? 0 : native_acquire(guard);
	if (looks_done(guard, guard_get(guard, OUR_BYTE) == GUARD_NEW, HERE)) {
		ctl_leave();
		return 0;
	}
	struct op op = enter_op(guard, guard_get(guard, OUR_BYTE) == GUARD_NEW, HERE);
	int mine = ctl_perform(&op) != 0;

	if (mine)
		guard_set(guard, OUR_BYTE, GUARD_RUNNING);
	ctl_leave();
	return mine;
}

void __cxa_guard_release(uint64_t *guard)
{
	if (!ctl_enter()) {
		native_release(guard);
		return;
	}
	struct op op = ctl_op(EV_ONCE_DONE, HERE);

	op.obj[0] = ctl_object(OBJ_ONCE, guard);
	bool alone = world_live_threads(ctl_world) == 1;

	ctl_perform(&op);
	guard_set(guard, OUR_BYTE, GUARD_DONE);
	guard_set(guard, GUARD_BYTE, alone);
	ctl_leave();
}

void __cxa_guard_abort(uint64_t *guard)
{
	if (!ctl_enter()) {
		if (real___cxa_guard_abort)
			real___cxa_guard_abort(guard);
		return;
	}
	struct op op = ctl_op(EV_ONCE_ABORT, HERE);

	op.obj[0] = ctl_object(OBJ_ONCE, guard);
	ctl_perform(&op);
	guard_set(guard, OUR_BYTE, GUARD_GAVE_UP);
	ctl_leave();
}
