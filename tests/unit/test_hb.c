/*
 * Happens-before: the rules one by one, and random walks of the world with memory accesses in between against the closure of
 * edges that are decided pair by pair. Also: nothing is ordered that dependence does not order.
 *
 * Failures print the seed. SEED=n starts there, HB_WALKS=n asks for that many walks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sched/hb.h"
#include "tests/unit/lib_seed.h"
#include "tests/unit/lib_walk.h"

#define ARENA (64u << 20)
#define EVENTS 400u
#define CELL (OBJECT_MEMORY | 0x100)

static _Alignas(16) char memory[ARENA];
static struct hb *h;

static int fresh(void **state)
{
	h = hb_init(arena_init(memory, sizeof memory), MODEL_PSO);
	assert_non_null(h);
	return 0;
}

/* ---- by hand ---- */

static void does(unsigned t, unsigned kind, unsigned mode, object_id o, uint32_t seq)
{
	struct event e = { .thread = (thread_id)t, .kind = (uint8_t)kind, .mode = { (uint8_t)mode }, .obj = { o },
		.seq = seq };
	hb_event(h, &e);
}

static struct event access_event(unsigned t, unsigned kind, unsigned first, unsigned last, unsigned flags)
{
	struct event e = { .thread = (thread_id)t, .kind = (uint8_t)kind, .flags = (uint8_t)flags };
	e.obj[0] = CELL + first / 16;
	e.obj[1] = last / 16 == first / 16 ? 0 : CELL + last / 16;
	e.span = (uint8_t)(first % 16 | last % 16 << 4);
	e.mode[0] = kind == EV_LOAD || (flags & EVF_FAILED) ? M_READ : M_WRITE;
	e.mode[1] = e.obj[1] ? e.mode[0] : M_NONE;
	return e;
}

static void touches(unsigned t, unsigned kind, unsigned first, unsigned last, unsigned flags)
{
	struct event e = access_event(t, kind, first, last, flags);
	hb_event(h, &e);
}

static uint32_t epoch(unsigned t)
{
	return hb_epoch(h, (thread_id)t);
}

static bool seen(unsigned t, unsigned of, uint32_t e)
{
	return hb_seen(h, (thread_id)t, (thread_id)of) >= e;
}

static void locks(void **state)
{
	uint32_t e = epoch(1);
	does(1, EV_MUTEX_UNLOCK, M_REL, 5, 0);
	assert_true(epoch(1) > e);
	assert_false(seen(2, 1, e));
	does(2, EV_MUTEX_TRYLOCK, M_READ, 5, 0); /* failed */
	assert_false(seen(2, 1, e));
	does(2, EV_MUTEX_LOCK, M_ACQ, 5, 0);
	assert_true(seen(2, 1, e));
	assert_false(seen(2, 1, epoch(1)));
	uint32_t e2 = epoch(2);
	does(2, EV_MUTEX_UNLOCK, M_REL, 5, 0);
	does(3, EV_MUTEX_LOCK, M_ACQ, 5, 0);
	assert_true(seen(3, 1, e) && seen(3, 2, e2)); /* transitive */
	assert_false(seen(1, 2, e2));
}

static void events_that_tell_nobody_cost_no_epoch(void **state)
{
	uint32_t e = epoch(1);
	does(1, EV_YIELD, M_NONE, 0, 0);
	does(1, EV_MUTEX_LOCK, M_ACQ, 5, 0);
	does(1, EV_MUTEX_INIT, M_WRITE, 6, 0);
	touches(1, EV_STORE, 0, 7, EVF_ATOMIC);
	touches(1, EV_LOAD, 0, 7, EVF_ATOMIC | EVF_ACQUIRE);
	assert_int_equal(epoch(1), e);
}

static void initialising_orders_nothing(void **state)
{
	uint32_t e = epoch(1);
	does(1, EV_MUTEX_INIT, M_WRITE, 5, 0);
	does(2, EV_MUTEX_LOCK, M_ACQ, 5, 0);
	assert_false(seen(2, 1, e));
}

static void readers_and_writers(void **state)
{
	uint32_t e1 = epoch(1), e2 = epoch(2), e3 = epoch(3);
	does(3, EV_RW_WRUNLOCK, M_REL, 5, 0);
	does(1, EV_RW_RDLOCK, M_RDACQ, 5, 0);
	does(2, EV_RW_RDLOCK, M_RDACQ, 5, 0);
	assert_true(seen(1, 3, e3) && seen(2, 3, e3));
	does(1, EV_RW_RDUNLOCK, M_RDREL, 5, 0);
	does(4, EV_RW_RDLOCK, M_RDACQ, 5, 0);
	assert_true(seen(4, 3, e3));
	assert_false(seen(4, 1, e1)); /* readers tell each other nothing */
	does(2, EV_RW_RDUNLOCK, M_RDREL, 5, 0);
	does(4, EV_RW_RDUNLOCK, M_RDREL, 5, 0);
	does(5, EV_RW_WRLOCK, M_ACQ, 5, 0);
	assert_true(seen(5, 1, e1) && seen(5, 2, e2) && seen(5, 3, e3)); /* the writer learns from all */
}

