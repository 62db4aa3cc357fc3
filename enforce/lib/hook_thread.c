/* Threads: creation, end and join; and the end of the process. */
#include "enforce/lib/hook_thread.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <unistd.h>

#include "enforce/lib/gate.h"
#include "enforce/lib/hook_malloc.h"
#include "enforce/lib/inline_calls.h"
#include "enforce/lib/memory.h"
#include "enforce/lib/real.h"
#include "enforce/lib/stack_call.h"
#include "enforce/lib/stack_place.h"
#include "enforce/lib/stall.h"

/* What a new thread is to do, and who it is. */
struct birth {
	void *(*start)(void *);
	int (*start11)(void *);
	void *arg;
	uint32_t parent, child;
	uint32_t taken; /* 1: until the thread has read it */
};

/* Not allocated by malloc: the new thread would begin with a free, which would give it a part of the heap. */
static struct birth births[256];

/* NULL: as many threads are beginning. */
static struct birth *take_birth(void)
{
	for (unsigned i = 0; i < sizeof(births) / sizeof(*births); i++)
		if (!births[i].taken && !__atomic_exchange_n(&births[i].taken, 1, __ATOMIC_ACQUIRE))
			return &births[i];
	return NULL;
}

static void give_back(struct birth *b)
{
	__atomic_store_n(&b->taken, 0, __ATOMIC_RELEASE);
}

static pthread_key_t at_end;
static pthread_t *handle; /* by thread of the plan; 0: not created yet */
static unsigned live = 1;

unsigned threads_live(void)
{
	return __atomic_load_n(&live, __ATOMIC_ACQUIRE);
}

/* ---- beginning and end ---- */

/* Runs with the destructors of the thread's keys, in the last round, since destructors of the program may still have events. */
static void ends(void *arg)
{
	uintptr_t round = (uintptr_t)arg;
	struct use use = {.kind = OBJ_THREAD, .thread = self.thread};

	if (round < PTHREAD_DESTRUCTOR_ITERATIONS && !REAL(pthread_setspecific)(at_end, (void *)(round + 1)))
		return;
	if (gate_begin(EV_THREAD_EXIT, &use, 1))
		gate_end();
	self.ended = true;
	memory_thread_ends(self.thread);
	__atomic_sub_fetch(&live, 1, __ATOMIC_ACQ_REL);
	if (self.thread != PLAN_NONE)
		__atomic_store_n(&gate_progress[self.thread].ended, 1, __ATOMIC_RELEASE);
}

static struct birth begin(void *arg)
{
	struct birth b = *(struct birth *)arg;

	give_back(arg);
	gate_thread(b.parent, b.child);
	inline_calls_thread();
	memory_thread_begins(self.thread);
	heap_thread(self.thread);
	REAL(pthread_setspecific)(at_end, (void *)1);
	return b;
}

/* Calls a routine of the program at the place on the stack where the certificate expects it. */
static void *on_stack(const void *routine, uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t *hi = memory_stack(self.thread), unused, low = STACK_CALL_ANY;

	if (hi)
		low = ((const struct plan_thread *)plan_at(gate_plan->threads))[self.thread].stack;
	return (void *)stack_call(routine, a, b, c, hi ? hi : &unused, low);
}

static void *run(void *arg)
{
	struct birth b = begin(arg);

	return on_stack(b.start, (uint64_t)b.arg, 0, 0);
}

/* The result of a thread of thrd_create is an int: thrd_join takes the low half of the pointer. */
static void *run11(void *arg)
{
	struct birth b = begin(arg);

	return on_stack(b.start11, (uint64_t)b.arg, 0, 0);
}

/* NULL: too many threads begin at once. */
static struct birth *prepare(struct use *use, void *arg)
{
	struct birth *b = take_birth();

