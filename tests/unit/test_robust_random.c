/*
 * Robustness: random executions with store buffers, compared with brute force. Brute force searches for an interleaving of the same accesses
 * without buffers in which each access reads and overwrites the same writes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/lib_robust.h"

#define THREADS 3
#define STEPS 6   /* of each thread */
#define BYTES 20  /* all variables together, across a cell */
#define NODES (THREADS * STEPS)
#define FIRST 6   /* bytes FIRST .. FIRST + BYTES - 1 are used */
#define INITIAL (-1)

enum what { LOADS, STORES, RMWS, FENCES, RELEASE_FENCES, LOCKS };

struct access {
	enum what what;
	unsigned at, size; /* LOCKS: at is FIRST + BYTES, a byte that stands for the mutex */
	bool release, drains, updated;
	unsigned epoch;
	int thread, trace; /* index of its event; -1: none */
	int read[BYTES + 1]; /* by byte: the node it read from */
	bool forwarded[BYTES + 1];
	int effect; /* index into the trace; TRACED_MOST for a store without an update */
};

static struct {
	struct access a[NODES]; /* thread t has [t * STEPS, t * STEPS + n[t]) */
	int n[THREADS], pc[THREADS];
	unsigned epoch[THREADS], stores[THREADS];
	bool pso;
	int memory[BYTES + 1];              /* the last write of each byte */
	int order[BYTES + 1][NODES], n_order[BYTES + 1]; /* the writes of each byte, in order */
} x;

static uint64_t seed = 0x9e3779b97f4a7c15;

static unsigned draw(unsigned n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (unsigned)(seed >> 20) % n;
}

static bool touches(const struct access *a, unsigned byte)
{
	return a->what != FENCES && a->what != RELEASE_FENCES && byte >= a->at && byte < a->at + a->size;
}

static bool writes(const struct access *a)
{
	return a->what == STORES || a->what == RMWS || a->what == LOCKS;
}

static bool reads(const struct access *a)
{
	return a->what == LOADS || a->what == RMWS || a->what == LOCKS;
}

/* Mostly one of two or three variables of four bytes; sometimes a part of one, or a few bytes around it. */
static void draw_bytes(struct access *a, unsigned variables)
{
	unsigned kind = draw(8);
	a->at = FIRST + 4 + 4 * draw(variables);
	a->size = 4;
	if (kind == 0) {
		a->at += draw(4);
		a->size = 1;
	} else if (kind == 1) {
		a->at -= 1 + draw(3);
		a->size = 1 + draw(7);
	}
}

static void draw_program(void)
{
	int threads = 2 + (int)draw(THREADS - 1);
	unsigned variables = 2 + draw(2);
	memset(&x, 0, sizeof(x));
	x.pso = draw(2);
	for (int t = 0; t < threads; t++) {
		x.n[t] = 2 + (int)draw(threads == 2 ? STEPS - 1 : STEPS - 2);
		for (int i = 0; i < x.n[t]; i++) {
			struct access *a = &x.a[t * STEPS + i];
			unsigned kind = draw(24);
			*a = (struct access){ .thread = t, .trace = -1, .effect = TRACED_MOST };
			a->what = kind < 11 ? LOADS : kind < 21 ? STORES : kind == 21 ? RMWS : kind == 22 ? FENCES :
				draw(2) ? RELEASE_FENCES : LOCKS;
			a->release = a->what == STORES && draw(8) == 0;
			a->drains = a->what == STORES && draw(12) == 0;
			draw_bytes(a, variables);
			if (a->what == LOCKS) {
				a->at = FIRST + BYTES;
				a->size = 1;
			}
		}
	}
	for (unsigned b = 0; b <= BYTES; b++)
		x.memory[b] = INITIAL;
}

static bool waiting(const struct access *a)
{
	return a->what == STORES && !a->drains && a->trace >= 0 && !a->updated;
}

static bool buffer_empty(int t)
{
	for (int i = 0; i < x.pc[t]; i++)
		if (waiting(&x.a[t * STEPS + i]))
			return false;
	return true;
}

static bool overlap(const struct access *a, const struct access *b)
{
	return a->at < b->at + b->size && b->at < a->at + a->size;
}

/* Returns whether the store may reach memory now. */
static bool may_update(int node)
{
	const struct access *a = &x.a[node];
	if (!waiting(a))
		return false;
	for (int i = a->thread * STEPS; i < node; i++)
		if (waiting(&x.a[i]) && (!x.pso || a->release || a->epoch != x.a[i].epoch || overlap(a, &x.a[i])))
			return false;
	return true;
}