static void tokens(void **state)
{
	uint32_t e1 = epoch(1), e2 = epoch(2);
	does(1, EV_SEM_POST, M_SEND, 5, 3);
	does(2, EV_SEM_POST, M_SEND, 5, 4);
	does(3, EV_SEM_WAIT, M_RECV, 5, 1); /* tokens that were there from the start */
	does(3, EV_SEM_WAIT, M_RECV, 5, 2);
	assert_false(seen(3, 1, e1));
	does(3, EV_SEM_WAIT, M_RECV, 5, 3);
	assert_true(seen(3, 1, e1));
	assert_false(seen(3, 2, e2));
	does(4, EV_SEM_WAIT, M_RECV, 5, 4); /* its own post and those before */
	assert_true(seen(4, 1, e1) && seen(4, 2, e2));
}

static void conditions(void **state)
{
	uint32_t e1 = epoch(1), e2 = epoch(2);
	does(2, EV_COND_WAIT, M_ENQ, 5, 0);
	does(1, EV_COND_SIGNAL, M_SIG, 5, 0);
	assert_false(seen(1, 2, e2));
	does(2, EV_COND_TIMEOUT, M_DEQ, 5, 0);
	assert_false(seen(2, 1, e1));
	does(2, EV_COND_WOKEN, M_TAKE, 5, 0);
	assert_true(seen(2, 1, e1));
}

static void barriers(void **state)
{
	uint32_t e1 = epoch(1), e2 = epoch(2), e3 = epoch(3);
	does(1, EV_BARRIER_ARRIVE, M_ARRIVE, 5, 1);
	does(2, EV_BARRIER_ARRIVE, M_LAST, 5, 1);
	assert_true(seen(2, 1, e1));
	uint32_t e2b = epoch(2);
	does(2, EV_BARRIER_ARRIVE, M_ARRIVE, 5, 2);
	does(3, EV_BARRIER_ARRIVE, M_LAST, 5, 2); /* the next round is over before T1 has left this one */
	does(1, EV_BARRIER_PASS, M_PASS, 5, 1);
	assert_true(seen(1, 2, e2));
	assert_false(seen(1, 2, e2b));
	assert_false(seen(1, 3, e3));
	does(2, EV_BARRIER_PASS, M_PASS, 5, 2);
	assert_true(seen(2, 3, e3));
	assert_true(seen(3, 2, e2b) && seen(3, 1, e1));
}

static void meets(thread_id t, uint32_t round)
{
	struct event e = {.thread = t, .kind = EV_BARRIER_ARRIVE, .mode = {M_MEET}, .obj = {5}, .seq = round, .result = 2};
	hb_event(h, &e);
}

/* Barriers without a last arrival: each thread learns of the others when it passes. */
static void meetings(void **state)
{
	uint32_t e1 = epoch(1), e2 = epoch(2), e3 = epoch(3);
	meets(1, 1);
	meets(2, 1);
	assert_false(seen(2, 1, e1));
	does(2, EV_BARRIER_PASS, M_PASS, 5, 1);
	assert_true(seen(2, 1, e1));
	uint32_t e2b = epoch(2);
	meets(3, 2);
	meets(2, 2); /* the next round is over before T1 has left this one */
	does(1, EV_BARRIER_PASS, M_PASS, 5, 1);
	assert_true(seen(1, 2, e2));
	assert_false(seen(1, 2, e2b));
	assert_false(seen(1, 3, e3));
	does(3, EV_BARRIER_PASS, M_PASS, 5, 2);
	assert_true(seen(3, 2, e2b) && seen(3, 1, e1));
}

static void once(void **state)
{
	uint32_t e1 = epoch(1);
	does(1, EV_ONCE_ENTER, M_ACQ, 5, 0);
	does(1, EV_ONCE_DONE, M_REL, 5, 0);
	does(2, EV_ONCE_ENTER, M_READ, 5, 0);
	assert_true(seen(2, 1, e1));
}

static void threads(void **state)
{
	uint32_t e0 = epoch(0);
	does(0, EV_THREAD_CREATE, M_WRITE, 5, 1);
	assert_true(seen(1, 0, e0));
	assert_false(seen(1, 0, epoch(0)));
	uint32_t e1 = epoch(1);
	does(1, EV_THREAD_EXIT, M_REL, 5, 0);
	assert_false(seen(0, 1, e1));
	does(0, EV_THREAD_JOIN, M_ACQ, 5, 0);
	assert_true(seen(0, 1, e1));
}

