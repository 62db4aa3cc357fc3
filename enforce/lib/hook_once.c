/*
 * One-time initialisation: pthread_once, call_once and C++'s function-local statics. Entering and finishing are two events, and other
 * threads may have to wait between them while the initialiser runs. So this library replaces the functions of libc and of the C++ library
 * for the whole life of the process. It leaves values in the program's memory that those libraries understand.
 */
#include <pthread.h>
#include <threads.h>

#include "enforce/lib/futex.h"
#include "enforce/lib/hook_thread.h"
#include "enforce/lib/operation.h"
#include "enforce/lib/real.h"

/* The values of glibc's control word. glibc tests only the bit that DONE_EARLIER and DONE share; the other bit of DONE says that the
   hooks saw the initialisation. */
enum { NEW = 0, RUNNING = 1, DONE_EARLIER = 2, DONE = 6 };

/* Returns true if the caller must run the initialiser, false if it is done. */
static bool enter(uint32_t *state)
{
	for (;;) {
		uint32_t found = NEW;

		if (__atomic_compare_exchange_n(state, &found, RUNNING, false, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE))
			return true;
		if (found & DONE_EARLIER)
			return false;
		futex_wait(state, found, NULL);
	}
}

static bool begin(const void *object, uint32_t *state)
{
	struct use use = use_of(OBJ_ONCE, object);
	bool mine = gate_begin(EV_ONCE_ENTER, &use, 1), runs = enter(state);

	if (mine)
		gate_end();
	return runs;
}

static void leave(enum event_kind kind, const void *object, uint32_t *state, uint32_t to)
{
	struct use use = use_of(OBJ_ONCE, object);
	bool mine = gate_begin(kind, &use, 1);

	__atomic_store_n(state, to, __ATOMIC_RELEASE);
	futex_wake_all(state);
	if (mine)
		gate_end();
}

/* Cancellation or an exception has ended the initialiser early: the next caller runs it. */
static void unwound(void *control)
{
	leave(EV_ONCE_ABORT, control, control, NEW);
}

static int once(pthread_once_t *control, void (*init)(void))
{
	/* it was done before the hooks were there: no event, as in the search */
	if (__atomic_load_n((uint32_t *)control, __ATOMIC_ACQUIRE) == DONE_EARLIER || !begin(control, (uint32_t *)control))
		return 0;
	pthread_cleanup_push(unwound, control);
	init();
	pthread_cleanup_pop(0);
	leave(EV_ONCE_DONE, control, (uint32_t *)control, DONE);
	return 0;
}

EXPORT int pthread_once(pthread_once_t *control, void (*init)(void))
{
	return gate_owns ? once(control, init) : REAL(pthread_once)(control, init);
}

EXPORT void call_once(once_flag *control, void (*init)(void))
{
	if (gate_owns)
		once((pthread_once_t *)control, init);
	else
		REAL(call_once)(control, init);
}

/*
 * A guard is eight bytes. Compiled code looks at the first one before it calls: when it is set threads pass without an event. So it is set only
 * where the search sets it, by a thread that is alone (preload/hooks/hook_once.c); otherwise the second word says that it is done.
 */
int __cxa_guard_acquire(uint64_t *guard);
void __cxa_guard_release(uint64_t *guard);
void __cxa_guard_abort(uint64_t *guard);

static uint32_t *state_of(uint64_t *guard)
{
	return (uint32_t *)guard + 1;
}

EXPORT int __cxa_guard_acquire(uint64_t *guard)
{
	if (__atomic_load_n((uint8_t *)guard, __ATOMIC_ACQUIRE))
		return 0;
	return gate_owns ? begin(guard, state_of(guard)) : REAL(__cxa_guard_acquire)(guard);
}

EXPORT void __cxa_guard_release(uint64_t *guard)
{
	if (!gate_owns) {
		REAL(__cxa_guard_release)(guard);
		return;
	}
	bool alone = threads_live() == 1;
	leave(EV_ONCE_DONE, guard, state_of(guard), DONE);
	if (alone)
		__atomic_store_n((uint8_t *)guard, 1, __ATOMIC_RELEASE);
}

EXPORT void __cxa_guard_abort(uint64_t *guard)
{
	if (gate_owns)
		leave(EV_ONCE_ABORT, guard, state_of(guard), NEW);
	else
		REAL(__cxa_guard_abort)(guard);
}
