/*
 * The order that a recording implies, compared with sched/depend.c on the events that the recording was made from. Random walks through the
 * world become recordings, which contain neither modes nor sequence numbers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "recorder/order/order.h"
#include "tests/unit/lib_recording.h"
#include "tests/unit/lib_walk.h"
#include "tests/unit/lib_weak.h"

#define MOST 400 /* events of a walk */

static struct walk k;
static struct event event[MOST];
static size_t n;

/* Row j, bit i: i comes before j. */
typedef uint64_t relation[MOST][(MOST + 63) / 64];
static relation real, reported;

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

/* The initial threads get creation events before the first step of the walk. */
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
			break; /* it follows everything; recordings do not say so */
		event[n++] = k.last_event;
	}
}

/* A load from its thread's buffer does not depend on other threads' writes (sched/event.h). */
static bool from_buffer(const struct event *e)
{
	return e->kind == EV_LOAD && (e->flags & EVF_FORWARDED);
}

/* The search orders a FUTEX_CMP_REQUEUE with everything; recordings only say what it does to its futexes. */
static struct event as_recorded(const struct event *e)
{
	struct event r = *e;

	if (r.kind == EV_FUTEX_CMP_REQUEUE)
		r.kind = EV_FUTEX_REQUEUE;
	return r;
}

static bool depends(const struct event *a, const struct event *b)
{
	const struct event x = as_recorded(a), y = as_recorded(b);

	return events_dependent(&x, &y) && (event_owner(a) == event_owner(b) || (!from_buffer(a) && !from_buffer(b)));
}