static void signals(void **state)
{
	uint32_t e1 = epoch(1);
	does(1, EV_SIGNAL_SEND, M_POKE, 5, 2);
	does(2, EV_MUTEX_LOCK, M_ACQ, 6, 0);
	assert_false(seen(2, 1, e1));
	does(2, EV_SIGNAL_HANDLER, M_READ, 5, 0);
	assert_true(seen(2, 1, e1));
	does(3, EV_SIGNAL_SEND, M_NONE, 0, 0); /* to the process: only obj[1] */
	assert_false(seen(2, 3, 1));
}

static void descriptors(void **state)
{
	uint32_t e1 = epoch(1), e2 = epoch(2);
	does(1, EV_FD_WRITE, M_REL, 5, 0);
	does(2, EV_FD_WRITE, M_REL, 5, 0);
	assert_false(seen(2, 1, e1)); /* two that print are not ordered by that */
	does(3, EV_FD_READ, M_ACQ, 5, 0);
	assert_true(seen(3, 1, e1) && seen(3, 2, e2));
}

static void release_and_acquire(void **state)
{
	uint32_t e1 = epoch(1), e2 = epoch(2);
	touches(1, EV_STORE, 4, 7, EVF_RELEASE);
	touches(2, EV_LOAD, 0, 3, EVF_ACQUIRE); /* beside it */
	touches(2, EV_LOAD, 4, 7, 0);           /* relaxed */
	assert_false(seen(2, 1, e1));
	touches(2, EV_LOAD, 7, 20, EVF_ACQUIRE); /* one byte of it is enough, across cells */
	assert_true(seen(2, 1, e1));
	touches(2, EV_RMW, 4, 7, 0); /* goes on with the release sequence */
	touches(3, EV_LOAD, 4, 7, EVF_ACQUIRE);
	assert_true(seen(3, 1, e1));
	assert_false(seen(3, 2, e2));
	touches(2, EV_RMW, 4, 7, EVF_RELEASE); /* and adds to it */
	touches(1, EV_STORE, 4, 5, EVF_ATOMIC); /* ends it for two bytes */
	touches(4, EV_LOAD, 4, 5, EVF_ACQUIRE);
	assert_false(seen(4, 1, e1));
	touches(4, EV_RMW, 6, 7, EVF_ACQUIRE | EVF_FAILED); /* a compare-and-swap that fails reads */
	assert_true(seen(4, 1, e1) && seen(4, 2, e2));
}

static void a_guard_is_released(void **state)
{
	struct event done = { .thread = 1, .kind = EV_ONCE_DONE, .mode = { M_REL, M_WRITE }, .obj = { 5, CELL } };
	uint32_t e1 = epoch(1);
	hb_event(h, &done);
	touches(2, EV_LOAD, 0, 0, EVF_ACQUIRE);
	assert_true(seen(2, 1, e1));
}

static void many_threads(void **state)
{
	for (unsigned t = 0; t + 1 < MAX_THREADS; t++)
		does(t, EV_THREAD_CREATE, M_WRITE, 5 + t, t + 1);
	for (unsigned t = 0; t + 1 < MAX_THREADS; t++)
		assert_true(seen(MAX_THREADS - 1, t, 1) && !seen(t, t + 1, 1));
}

static void fence(unsigned t, bool acquire, bool release)
{
	hb_fence(h, (thread_id)t, acquire, release);
}

static void fences(void **state)
{
	uint32_t e1 = epoch(1);
	fence(1, false, true);
	uint32_t after = epoch(1);
	assert_true(after > e1);
	touches(1, EV_STORE, 0, 3, EVF_ATOMIC);
	assert_int_equal(epoch(1), after); /* the store publishes only what was before the fence */
	touches(2, EV_LOAD, 0, 3, EVF_ATOMIC);
	assert_false(seen(2, 1, e1));
	touches(2, EV_LOAD, 8, 11, EVF_ATOMIC);
	fence(2, false, true); /* the wrong kind */
	assert_false(seen(2, 1, e1));
	fence(2, true, false);
	assert_true(seen(2, 1, e1));
	assert_false(seen(2, 1, after));
	touches(3, EV_LOAD, 0, 3, EVF_ATOMIC | EVF_ACQUIRE); /* one fence is enough when the other side acquires */
	assert_true(seen(3, 1, e1));
	assert_false(seen(3, 1, after));
	touches(4, EV_LOAD, 0, 3, EVF_PLAIN);
	fence(4, true, true);
	assert_false(seen(4, 1, e1)); /* fences need atomics */
	touches(1, EV_STORE, 0, 3, EVF_PLAIN);
	touches(5, EV_LOAD, 0, 3, EVF_ATOMIC | EVF_ACQUIRE);
	assert_false(seen(5, 1, e1));
}

