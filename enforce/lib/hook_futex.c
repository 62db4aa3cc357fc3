/*
 * The futex system call, by which programs wait without libc: Rust's locks, std::atomic::wait, std::latch, hand-made locks. A wait is several
 * events, and the certificate decides which waiter a wake-up reaches. So, when the prefix has such calls, the queues of waiters are this
 * library's own, from the start to the end of the process. Otherwise the kernel's are used.
 */
#include <errno.h>
#include <linux/futex.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/units.h"
#include "enforce/lib/hook_futex.h"
#include "enforce/lib/memory.h"
#include "enforce/lib/operation.h"
#include "enforce/lib/real.h"
#include "enforce/lib/short_lock.h"
#include "enforce/lib/wake_queue.h"
#include "preload/base/safe_read.h"

#define BUCKETS 256u
#define ROOM_BYTES 4096u
#define SECOND ((long)NS_PER_S)

/* A word that threads wait for. */
struct futex {
	struct futex *next;
	uint64_t addr;
	uint32_t users; /* calls that use it now; none: it is free */
	struct wake_queue queue;
};

static struct bucket {
	_Alignas(64) uint32_t lock;
	struct futex *used, *unused;
} buckets[BUCKETS];

static bool owns; /* the prefix has futex calls */

void futex_init(void)
{
	const struct plan_event *e = plan_at(gate_plan->events);

	for (uint32_t i = 0; i < gate_plan->n_events; i++)
		owns |= event_kind_object(e[i].kind) == OBJ_FUTEX;
}

/* ---- the words that threads wait for ---- */

static struct bucket *bucket_of(uint64_t addr)
{
	return &buckets[addr / sizeof(uint32_t) % BUCKETS];
}

static void add_room(struct bucket *b)
{
	struct futex *f = gate_room(ROOM_BYTES);

	for (size_t i = 0; i < ROOM_BYTES / sizeof(*f); i++) {
		f[i].next = b->unused;
		b->unused = &f[i];
	}
}

/* Returns the queue of the word. If no thread uses the word, makes a queue, or returns NULL if `make` is false. `uses`: for how many
   threads; end_uses undoes it. */
static struct futex *use_futex(uint64_t addr, bool make, uint32_t uses)
{
	struct bucket *b = bucket_of(addr);
	struct futex *f;

	short_lock(&b->lock);
	for (f = b->used; f && f->addr != addr; f = f->next)
		;
	if (!f && make) {
		if (!b->unused)
			add_room(b);
		f = b->unused;
		b->unused = f->next;
		*f = (struct futex){.next = b->used, .addr = addr};
		b->used = f;
	}
	if (f)
		f->users += uses;
	short_unlock(&b->lock);
	return f;
}

/* Ends uses of the queue. Frees it if no thread uses it: then it has no waiters, and so no tokens. */
static void end_uses(struct futex *f, uint32_t uses)
{
	struct bucket *b = bucket_of(f->addr);
	struct futex **link = &b->used;

	short_lock(&b->lock);
	f->users -= uses;
	if (!f->users) {
		while (*link != f)
			link = &(*link)->next;
		*link = f->next;
		f->next = b->unused;
		b->unused = f;
	}
	short_unlock(&b->lock);
}

/* Returns the futex for which the thread waits. */
static struct futex *futex_of(const struct waiter *w)
{
	return (struct futex *)((char *)wake_queue_of(w) - offsetof(struct futex, queue));
}

/* ---- the calls ---- */

struct futex_call {
	uint32_t *word;
	int command; /* without flags */
	clockid_t clock;
	uint32_t val, bits;
	const struct timespec *timeout;
	const long *raw; /* the six arguments */
};

/* The result of a system call as libc gives it. */
static long as_result(long raw)
{
	if (raw >= 0)
		return raw;
	errno = (int)-raw;
	return -1;
}

