/*
 * What a recording's order says, against what sched/depend.c says of the events that it was made of: random walks through the world become
 * recordings, which keep neither modes nor sequence numbers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "recorder/order.h"
#include "tests/unit/lib_recording.h"
#include "tests/unit/lib_walk.h"

#define MOST 400 /* events of a walk */

static struct walk k;
static struct event event[MOST];
static size_t n;

/* Row j, bit i: i comes before j. */
typedef uint64_t relation[MOST][(MOST + 63) / 64];
static relation real, told;

static bool before(relation r, size_t i, size_t j)
{
	return r[j][i / 64] >> (i % 64) & 1;
}

static void put(relation r, size_t i, size_t j)
{
	r[j][i / 64] |= UINT64_C(1) << (i % 64);
	for (size_t w = 0; w < sizeof(r[0]) / sizeof(r[0][0]); w++)
		r[j][w] |= r[i][w];
}

/* The threads that are there from the beginning were created before the walk's first step. */
static void walk(uint64_t seed)
{
	struct choice c[WALK_CHOICES];
	unsigned choices;
	uint64_t r = seed;

	walk_start(&k, seed);
	n = 0;
	for (thread_id t = 1; t <= 3; t++) {
		event[n] = (struct event){ .kind = EV_THREAD_CREATE, .mode = { M_WRITE }, .seq = t };
		event[n++].obj[0] = world_thread_object(k.w, t);
	}
	while (n < MOST && (choices = walk_choices(&k, c))) {
		walk_step(&k, c[walk_random(&r) % choices]);
		if (k.last_misuse || event_kind_flags(k.last_event.kind) & K_END)
			break; /* comes after everything: recordings do not say so */
		event[n++] = k.last_event;
	}
}

static void find_real(void)
{
	memset(real, 0, sizeof(real));
	for (size_t j = 0; j < n; j++)
		for (size_t i = 0; i < j; i++)
			if (events_dependent(&event[i], &event[j]) ||
				(event[i].kind == EV_THREAD_CREATE && event[i].seq == event[j].thread))
				put(real, i, j);
}

static object_id memory_object(struct recording *r, const struct event *e)
{
	uint64_t lo, hi;

	if (!event_bytes(e, &lo, &hi))
		return 0;
	for (size_t o = 0; o < r->n_objects; o++)
		if (r->objects[o].kind == OBJ_MEMORY && r->objects[o].addr == lo && r->objects[o].size == hi - lo + 1)
			return (object_id)(o + 1);
	return sample_range(r, (unsigned)r->n_objects, "bytes", lo, (uint32_t)(hi - lo + 1));
}

/* As cli/collect.c does it. */
static struct recording *record(void)
{
	struct recording *r = sample_new();
	object_id highest = 0;

	for (thread_id t = 1; t < k.names.count; t++) {
		char path[64];
		sample_thread(r, thread_name_format(&k.names, t, path, sizeof(path)), "f");
	}
	for (size_t i = 0; i < n; i++)
		for (int x = 0; x < 2; x++)
			if (!object_is_memory(event[i].obj[x]) && event[i].obj[x] > highest)
				highest = event[i].obj[x];
	for (object_id o = 1; o <= highest; o++) {
		struct object_info info = { 0 };
		world_object_info(k.w, o, &info);
		sample_object(r, info.kind, o, NULL, NULL);
	}
	for (size_t i = 0; i < n; i++) {
		const struct event *e = &event[i];
		object_id m = memory_object(r, e), obj[2];
		struct rec_step *s;
		for (int x = 0; x < 2; x++)
			obj[x] = !object_is_memory(e->obj[x]) ? e->obj[x] : x && object_is_memory(e->obj[0]) ? 0 : m;
		s = sample_step(r, e->thread, e->kind, obj[0], obj[1], NULL, NULL, 0);
		s->alt = e->alt;
		s->flags = e->flags;
		s->result = e->result;
	}
	return r;
}

static void find_told(const struct recording *r, const struct order *o)
{
	memset(told, 0, sizeof(told));
	for (size_t j = 0; j < n; j++) {
		for (size_t i = 0; i < j; i++)
			if (r->steps[i].thread == r->steps[j].thread)
				put(told, i, j);
		for (size_t e = o->first[j]; e < o->first[j + 1]; e++)
			put(told, o->edge[e].from, j);
	}
}

static void print_step(const char *what, const struct recording *r, size_t i)
{
	print_error("  %s %zu: thread %u %s objects %u %u modes %u %u (told %u %u) seq %u result %d flags %u\n", what, i + 1,
		event[i].thread, event_kind_text(event[i].kind), event[i].obj[0], event[i].obj[1], event[i].mode[0], event[i].mode[1],
		order_mode(r, &r->steps[i], 0), order_mode(r, &r->steps[i], 1), event[i].seq, event[i].result, event[i].flags);
}

/* The wait that took the post. */
static bool is_post(size_t i, size_t j)
{
	return event[i].mode[0] == M_SEND && event[j].mode[0] == M_RECV && event[i].obj[0] == event[j].obj[0];
}

static void test_walks(void **state)
{
	size_t pairs = 0, posts = 0, missing = 0;

	for (uint64_t seed = 1; seed < 20000; seed++) {
		struct recording *r;
		struct order o;
		walk(seed);
		r = record();
		recording_order(r, &o);
		find_real();
		find_told(r, &o);
		for (size_t j = 0; j < n; j++) {
			for (size_t i = 0; i < j; i++) {
				bool is = before(real, i, j), said = before(told, i, j), direct = events_dependent(&event[i], &event[j]);
				pairs += is;
				if (is && !said && direct && is_post(i, j))
					missing++;
				if (said && !is) {
					print_step("seed: not before", r, i);
					print_step("but told to be", r, j);
					fail_msg("seed %llu", (unsigned long long)seed);
				}
				if (direct && !said && !is_post(i, j)) {
					print_step("this", r, i);
					print_step("before this, was not told", r, j);
					fail_msg("seed %llu", (unsigned long long)seed);
				}
			}
		}
		for (size_t e = 0; e < o.n; e++)
			posts += o.edge[e].why == ORDER_POST;
		order_free(&o);
		recording_free(r);
	}
	assert_true(pairs > 100000);
	assert_true(posts > 100);
	assert_true(missing < posts); /* where a semaphore's first value does not follow from the schedule */
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_walks) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