static void fences_and_read_modify_writes(void **state)
{
	uint32_t e1 = epoch(1), e2 = epoch(2);
	fence(1, false, true);
	touches(1, EV_RMW, 0, 3, EVF_ATOMIC);
	fence(2, false, true);
	touches(2, EV_RMW, 0, 3, EVF_ATOMIC);
	touches(3, EV_RMW, 0, 3, EVF_ATOMIC);
	assert_false(seen(3, 1, 1));
	fence(3, true, false);
	assert_true(seen(3, 1, e1) && seen(3, 2, e2));
	assert_false(seen(3, 1, e1 + 1) || seen(3, 2, e2 + 1));
	touches(4, EV_RMW, 0, 3, EVF_ATOMIC | EVF_FAILED); /* reads */
	fence(4, true, true);
	assert_true(seen(4, 1, e1) && seen(4, 2, e2));
}

static void a_mov_carries_what_was_drained(void **state)
{
	uint32_t e1 = epoch(1);
	does(1, EV_MUTEX_UNLOCK, M_REL, 5, 0);
	uint32_t after = epoch(1);
	touches(1, EV_STORE, 0, 3, 0);
	touches(1, EV_STORE, 4, 7, EVF_ATOMIC); /* C11 knows nothing of that */
	touches(2, EV_LOAD, 4, 7, EVF_ACQUIRE);
	assert_false(seen(2, 1, e1));
	touches(2, EV_LOAD, 0, 3, EVF_ACQUIRE);
	assert_true(seen(2, 1, e1));
	assert_false(seen(2, 1, after));
	does(1, EV_FENCE, M_NONE, 0, 0);
	touches(1, EV_STORE, 0, 3, 0);
	touches(2, EV_LOAD, 0, 3, EVF_ACQUIRE);
	assert_true(seen(2, 1, after));
	assert_false(seen(2, 1, epoch(1)));
}

#define AGENT(t, k) ((thread_id)(MAX_THREADS + 4 * (t) + (k)))

static struct event buffered(unsigned t, unsigned k, unsigned first, unsigned last, unsigned flags)
{
	struct event e = access_event(t, EV_STORE, first, last, flags);
	e.mode[0] = M_BUFFER;
	e.mode[1] = e.obj[1] ? M_BUFFER : M_NONE;
	e.result = AGENT(t, k);
	return e;
}

/* The update of a store. */
static struct event update_of(const struct event *store, uint32_t number)
{
	struct event e = *store;
	e.kind = EV_UPDATE;
	e.mode[0] = M_WRITE;
	e.mode[1] = e.obj[1] ? M_WRITE : M_NONE;
	e.thread = (thread_id)store->result;
	e.result = update_result(store->thread, number, 0);
	return e;
}

static void stores(unsigned t, unsigned k, unsigned first, unsigned last, unsigned flags)
{
	struct event e = buffered(t, k, first, last, flags);
	hb_event(h, &e);
}

static void updates(unsigned t, unsigned k, unsigned first, unsigned last)
{
	struct event e = buffered(t, k, first, last, 0);
	e = update_of(&e, 0);
	hb_event(h, &e);
}

static void buffered_stores(void **state)
{
	uint32_t e1 = epoch(1);
	stores(1, 0, 0, 3, EVF_RELEASE);
	uint32_t later = epoch(1);
	assert_true(later > e1);
	touches(2, EV_LOAD, 0, 3, EVF_ACQUIRE);
	assert_false(seen(2, 1, e1)); /* not there yet */
	does(1, EV_MUTEX_LOCK, M_ACQ, 5, 0);
	updates(1, 0, 0, 3);
	assert_int_equal(epoch(1), later);
	touches(2, EV_LOAD, 0, 3, EVF_ACQUIRE);
	assert_true(seen(2, 1, e1));
	assert_false(seen(2, 1, later)); /* what it did between the two */
	stores(2, 0, 0, 3, EVF_ATOMIC);
	touches(3, EV_LOAD, 0, 3, EVF_ACQUIRE);
	assert_true(seen(3, 1, e1));
	updates(2, 0, 0, 3); /* overwrites */
	touches(4, EV_LOAD, 0, 3, EVF_ACQUIRE);
	assert_false(seen(4, 1, e1));
}

static void buffers_are_queues(void **state)
{
	uint32_t a = epoch(1);
	stores(1, 0, 0, 3, EVF_RELEASE);
	uint32_t b = epoch(1);
	stores(1, 1, 4, 7, EVF_RELEASE);
	stores(1, 0, 0, 3, EVF_RELEASE);
	updates(1, 0, 0, 3); /* the first of its agent */
	touches(2, EV_LOAD, 0, 3, EVF_ACQUIRE);
	assert_true(seen(2, 1, a));
	assert_false(seen(2, 1, b));
	updates(1, 0, 0, 3);
	touches(3, EV_LOAD, 0, 3, EVF_ACQUIRE);
	assert_true(seen(3, 1, b + 1));
	updates(1, 1, 4, 7);
	touches(2, EV_LOAD, 4, 7, EVF_ACQUIRE);
	assert_true(seen(2, 1, b));
	assert_false(seen(2, 1, b + 1));
}