/* Returns the error with which the kernel rejects the word's address: -EINVAL or -EFAULT; 0 if it accepts it. */
static long word_error(const uint32_t *word)
{
	uint32_t value;

	if ((uint64_t)word % sizeof(value))
		return -EINVAL;
	return safe_read((uint64_t)word, &value, sizeof(value)) == sizeof(value) ? 0 : -EFAULT;
}

/* Computes the time at which a wait ends, in the time of its clock. (The timeout of FUTEX_WAIT is a duration.) Returns false if the
   timeout is not a valid time. */
static bool find_end(const struct futex_call *f, struct timespec *end)
{
	if (!f->timeout)
		return true;
	if (f->timeout->tv_sec < 0 || f->timeout->tv_nsec < 0 || f->timeout->tv_nsec >= SECOND)
		return false;
	*end = *f->timeout;
	if (f->command == FUTEX_WAIT) {
		struct timespec now;

		clock_gettime(f->clock, &now);
		end->tv_nsec += now.tv_nsec;
		if (__builtin_add_overflow(end->tv_sec, now.tv_sec + (end->tv_nsec >= SECOND), &end->tv_sec))
			end->tv_sec = INT64_MAX;
		end->tv_nsec %= SECOND;
	}
	return true;
}

/* Announces the end of a wait. In the prefix, the thread may have been moved to another futex before its turn comes. Behind the prefix, all
   events of the prefix on its futex have been performed when it goes on: if one of them has moved it, it waits for those on the other one,
   too. */
static bool begin_end(const struct waiter *me, enum event_kind kind)
{
	const struct futex *f;
	bool mine;

	gate_wait_turn();
	do {
		struct use use = {.kind = OBJ_FUTEX};

		f = futex_of(me);
		use.addr = f->addr;
		mine = gate_begin(kind, &use, 1);
	} while (!mine && f != futex_of(me));
	return mine;
}

/* Ends a wait that has begun. In the prefix the certificate decides whether the wait times out. */
static long finish_wait(struct waiter *me, const struct futex_call *call, const struct timespec *end)
{
	const struct plan_event *next = gate_next_call();
	bool ends = next && next->kind == EV_FUTEX_TIMEOUT, woken = false, spurious = false;
	bool mine = begin_end(me, ends ? EV_FUTEX_TIMEOUT : EV_FUTEX_WOKEN);

	if (mine && ends) {
		spurious = gate_event()->alt == ALT_SPURIOUS;
		wake_queue_leave(me);
	} else {
		woken = wake_queue_take(me, call->clock, mine ? NULL : end, false);
	}
	if (mine)
		gate_end();
	return woken || spurious ? 0 : -ETIMEDOUT;
}

static long wait_here(const struct futex_call *call, const struct use *use, unsigned n)
{
	struct timespec end;
	struct waiter me;
	struct futex *f;
	long r = word_error(call->word);
	bool mine, joins;

	if (r || !find_end(call, &end) || !call->bits)
		return r ? r : -EINVAL;
	mine = gate_begin(EV_FUTEX_WAIT, use, n);
	f = use_futex((uint64_t)call->word, true, 1);
	joins = wake_queue_enter(&f->queue, &me, call->bits, call->word, call->val);
	if (mine) {
		gate_outcome(!joins);
		gate_end();
	}
	r = joins ? finish_wait(&me, call, call->timeout ? &end : NULL) : -EAGAIN;
	end_uses(joins ? futex_of(&me) : f, 1);
	return r;
}

/* The kernel wakes at least one thread: it treats a count of 0 as 1. */
static long wake_here(const struct futex_call *call)
{
	struct futex *f = use_futex((uint64_t)call->word, false, 1);
	uint32_t n;

	if (!f)
		return 0;
	n = wake_queue_wake(&f->queue, (int32_t)call->val > 0 ? call->val : 1, call->bits);
	end_uses(f, 1);
	return n;
}

/* Moved waiters use the second futex instead of the first. As one may go on before they are counted, all that there can be are counted
   before. */