	if (gate_plan && !self.known && gate_owns)
		memory_before_threads();
	gate_start();
	if (self.thread == 0 && !REAL(pthread_getspecific)(at_end))
		REAL(pthread_setspecific)(at_end, (void *)1); /* the first thread may end by pthread_exit */
	if (!b)
		return NULL;
	__atomic_add_fetch(&live, 1, __ATOMIC_ACQ_REL); /* before it runs */
	/* Each field by itself: to assign the whole would clear `taken` for a moment, and another thread could
	   take it, too. */
	b->arg = arg;
	b->start = NULL;
	b->start11 = NULL;
	b->parent = self.thread;
	b->child = self.children + 1;
	*use = (struct use){.kind = OBJ_THREAD, .thread = gate_child(self.thread, b->child)};
	return b;
}

/* libc reuses the handles of threads that have ended. A thread that had this handle before loses it. */
static void set_handle(uint32_t thread, pthread_t t)
{
	for (uint32_t i = 0; i < gate_plan->n_threads; i++)
		if (i != thread && __atomic_load_n(&handle[i], __ATOMIC_ACQUIRE) == t)
			__atomic_store_n(&handle[i], 0, __ATOMIC_RELEASE);
	if (thread != PLAN_NONE)
		__atomic_store_n(&handle[thread], t, __ATOMIC_RELEASE);
}

/* Records the handle before the event is performed, because other threads join the thread only after that. */
static void created(bool mine, int result, const struct use *use, pthread_t t)
{
	self.children += !result;
	if (result)
		__atomic_sub_fetch(&live, 1, __ATOMIC_ACQ_REL);
	if (!result)
		set_handle(use->thread, t);
	if (mine)
		gate_end();
}

/* Makes the thread that `b` describes, at the certified place if the program leaves the place open. */
static int create(pthread_t *t, const pthread_attr_t *attr, struct birth *b, void *(*start)(void *), const struct use *use)
{
	pthread_attr_t placed;
	bool mine = gate_begin(EV_THREAD_CREATE, use, 1);
	int result;

	heap_thread(PLAN_NONE); /* libc's allocations for the new thread are not the program's */
	if (stack_place(&placed, attr, use->thread)) {
		result = REAL(pthread_create)(t, &placed, start, b);
		stack_place_done(&placed, attr);
	} else {
		result = REAL(pthread_create)(t, attr, start, b);
	}
	heap_thread(self.thread);
	created(mine, result, use, result ? 0 : *t);
	if (result)
		give_back(b);
	return result;
}

EXPORT int pthread_create(pthread_t *t, const pthread_attr_t *attr, void *(*start)(void *), void *arg)
{
	struct use use;
	struct birth *b;

	if (!gate_plan || !gate_plan->certified)
		return REAL(pthread_create)(t, attr, start, arg);
	if (!(b = prepare(&use, arg)))
		return EAGAIN;
	b->start = start;
	return create(t, attr, b, run, &use);
}

EXPORT int thrd_create(thrd_t *t, thrd_start_t start, void *arg)
{
	struct use use;
	struct birth *b;

	if (!gate_plan || !gate_plan->certified)
		return REAL(thrd_create)(t, start, arg);
	if (!(b = prepare(&use, arg)))
		return thrd_nomem;
	b->start11 = start;
	switch (create(t, NULL, b, run11, &use)) {
	case 0: return thrd_success;
	case ENOMEM: return thrd_nomem;
	default: return thrd_error;
	}
}

static struct use use_of(pthread_t t)
{
	struct use use = {.kind = OBJ_THREAD, .thread = PLAN_NONE};

	for (uint32_t i = 0; gate_plan && handle && i < gate_plan->n_threads; i++)
		if (__atomic_load_n(&handle[i], __ATOMIC_ACQUIRE) == t && t)
			use.thread = i;
	return use;
}

uint32_t thread_number(pthread_t t)
{
	return use_of(t).thread;
}

/* The thread was joined, so its handle has no meaning any more. */
static void joined(const struct use *use)
{
	if (use->thread != PLAN_NONE)
		__atomic_store_n(&handle[use->thread], 0, __ATOMIC_RELEASE);
}