static void buffers_and_fences(void **state)
{
	uint32_t a = epoch(1);
	stores(1, 0, 0, 3, EVF_ATOMIC);
	fence(1, false, true);
	stores(1, 0, 4, 7, EVF_ATOMIC);
	updates(1, 0, 0, 3);
	touches(2, EV_LOAD, 0, 3, EVF_ACQUIRE);
	assert_false(seen(2, 1, a)); /* stored before the fence */
	updates(1, 0, 4, 7);
	touches(2, EV_LOAD, 4, 7, EVF_ACQUIRE);
	assert_true(seen(2, 1, a));
	assert_false(seen(2, 1, a + 1));
}

static void own_bytes_teach_nothing(void **state)
{
	uint32_t e2 = epoch(2);
	touches(2, EV_STORE, 0, 3, EVF_RELEASE);
	stores(1, 0, 0, 3, EVF_RELEASE);
	touches(1, EV_LOAD, 0, 3, EVF_ACQUIRE | EVF_FORWARDED);
	touches(1, EV_LOAD, 0, 3, EVF_ATOMIC | EVF_FORWARDED);
	fence(1, true, false);
	assert_false(seen(1, 2, e2));
}

/* ---- random walks ----
 *
 * A node of the trace is an event or a fence that is none, of a thread; or a write reaching memory, which belongs to no thread: an
 * UPDATE, or made up behind an unbuffered store.
 */

enum role { EVENT_OF_THREAD, BARE_FENCE, WRITES };

static struct walk k;
static struct event trace[EVENTS];
static enum role role[EVENTS];
static unsigned store_of[EVENTS], source_of[EVENTS]; /* of a write: its store; from where it carries what is known, or EVENTS */
static uint32_t epoch_after[EVENTS];
static bool publishes[EVENTS]; /* it ended its thread's epoch */
static bool hb_order[EVENTS][EVENTS], dep_order[EVENTS][EVENTS]; /* reflexive and transitive */
static unsigned n;

#define IN_BUFFER 4u
static struct {
	unsigned n, store[IN_BUFFER], stored; /* nodes */
} buffer[WALK_THREADS];

static bool failed(const struct event *e)
{
	return (e->flags & EVF_FAILED) && event_kind_object(e->kind) != OBJ_MEMORY;
}

static thread_id actor(unsigned i)
{
	return role[i] == WRITES ? NO_THREAD : trace[i].thread;
}

static bool covers(const struct event *e, uint64_t byte)
{
	uint64_t lo, hi;
	return event_bytes(e, &lo, &hi) && lo <= byte && byte <= hi;
}

static bool overlap(const struct event *a, const struct event *b)
{
	uint64_t lo, hi;
	if (!event_bytes(a, &lo, &hi))
		return false;
	for (uint64_t x = lo; x <= hi; x++)
		if (covers(b, x))
			return true;
	return false;
}

/* Does b read at this byte what write a put there, or what came of it by read-modify-writes? */
static bool carried(unsigned a, unsigned b, uint64_t byte)
{
	if (!covers(&trace[b], byte))
		return false;
	for (unsigned i = a + 1; i < b; i++)
		if (role[i] == WRITES && trace[i].kind != EV_RMW && covers(&trace[i], byte))
			return false;
	return true;
}

/* Does node b read what write a carries? */
static bool reads(unsigned a, unsigned b)
{
	const struct event *e = &trace[b];
	uint64_t lo, hi;
	if (role[b] != EVENT_OF_THREAD || (e->kind != EV_LOAD && e->kind != EV_RMW) || (e->flags & EVF_PLAIN))
		return false;
	if ((e->kind == EV_LOAD && (e->flags & EVF_FORWARDED)) || !event_bytes(&trace[a], &lo, &hi))
		return false;
	for (uint64_t x = lo; x <= hi; x++)
		if (carried(a, b, x))
			return true;
	return false;
}

static bool is_fence(unsigned i, unsigned flag)
{
	return role[i] == BARE_FENCE && (trace[i].flags & flag);
}

/* Does the thread of node b learn there what write a carries? */
static bool learns(unsigned a, unsigned b)
{
	thread_id t = trace[b].thread;
	if (t == trace[store_of[a]].thread)
		return false; /* it knows */
	if (trace[b].flags & EVF_ACQUIRE && reads(a, b))
		return true;
	for (unsigned i = a + 1; i < b && is_fence(b, EVF_ACQUIRE); i++)
		if (actor(i) == t && reads(a, i))
			return true;
	return false;
}