static void reach_memory(int node)
{
	struct access *a = &x.a[node];
	for (unsigned b = 0; b <= BYTES; b++)
		if (touches(a, FIRST + b)) {
			x.memory[b] = node;
			x.order[b][x.n_order[b]++] = node;
		}
	a->effect = (int)n_traced - 1;
	a->updated = true;
}

static void read_bytes(int node)
{
	struct access *a = &x.a[node];
	for (unsigned b = 0; b <= BYTES; b++) {
		if (!touches(a, FIRST + b))
			continue;
		a->read[b] = x.memory[b];
		for (int i = a->thread * STEPS; i < node; i++)
			if (waiting(&x.a[i]) && touches(&x.a[i], FIRST + b)) {
				a->read[b] = i;
				a->forwarded[b] = true;
			}
	}
}

static thread_id agent_of(const struct access *a)
{
	return TRACED_AGENT(x.pso ? a->thread * 64 + (int)a->at : a->thread);
}

static void step(int t)
{
	int node = t * STEPS + x.pc[t]++;
	struct access *a = &x.a[node];
	thread_id id = (thread_id)t;
	a->epoch = x.epoch[t];
	if (a->what == RELEASE_FENCES) { /* no event */
		x.epoch[t]++;
		return;
	}
	a->trace = (int)n_traced;
	switch (a->what) {
	case LOADS:
		read_bytes(node);
		trace_bytes(trace_add(id, EV_LOAD, M_READ), a->at, a->size);
		a->effect = a->trace;
		break;
	case STORES:
		if (!a->drains) {
			trace_store_by(id, agent_of(a), a->at, a->size);
			break;
		}
		trace_bytes(trace_add(id, EV_STORE, M_WRITE), a->at, a->size);
		reach_memory(node);
		break;
	case RMWS:
		read_bytes(node);
		trace_bytes(trace_add(id, EV_RMW, M_WRITE), a->at, a->size);
		reach_memory(node);
		break;
	case LOCKS:
		read_bytes(node);
		trace_on_object(id, EV_MUTEX_UNLOCK, M_REL, 7);
		reach_memory(node);
		break;
	case FENCES:
	case RELEASE_FENCES:
		trace_add(id, EV_FENCE, M_NONE);
		a->effect = a->trace;
		break;
	}
}

static void drain_one(int node)
{
	const struct access *a = &x.a[node];
	struct event *e = trace_bytes(trace_add(agent_of(a), EV_UPDATE, M_WRITE), a->at, a->size);
	unsigned number = 0;
	for (int i = a->thread * STEPS; i < node; i++)
		number += x.a[i].what == STORES && !x.a[i].drains;
	e->result = update_result((thread_id)a->thread, number, a->epoch);
	e->flags = a->release ? EVF_RELEASE : 0;
	reach_memory(node);
}

static bool may_step(int t)
{
	const struct access *a = &x.a[t * STEPS + x.pc[t]];
	if (x.pc[t] >= x.n[t])
		return false;
	return a->what == LOADS || a->what == RELEASE_FENCES || (a->what == STORES && !a->drains) || buffer_empty(t);
}

/* Runs the program to the end. lazy: how rarely stores reach memory. */
static void run(unsigned lazy)
{
	for (;;) {
		int choice[THREADS + NODES], n = 0, steps;
		for (int t = 0; t < THREADS; t++)
			if (may_step(t))
				choice[n++] = t;
		steps = n;
		for (int i = 0; i < NODES; i++)
			if (may_update(i))
				choice[n++] = THREADS + i;
		if (!n)
			return;
		int c = choice[steps && (n == steps || draw(lazy)) ? (int)draw((unsigned)steps) :
			steps + (int)draw((unsigned)(n - steps))];
		if (c < THREADS)
			step(c);
		else
			drain_one(c - THREADS);
	}
}

/* ---- brute force ---- */

static bool may_follow(const int pc[THREADS], int node)
{
	const struct access *a = &x.a[node];
	for (unsigned b = 0; b <= BYTES; b++) {
		int done = 0;
		if (!touches(a, FIRST + b))
			continue;
		/* the writes of this byte so far must be the first ones in its order */
		for (int t = 0; t < THREADS; t++)
			for (int i = t * STEPS; i < t * STEPS + pc[t]; i++)
				done += writes(&x.a[i]) && touches(&x.a[i], FIRST + b);
		if (reads(a) && a->read[b] != (done ? x.order[b][done - 1] : INITIAL))
			return false;
		if (writes(a) && x.order[b][done] != node)
			return false;
	}
	return true;
}

/* Returns whether there is an interleaving from here. The positions of the threads determine the contents of memory, so each state is visited
   once. */