#define JOIN(kind, t, call, busy) \
	({ \
		struct use use_ = use_of(t); \
		bool mine_ = gate_begin(kind, &use_, 1); \
		int result_ = mine_ && gate_event()->failed ? (busy) : call; \
		if (!result_ && kind != EV_THREAD_DETACH) \
			joined(&use_); \
		if (mine_) { \
			gate_outcome(result_ == (busy)); \
			gate_end(); \
		} \
		result_; \
	})

EXPORT int pthread_join(pthread_t t, void **result)
{
	return JOIN(EV_THREAD_JOIN, t, REAL(pthread_join)(t, result), -1);
}

EXPORT int pthread_tryjoin_np(pthread_t t, void **result)
{
	return JOIN(EV_THREAD_TRYJOIN, t, REAL(pthread_tryjoin_np)(t, result), EBUSY);
}

EXPORT int pthread_timedjoin_np(pthread_t t, void **result, const struct timespec *until)
{
	return JOIN(EV_THREAD_TRYJOIN, t, REAL(pthread_timedjoin_np)(t, result, until), ETIMEDOUT);
}

EXPORT int pthread_clockjoin_np(pthread_t t, void **result, clockid_t clock, const struct timespec *until)
{
	return JOIN(EV_THREAD_TRYJOIN, t, REAL(pthread_clockjoin_np)(t, result, clock, until), ETIMEDOUT);
}

EXPORT int pthread_detach(pthread_t t)
{
	return JOIN(EV_THREAD_DETACH, t, REAL(pthread_detach)(t), -1);
}

EXPORT int thrd_join(thrd_t t, int *result)
{
	return JOIN(EV_THREAD_JOIN, t, REAL(thrd_join)(t, result), -1);
}

EXPORT int thrd_detach(thrd_t t)
{
	return JOIN(EV_THREAD_DETACH, t, REAL(thrd_detach)(t), -1);
}

/* ---- the process ---- */

static int (*program_main)(int, char **, char **);

static int run_main(int argc, char **argv, char **envp)
{
	uint64_t *hi = memory_stack(0);

	if (!hi)
		return program_main(argc, argv, envp);
	return (int)stack_call(program_main, (uint64_t)argc, (uint64_t)argv, (uint64_t)envp, hi,
		((const struct plan_thread *)plan_at(gate_plan->threads))[0].stack);
}

int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void), void (*fini)(void), void (*rtld_fini)(void),
	void *stack_end);

EXPORT int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void), void (*fini)(void),
	void (*rtld_fini)(void), void *stack_end)
{
	program_main = main;
	return REAL(__libc_start_main)(gate_owns ? run_main : main, argc, argv, init, fini, rtld_fini, stack_end);
}

/* The process ends: the last event of this thread. After the prefix, it waits for the whole prefix. */
static void process_ends(void)
{
	if (gate_begin(EV_EXIT, NULL, 0))
		gate_end();
}

EXPORT void _exit(int status)
{
	process_ends();
	REAL(_exit)(status);
	__builtin_unreachable();
}

EXPORT void _Exit(int status)
{
	process_ends();
	REAL(_Exit)(status);
	__builtin_unreachable();
}

/* A forked child has one thread, and is not part of what was certified. */
static void in_child(void)
{
	__atomic_store_n(&gate_on, false, __ATOMIC_SEQ_CST);
	gate_plan = NULL;
	self = (struct self){.thread = PLAN_NONE, .known = true}; /* the progress in the plan is its parent's */
}

void threads_init(void)
{
	handle = gate_room(gate_plan->n_threads * sizeof(*handle));
	if (REAL(pthread_key_create)(&at_end, ends) || atexit(process_ends) ||
		at_quick_exit(process_ends) || pthread_atfork(NULL, NULL, in_child))
		gate_refuse("no memory to enforce the certificate with");
	handle[0] = pthread_self();
}