/* Of which node's knowledge does a write tell that node s made? */
static unsigned source(unsigned s)
{
	const struct event *e = &trace[s];
	if (event_kind_object(e->kind) != OBJ_MEMORY || (e->flags & EVF_RELEASE))
		return s;
	for (unsigned i = s; i-- > 0 && !(e->flags & EVF_PLAIN);)
		if (actor(i) == e->thread && (is_fence(i, EVF_RELEASE) ||
			(!(e->flags & EVF_ATOMIC) && publishes[i] && event_drains(&trace[i]))))
			return i;
	return EVENTS;
}

static bool object_edge(const struct event *a, unsigned ma, const struct event *b, unsigned mb)
{
	bool b_learns = mb == M_ACQ || mb == M_RDACQ || mb == M_TAKE || b->kind == EV_FD_OTHER ||
			b->kind == EV_FUTEX_REQUEUE || b->kind == EV_THREAD_DETACH || b->kind == EV_FD_POLL ||
			(b->kind == EV_ONCE_ENTER);
	bool a_tells = ma == M_REL || ma == M_SIG || a->kind == EV_FD_OTHER || a->kind == EV_FUTEX_REQUEUE ||
		       a->kind == EV_THREAD_DETACH;
	if (a_tells && b_learns)
		return true;
	if (ma == M_RDREL)
		return mb == M_ACQ;
	if (ma == M_SEND)
		return mb == M_RECV && a->seq <= b->seq;
	if (ma == M_ARRIVE || ma == M_LAST)
		return a->seq == b->seq && (mb == M_PASS || (mb == M_LAST && ma == M_ARRIVE));
	return false;
}

/* A token is gone when its semaphore is initialised again. */
static bool lost(unsigned i, unsigned j)
{
	for (unsigned x = i + 1; x < j; x++)
		if (trace[i].mode[0] == M_SEND && trace[x].kind == EV_SEM_INIT && trace[x].obj[0] == trace[i].obj[0])
			return true;
	return false;
}

static bool edge(unsigned i, unsigned j)
{
	const struct event *a = &trace[i], *b = &trace[j];
	if (role[j] == WRITES)
		return source_of[j] == i;
	if (role[i] == WRITES)
		return learns(i, j);
	if (a->thread == b->thread || (a->kind == EV_THREAD_CREATE && a->seq == b->thread))
		return true;
	if (failed(a))
		return false;
	if ((a->kind == EV_SIGNAL_SEND || a->kind == EV_THREAD_CANCEL) && a->mode[0] == M_POKE && a->seq == b->thread &&
		(b->kind == EV_SIGNAL_HANDLER || b->kind == EV_THREAD_CANCELLED || b->kind == EV_SIGNAL_WAIT))
		return true;
	for (int x = 0; x < 2; x++)
		for (int y = 0; y < 2; y++)
			if (a->obj[x] && !object_is_memory(a->obj[x]) && a->obj[x] == b->obj[y] && !failed(b) &&
				object_edge(a, a->mode[x], b, b->mode[y]) && !lost(i, j))
				return true;
	return false;
}

static bool dependence_edge(unsigned i, unsigned j)
{
	if ((trace[i].kind == EV_THREAD_CREATE && trace[i].seq == actor(j)) || (role[j] == WRITES && store_of[j] == i))
		return true;
	if (role[i] == BARE_FENCE || role[j] == BARE_FENCE)
		return actor(i) == actor(j);
	return events_dependent(&trace[i], &trace[j]);
}

static void close_order(bool order[EVENTS][EVENTS], bool (*is_edge)(unsigned, unsigned))
{
	unsigned j = n - 1;
	for (unsigned i = 0; i < n; i++)
		order[i][j] = i == j;
	for (unsigned i = j; i-- > 0;)
		if (!order[i][j] && is_edge(i, j))
			for (unsigned x = 0; x <= i; x++)
				order[x][j] |= order[x][i];
}

/* Where u stands: its last node, or the one that created it; n: nowhere yet. */
static unsigned last_point(thread_id u)
{
	for (unsigned i = n; i-- > 0;)
		if (actor(i) == u || (trace[i].kind == EV_THREAD_CREATE && trace[i].seq == u))
			return i;
	return n;
}

static unsigned next_of(thread_id t, unsigned after)
{
	for (unsigned i = after; i < n; i++)
		if (actor(i) == t)
			return i;
	return n;
}

/* What t did after its node i (i = -1: before its first) against what u does now. */
static void compare(thread_id t, int i, thread_id u, unsigned long long seed)
{
	uint32_t e = i < 0 ? 1 : epoch_after[i];
	unsigned next = next_of(t, (unsigned)(i + 1)), point = last_point(u);
	bool expected = next < n && point < n && hb_order[next][point];
	if (expected != (hb_seen(h, u, t) >= e))
		fail_msg("seed %llu, after event %u: epoch %u of T%u is%s seen by T%u", seed, n - 1, e, t,
			expected ? " not" : "", u);
}