static bool interleaving(int pc[THREADS], bool *seen)
{
	bool over = true;
	size_t state = 0;
	for (int t = 0; t < THREADS; t++) {
		state = state * (STEPS + 1) + (size_t)pc[t];
		over = over && pc[t] == x.n[t];
	}
	if (over)
		return true;
	if (seen[state])
		return false;
	seen[state] = true;
	for (int t = 0; t < THREADS; t++) {
		if (pc[t] == x.n[t] || !may_follow(pc, t * STEPS + pc[t]))
			continue;
		pc[t]++;
		if (interleaving(pc, seen))
			return true;
		pc[t]--;
	}
	return false;
}

static int place_in_order(unsigned byte, int node)
{
	for (int i = 0; i < x.n_order[byte]; i++)
		if (x.order[byte][i] == node)
			return i;
	return -1;
}

/* Returns whether a precedes b at this byte: b read it, overwrote it, or overwrote the value that a read. */
static bool before_by_byte(const struct access *a, int na, const struct access *b, int nb, unsigned byte)
{
	if (writes(a) && writes(b))
		return place_in_order(byte, na) < place_in_order(byte, nb);
	if (writes(a) && reads(b)) /* if b reads its own buffered store, that store's order counts */
		return !b->forwarded[byte] && place_in_order(byte, na) <= place_in_order(byte, b->read[byte]);
	if (reads(a) && writes(b))
		return place_in_order(byte, a->read[byte]) < place_in_order(byte, nb);
	return false;
}

static bool before(int na, int nb)
{
	const struct access *a = &x.a[na], *b = &x.a[nb];
	if (a->trace < 0 || b->trace < 0 || na == nb)
		return false;
	if (a->thread == b->thread)
		return na < nb;
	for (unsigned byte = 0; byte <= BYTES; byte++)
		if (touches(a, FIRST + byte) && touches(b, FIRST + byte) && before_by_byte(a, na, b, nb, byte))
			return true;
	return false;
}

static bool exists(int node)
{
	return node % STEPS < x.n[node / STEPS];
}

/* The length of a shortest cycle; 0: none. */
static unsigned smallest_cycle(void)
{
	static bool edge[NODES][NODES];
	unsigned best = 0;
	for (int a = 0; a < NODES; a++)
		for (int b = 0; b < NODES; b++)
			edge[a][b] = exists(a) && exists(b) && before(a, b);
	for (int from = 0; from < NODES; from++) {
		bool at[NODES] = { false };
		at[from] = true;
		for (unsigned n = 1; n <= NODES && (!best || n < best); n++) {
			bool next[NODES] = { false };
			for (int a = 0; a < NODES; a++)
				for (int b = 0; at[a] && b < NODES; b++)
					next[b] |= edge[a][b];
			memcpy(at, next, sizeof(at));
			if (at[from])
				best = n;
		}
	}
	return best;
}

static int node_of(uint32_t index)
{
	for (int i = 0; i < NODES; i++)
		if (exists(i) && x.a[i].trace == (int)index)
			return i;
	fail();
	return 0;
}

static void check_cycle(void)
{
	unsigned delayed = 0;
	for (unsigned i = 0; i < trace_cycle.n; i++) {
		int a = node_of(trace_cycle.event[i]), b = node_of(trace_cycle.event[(i + 1) % trace_cycle.n]);
		assert_true(before(a, b));
		assert_int_equal(x.a[a].thread != x.a[b].thread, trace_cycle.step[i] == ROBUST_BEFORE);
		if (x.a[a].thread == x.a[b].thread)
			assert_int_equal(x.a[a].effect > x.a[b].effect, trace_cycle.step[i] == ROBUST_DELAYED);
		delayed += trace_cycle.step[i] == ROBUST_DELAYED;
	}
	assert_true(delayed > 0);
	assert_int_equal(trace_cycle.step[0], ROBUST_DELAYED);
}

static void random_executions(void **state)
{
	unsigned answers[2][2] = { { 0 } }, mixed = 0;
	for (unsigned i = 0; i < 60000; i++) {
		int pc[THREADS] = { 0 };
		bool seen[(STEPS + 1) * (STEPS + 1) * (STEPS + 1)] = { false };
		trace_start();
		draw_program();
		run(1 + draw(5));
		bool robust = interleaving(pc, seen);
		assert_int_equal(trace_is_robust(), robust);
		assert_int_equal(smallest_cycle(), trace_cycle.n);
		if (!robust)
			check_cycle();
		answers[x.pso][robust]++;
		mixed += trace_cycle.n % 2;
	}
	for (unsigned pso = 0; pso < 2; pso++)
		for (unsigned robust = 0; robust < 2; robust++)
			assert_true(answers[pso][robust] > 1000);
	assert_true(mixed > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_executions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
