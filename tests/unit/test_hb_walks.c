/*
 * Happens-before: random walks of the world with memory accesses in between, compared with the closure of edges that are decided pair by pair.
 * Also checks that only dependent events are ordered.
 *
 * Failures print the seed. SEED=n starts there; HB_WALKS=n sets the number of walks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/lib_hb.h"
#include "tests/unit/lib_seed.h"
#include "tests/unit/lib_walk.h"

#define ARENA (64u << 20)
#define EVENTS 400u

static _Alignas(16) char memory[ARENA];
static struct hb *h;

/*
 * A node of the trace is one of two things. It is a thread's event or a fence that is not an event. Or it is a write that reaches memory and
 * belongs to no thread: an UPDATE, or a node added after an unbuffered store.
 */

enum role { EVENT_OF_THREAD, BARE_FENCE, WRITES };

static struct walk k;
static struct event trace[EVENTS];
static enum role role[EVENTS];
static unsigned store_of[EVENTS], source_of[EVENTS]; /* of a write: its store, and the node whose knowledge it carries, or EVENTS */
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

/* Returns whether b reads at this byte what write a put there, directly or through read-modify-writes. */
static bool carried(unsigned a, unsigned b, uint64_t byte)
{
	if (!covers(&trace[b], byte))
		return false;
	for (unsigned i = a + 1; i < b; i++)
		if (role[i] == WRITES && trace[i].kind != EV_RMW && covers(&trace[i], byte))
			return false;
	return true;
}

/* Returns whether node b reads what write a carries. */
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

/* Returns whether the thread of node b learns at that node what write a carries. */
static bool learns(unsigned a, unsigned b)
{
	thread_id t = trace[b].thread;
	if (t == trace[store_of[a]].thread)
		return false; /* its own write */
	if (trace[b].flags & EVF_ACQUIRE && reads(a, b))
		return true;
	for (unsigned i = a + 1; i < b && is_fence(b, EVF_ACQUIRE); i++)
		if (actor(i) == t && reads(a, i))
			return true;
	return false;
}

/* Returns the node whose knowledge is carried by the write of store s, or EVENTS. */
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

static bool is_requeue(const struct event *e)
{
	return e->kind == EV_FUTEX_REQUEUE || e->kind == EV_FUTEX_CMP_REQUEUE;
}

static bool object_edge(const struct event *a, unsigned ma, const struct event *b, unsigned mb)
{
	bool b_learns = mb == M_ACQ || mb == M_RDACQ || mb == M_TAKE || b->kind == EV_FD_OTHER ||
			is_requeue(b) || b->kind == EV_THREAD_DETACH || b->kind == EV_FD_POLL ||
			(b->kind == EV_ONCE_ENTER);
	bool a_tells = ma == M_REL || ma == M_SIG || a->kind == EV_FD_OTHER || is_requeue(a) ||
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

/* A token is lost when its semaphore is initialised again. */
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

/* The current point of u: its last node, or the one that created it. Returns n if there is none yet. */
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

/* Compares what t did after its node i (i = -1: from its start) with what u has seen now. */
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

/* Adds a node that hb has already processed. `store`: the store of a write. */
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

/* The i-th store in t's buffer reaches memory; if older ones of the same agent exist, the oldest does. */
static void drain(thread_id t, unsigned i, unsigned long long seed)
{
	unsigned *store = buffer[t].store;
	for (unsigned x = i; x-- > 0;)
		if (trace[store[x]].result == trace[store[i]].result)
			i = x;
	struct event e = test_update(&trace[store[i]], buffer[t].stored);
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
	struct event e = test_access(t, kind, first, first + size, flags);
	if (kind == EV_STORE && walk_random(r) % 3) {
		e = test_buffered(t, (unsigned)(walk_random(r) % 3), first, first + size, flags);
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
	h = hb_init(arena_init(memory, sizeof memory), MODEL_PSO);
	assert_non_null(h);
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
	/* all these kinds occurred */
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
		cmocka_unit_test(random_walks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