static void check_all(thread_id u, unsigned long long seed)
{
	for (thread_id t = 0; t < WALK_THREADS; t++) {
		if (t == u)
			continue;
		compare(t, -1, u, seed);
		for (unsigned i = 0; i < n; i++)
			if (actor(i) == t)
				compare(t, (int)i, u, seed);
	}
}

/* A new node, which hb knows of. `store`: of a write. */
static void add_node(const struct event *e, enum role r, unsigned store, unsigned long long seed)
{
	thread_id owner = r == WRITES ? trace[store].thread : e->thread;
	trace[n] = *e;
	role[n] = r;
	store_of[n] = store;
	source_of[n] = r == WRITES ? source(store) : EVENTS;
	uint32_t was = 1;
	for (unsigned before = n; before-- > 0;)
		if (actor(before) == owner) {
			was = epoch_after[before];
			break;
		}
	epoch_after[n] = hb_epoch(h, owner);
	publishes[n] = r != WRITES && epoch_after[n] != was;
	n++;
	close_order(hb_order, edge);
	close_order(dep_order, dependence_edge);
	for (unsigned i = 0; i < n; i++)
		if (hb_order[i][n - 1] && !dep_order[i][n - 1])
			fail_msg("seed %llu: events %u and %u are ordered, but not by dependence", seed, i, n - 1);
}

static void append(const struct event *e, unsigned long long seed)
{
	unsigned at = n;
	bool touches_memory = object_is_memory(e->obj[0]) || object_is_memory(e->obj[1]);
	hb_event(h, e);
	add_node(e, EVENT_OF_THREAD, 0, seed);
	if (touches_memory && e->mode[object_is_memory(e->obj[0]) ? 0 : 1] == M_WRITE)
		add_node(e, WRITES, at, seed);
	check_all(e->thread, seed);
	if (e->kind == EV_THREAD_CREATE)
		check_all((thread_id)e->seq, seed);
}

static void append_fence(thread_id t, unsigned flags, unsigned long long seed)
{
	struct event e = { .thread = t, .kind = EV_FENCE, .flags = (uint8_t)flags };
	hb_fence(h, t, flags & EVF_ACQUIRE, flags & EVF_RELEASE);
	add_node(&e, BARE_FENCE, 0, seed);
	check_all(t, seed);
}

/* The i-th store in t's buffer reaches memory, or an older one of the same agent. */
static void drain(thread_id t, unsigned i, unsigned long long seed)
{
	unsigned *store = buffer[t].store;
	for (unsigned x = i; x-- > 0;)
		if (trace[store[x]].result == trace[store[i]].result)
			i = x;
	struct event e = update_of(&trace[store[i]], buffer[t].stored);
	hb_event(h, &e);
	add_node(&e, WRITES, store[i], seed);
	buffer[t].n--;
	memmove(store + i, store + i + 1, (buffer[t].n - i) * sizeof *store);
	for (thread_id u = 0; u < 4; u++)
		check_all(u, seed);
}

static void drain_all(thread_id t, unsigned long long seed)
{
	while (buffer[t].n)
		drain(t, buffer[t].n - 1, seed);
}

static unsigned random_order(unsigned kind, uint64_t *r)
{
	switch (walk_random(r) % 4) {
	case 0:
		return EVF_PLAIN;
	case 1:
		return EVF_ATOMIC;
	default:
		return (walk_random(r) & EVF_ATOMIC) | (kind == EV_STORE ? 0 : walk_random(r) & EVF_ACQUIRE) |
		       (kind == EV_LOAD ? 0 : walk_random(r) & EVF_RELEASE);
	}
}

static void random_access(thread_id t, uint64_t *r, unsigned long long seed)
{
	static const uint8_t kinds[4] = { EV_LOAD, EV_STORE, EV_STORE, EV_RMW };
	unsigned first = (unsigned)(walk_random(r) % 24), size = (unsigned)(walk_random(r) % 8);
	unsigned kind = kinds[walk_random(r) % 4], flags = random_order(kind, r);
	if (kind == EV_RMW && walk_random(r) % 4 == 0)
		flags |= EVF_FAILED;
	struct event e = access_event(t, kind, first, first + size, flags);
	if (kind == EV_STORE && walk_random(r) % 3) {
		e = buffered(t, (unsigned)(walk_random(r) % 3), first, first + size, flags);
		if (buffer[t].n == IN_BUFFER)
			drain(t, 0, seed);
		buffer[t].store[buffer[t].n++] = n;
		buffer[t].stored++;
	} else if (kind != EV_LOAD) {
		drain_all(t, seed);
	}
	for (unsigned i = 0; i < buffer[t].n && kind == EV_LOAD; i++)
		if (overlap(&trace[buffer[t].store[i]], &e))
			e.flags |= EVF_FORWARDED;
	append(&e, seed);
}