static long requeue_here(const struct futex_call *call, uint32_t *second)
{
	const uint32_t most = 1u << 20;
	struct futex *f = use_futex((uint64_t)call->word, true, 1), *g = NULL;
	struct requeued done = {0};
	bool matches;

	if (second != call->word)
		g = use_futex((uint64_t)second, true, most);
	matches = wake_queue_requeue(&f->queue, g ? &g->queue : NULL, call->val, (uint32_t)call->raw[3],
		call->command == FUTEX_CMP_REQUEUE ? call->word : NULL, (uint32_t)call->raw[5], &done);
	if (g)
		end_uses(g, most - done.moved);
	end_uses(f, 1 + (g ? done.moved : 0));
	return matches ? (long)(done.woken + done.moved) : -EAGAIN;
}

static long by_kernel(const struct futex_call *call)
{
	const long *a = call->raw;

	return REAL(syscall)(SYS_futex, a[0], a[1], a[2], a[3], a[4], a[5]);
}

static long wait_on(const struct futex_call *call)
{
	struct use use[2] = {use_of(OBJ_FUTEX, call->word)};
	unsigned n = 1u + memory_use((uint64_t)call->word, sizeof(*call->word), &use[1]);
	int saved = errno;
	long r;

	if (!owns) {
		gate_begin(EV_FUTEX_WAIT, use, n);
		return by_kernel(call);
	}
	r = wait_here(call, use, n);
	errno = saved;
	return as_result(r);
}

static long wake(const struct futex_call *call)
{
	struct use use = use_of(OBJ_FUTEX, call->word);
	int saved = errno;
	bool mine;
	long r;

	if ((uint64_t)call->word % sizeof(*call->word) || !call->bits)
		return as_result(-EINVAL);
	mine = gate_begin(EV_FUTEX_WAKE, &use, 1);
	r = owns ? wake_here(call) : by_kernel(call);
	if (mine)
		gate_end();
	if (r >= 0)
		errno = saved;
	return r;
}

static long requeue(const struct futex_call *call)
{
	uint32_t *second = (uint32_t *)call->raw[4];
	struct use use[2] = {use_of(OBJ_FUTEX, call->word), use_of(OBJ_FUTEX, second)};
	long r = word_error(call->word);
	int saved = errno;
	bool mine;

	r = r ? r : word_error(second);
	if (!r && ((int32_t)call->val < 0 || (int32_t)call->raw[3] < 0))
		r = -EINVAL;
	if (r)
		return as_result(r);
	mine = gate_begin(call->command == FUTEX_REQUEUE ? EV_FUTEX_REQUEUE : EV_FUTEX_CMP_REQUEUE, use,
		second == call->word ? 1 : 2);
	if (!owns)
		return by_kernel(call);
	r = requeue_here(call, second);
	if (mine) {
		gate_outcome(r == -EAGAIN);
		gate_end();
	}
	errno = saved;
	return as_result(r);
}

long futex_of_program(const long a[6])
{
	int command = (int)a[1] & FUTEX_CMD_MASK;
	struct futex_call call = {
		.word = (uint32_t *)a[0],
		.command = command,
		.clock = a[1] & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC,
		.val = (uint32_t)a[2],
		.bits = command == FUTEX_WAIT || command == FUTEX_WAKE ? FUTEX_BITSET_MATCH_ANY : (uint32_t)a[5],
		.timeout = (const struct timespec *)a[3],
		.raw = a,
	};

	switch (command) {
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET:
		return wait_on(&call);
	case FUTEX_WAKE:
	case FUTEX_WAKE_BITSET:
		return wake(&call);
	case FUTEX_REQUEUE:
	case FUTEX_CMP_REQUEUE:
		return requeue(&call);
	default:
		if (owns) /* the kernel does not have these waiters */
			gate_diverge("the program diverges from its certificate: it makes futex call %d, which no certified execution makes", command);
		return by_kernel(&call);
	}
}