/* `partner`: pairs buffered stores with their updates. */
static void find_real(const size_t *partner)
{
	memset(real, 0, sizeof(real));
	for (size_t j = 0; j < n; j++)
		for (size_t i = 0; i < j; i++)
			if (depends(&event[i], &event[j]) || (partner && event[j].kind == EV_UPDATE && partner[j] == i) ||
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

/* Builds the recording as cli/collect/collect.c does. */
static struct recording *record(const struct thread_names *names, const struct world *w, unsigned model)
{
	struct recording *r = sample_new();
	object_id highest = 0;

	r->settings.model = model;
	for (thread_id t = 1; t < names->count; t++) {
		char path[64];
		sample_thread(r, thread_name_format(names, t, path, sizeof(path)), "f");
	}
	for (size_t i = 0; i < n; i++)
		for (int x = 0; x < 2; x++)
			if (!object_is_memory(event[i].obj[x]) && event[i].obj[x] > highest)
				highest = event[i].obj[x];
	for (object_id o = 1; o <= highest; o++) {
		struct object_info info = { 0 };
		world_object_info(w, o, &info);
		sample_object(r, info.kind, o, NULL, NULL);
	}
	for (size_t i = 0; i < n; i++) {
		const struct event *e = &event[i];
		object_id m = memory_object(r, e), obj[2];
		struct rec_step *s;
		for (int x = 0; x < 2; x++)
			obj[x] = !object_is_memory(e->obj[x]) ? e->obj[x] : x && object_is_memory(e->obj[0]) ? 0 : m;
		s = sample_step(r, event_owner(e), e->kind, obj[0], obj[1], NULL, NULL, 0);
		s->alt = e->alt;
		s->flags = e->flags;
		s->buffered = event_buffered(e);
		if (e->kind != EV_UPDATE && !s->buffered) {
			s->result = e->result;
			continue;
		}
		s->place = agent_name_place(&names->agent[(s->buffered ? (thread_id)e->result : e->thread) - MAX_THREADS]);
		s->number = e->kind == EV_UPDATE ? (uint16_t)update_number(e) : 0;
		s->epoch = e->kind == EV_UPDATE ? (uint8_t)update_epoch(e) : 0;
	}
	return r;
}

static void find_reported(const struct recording *r, const struct order *o)
{
	memset(reported, 0, sizeof(reported));
	for (size_t j = 0; j < n; j++) {
		for (size_t i = 0; i < j; i++)
			if (o->agent[i] == o->agent[j])
				put(reported, i, j);
		for (size_t e = o->first[j]; e < o->first[j + 1]; e++)
			put(reported, o->edge[e].from, j);
	}
}

static void print_step(const char *what, const struct recording *r, size_t i)
{
	print_error("  %s %zu: thread %u %s objects %u %u modes %u %u (from the recording %u %u) seq %u result %d flags %u\n", what, i + 1,
		event[i].thread, event_kind_text(event[i].kind), event[i].obj[0], event[i].obj[1], event[i].mode[0], event[i].mode[1],
		order_mode(r, &r->steps[i], 0), order_mode(r, &r->steps[i], 1), event[i].seq, event[i].result, event[i].flags);
}

/* Returns whether j is the wait that took post i. */
static bool is_post(size_t i, size_t j)
{
	return event[i].mode[0] == M_SEND && event[j].mode[0] == M_RECV && event[i].obj[0] == event[j].obj[0];
}

struct totals {
	size_t pairs, posts, missing, updates;
};

/* Compares the order of r's steps with the true order of the n events. */
static void compare(const struct recording *r, uint64_t seed, struct totals *sum)
{
	size_t *partner = calloc(n + 1, sizeof(*partner));
	struct order o;

	assert_true(recording_pair_stores(r, partner, NULL));
	recording_order(r, &o);
	find_real(partner);
	find_reported(r, &o);
	for (size_t j = 0; j < n; j++) {
		sum->updates += event[j].kind == EV_UPDATE;
		for (size_t i = 0; i < j; i++) {
			bool is = before(real, i, j), said = before(reported, i, j), direct = depends(&event[i], &event[j]);
			sum->pairs += is;
			sum->missing += direct && !said && is_post(i, j);
			if (said && !is) {
				print_step("not before", r, i);
				print_step("but reported to be", r, j);
				fail_msg("seed %llu", (unsigned long long)seed);
			}
			if (direct && !said && !is_post(i, j)) {
				print_step("this", r, i);
				print_step("before this, was not reported", r, j);
				fail_msg("seed %llu", (unsigned long long)seed);
			}
		}
	}
	for (size_t e = 0; e < o.n; e++)
		sum->posts += o.edge[e].why == ORDER_POST;
	order_free(&o);
	free(partner);
}

static void test_walks(void **state)
{
	struct totals sum = { 0 };

	for (uint64_t seed = 1; seed < 20000; seed++) {
		struct recording *r;
		walk(seed);
		r = record(&k.names, k.w, MODEL_SC);
		compare(r, seed, &sum);
		recording_free(r);
	}
	assert_true(sum.pairs > 100000);
	assert_true(sum.posts > 100);
	assert_true(sum.missing < sum.posts); /* missing where the schedule does not determine a semaphore's initial value */
}

static int pick_any(void *random, const struct sched_view *view)
{
	return (int)(walk_random(random) % view->n);
}

/* Programs with store buffers. */
static void test_buffers(void **state)
{
	static struct toy toy;
	struct totals sum = { 0 };
	uint64_t random = 3;

	for (uint64_t i = 0; i < 6000; i++) {
		struct toy_program p;
		struct recording *r;
		weak_random(&p, 17, i);
		p.model = i % 2 ? MODEL_TSO : MODEL_PSO;
		toy_init(&toy, &p);
		toy_execute(&toy, pick_any, NULL, &random);
		n = toy.trace.n;
		while (n && (event_kind_flags(toy.event[n - 1].kind) & K_END))
			n--;
		assert_true(n < MOST);
		memcpy(event, toy.event, n * sizeof(*event));
		r = record(&toy.names, toy.world, p.model);
		compare(r, i, &sum);
		recording_free(r);
		toy_forget(&toy);
	}
	assert_true(sum.updates > 6000);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_walks), cmocka_unit_test(test_buffers) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