static void random_fence(thread_id t, uint64_t *r, unsigned long long seed)
{
	static const uint8_t flags[4] = { EVF_ACQUIRE, EVF_RELEASE, EVF_ACQUIRE | EVF_RELEASE, 0 };
	unsigned i = (unsigned)(walk_random(r) % 4);
	if (flags[i]) {
		append_fence(t, flags[i], seed);
		return;
	}
	struct event e = { .thread = t, .kind = EV_FENCE };
	drain_all(t, seed);
	append(&e, seed);
}

static unsigned walk(unsigned long long seed)
{
	uint64_t r = seed * 77;
	struct choice c[WALK_CHOICES];
	unsigned choices;
	fresh(NULL);
	n = 0;
	memset(buffer, 0, sizeof buffer);
	walk_start(&k, seed);
	for (thread_id t = 1; t <= 3; t++) {
		struct event e = { .kind = EV_THREAD_CREATE, .mode = { M_WRITE }, .seq = t,
			.obj = { world_thread_object(k.w, t) } };
		append(&e, seed);
	}
	while (n < EVENTS - 2 * IN_BUFFER && (choices = walk_choices(&k, c))) {
		unsigned i = (unsigned)(walk_random(&r) % choices), what = (unsigned)(walk_random(&r) % 12);
		thread_id t = c[i].thread;
		if (what < 2 && buffer[t].n) {
			drain(t, (unsigned)(walk_random(&r) % buffer[t].n), seed);
			continue;
		}
		if (what < 6) {
			random_access(t, &r, seed);
			continue;
		}
		if (what == 6) {
			random_fence(t, &r, seed);
			continue;
		}
		drain_all(t, seed);
		walk_step(&k, c[i]);
		if (k.last_misuse)
			break;
		append(&k.last_event, seed);
	}
	return n;
}

static uint64_t number_from(const char *name, uint64_t usual)
{
	const char *s = getenv(name);
	return s ? strtoull(s, NULL, 0) : usual;
}

static void random_walks(void **state)
{
	uint64_t seed = test_seed(1), walks = number_from("HB_WALKS", 3000), events = 0, kinds[EV_COUNT] = { 0 };
	for (uint64_t i = 0; i < walks; i++) {
		events += walk(seed + i);
		for (unsigned x = 0; x < n; x++)
			kinds[trace[x].kind]++;
	}
	/* the rules above were all met */
	static const uint8_t met[] = { EV_MUTEX_UNLOCK, EV_RW_RDUNLOCK, EV_RW_WRLOCK, EV_SEM_WAIT, EV_BARRIER_PASS,
		EV_COND_WAKE, EV_COND_WOKEN, EV_FUTEX_WOKEN, EV_FUTEX_REQUEUE, EV_ONCE_DONE, EV_FD_READ, EV_SIGNAL_HANDLER,
		EV_THREAD_JOIN, EV_THREAD_CANCELLED, EV_RMW, EV_UPDATE, EV_FENCE };
	for (unsigned i = 0; i < sizeof met && walks >= 3000; i++)
		if (!kinds[met[i]])
			fail_msg("no %s in %llu events", event_kind_text(met[i]), (unsigned long long)events);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(locks, fresh),
		cmocka_unit_test_setup(events_that_tell_nobody_cost_no_epoch, fresh),
		cmocka_unit_test_setup(initialising_orders_nothing, fresh),
		cmocka_unit_test_setup(readers_and_writers, fresh),
		cmocka_unit_test_setup(tokens, fresh),
		cmocka_unit_test_setup(conditions, fresh),
		cmocka_unit_test_setup(barriers, fresh),
		cmocka_unit_test_setup(meetings, fresh),
		cmocka_unit_test_setup(once, fresh),
		cmocka_unit_test_setup(threads, fresh),
		cmocka_unit_test_setup(signals, fresh),
		cmocka_unit_test_setup(descriptors, fresh),
		cmocka_unit_test_setup(release_and_acquire, fresh),
		cmocka_unit_test_setup(a_guard_is_released, fresh),
		cmocka_unit_test_setup(fences, fresh),
		cmocka_unit_test_setup(fences_and_read_modify_writes, fresh),
		cmocka_unit_test_setup(a_mov_carries_what_was_drained, fresh),
		cmocka_unit_test_setup(buffered_stores, fresh),
		cmocka_unit_test_setup(buffers_are_queues, fresh),
		cmocka_unit_test_setup(buffers_and_fences, fresh),
		cmocka_unit_test_setup(own_bytes_teach_nothing, fresh),
		cmocka_unit_test_setup(many_threads, fresh),
		cmocka_unit_test(random_walks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
