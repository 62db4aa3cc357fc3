/* Stronger memory orders that prevent a failure: the search for them (replay/stronger.h), and reports of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "recorder/json/report_json.h"
#include "recorder/report/report.h"
#include "replay/stronger.h"
#include "tests/unit/lib_recording.h"
#include "tests/unit/lib_report.h"
#include "tests/unit/lib_seed.h"

#define MOST_STEPS 24
#define MOST_SETS 3

/* What prevents the failure of a made-up program: any of these sets of orders, one for each step. 0: none is needed. */
struct truth {
	unsigned sets;
	uint8_t set[MOST_SETS][MOST_STEPS];
	unsigned runs;
	bool unknown; /* each replay has an unclear result */
};

static bool as_strong(unsigned order, unsigned wanted)
{
	if (wanted == RC11_SEQ_CST)
		return order == RC11_SEQ_CST;
	return order_acquires(order) >= order_acquires(wanted) && order_releases(order) >= order_releases(wanted);
}

/* The order that the recording has for the access. */
static unsigned own(const struct rec_step *s)
{
	return order_of_both(s->flags & EVF_ACQUIRE, s->flags & EVF_RELEASE);
}

/* Returns whether these orders, besides the own ones, prevent the failure. */
static bool prevents(const struct truth *t, const uint8_t *order, const struct recording *r)
{
	for (unsigned k = 0; k < t->sets; k++) {
		bool all = true;
		for (size_t i = 0; i < r->n_steps; i++)
			all &= as_strong(order_both(own(&r->steps[i]), order[i]), t->set[k][i]);
		if (all)
			return true;
	}
	return false;
}

struct running {
	struct truth *truth;
	const struct recording *recording;
};

static enum stronger_result run(void *ctx, const uint8_t *order, size_t *at)
{
	struct running *x = ctx;

	x->truth->runs++;
	*at = x->recording->n_steps - 1;
	if (x->truth->unknown)
		return STRONGER_UNKNOWN;
	return prevents(x->truth, order, x->recording) ? STRONGER_PREVENTED : STRONGER_FAILS;
}

static void find(struct recording *r, struct truth *t, unsigned most)
{
	struct running x = { t, r };

	stronger_find(r, run, &x, most);
}

/* A recording without stronger orders in which n accesses and fences follow each other, the first third of them not
   relaxed; each is a place of its own. */
static struct recording *accesses(size_t n, uint64_t *seed)
{
	static const uint8_t kind[4] = { EV_LOAD, EV_STORE, EV_RMW, EV_FENCE };
	struct recording *r = sample_new();
	object_id o = sample_range(r, 1, "x", 0x1000, 4);

	r->settings.model = MODEL_RC11;
	for (size_t i = 0; i < n; i++) {
		struct rec_step *s = sample_step(r, 0, kind[sample_next(seed) % 4], o, 0, "f", "a.c", 10 + (int)i);
		s->flags = EVF_ATOMIC;
		if (i < n / 3 && s->kind != EV_FENCE)
			s->flags |= s->kind == EV_STORE ? EVF_RELEASE : EVF_ACQUIRE;
	}
	r->steps[n - 1].alt = ALT_OLDER;
	return r;
}

/* A set of orders that these accesses can have. */
static void random_set(const struct recording *r, uint8_t *set, uint64_t *seed)
{
	for (size_t i = 0; i < r->n_steps; i++) {
		unsigned kind = r->steps[i].kind;
		if (sample_next(seed) % 4)
			continue;
		set[i] = order_of_both(kind != EV_STORE, kind != EV_LOAD);
		if (kind == EV_RMW)
			set[i] = (uint8_t[]){ RC11_ACQUIRE, RC11_RELEASE, RC11_ACQ_REL }[sample_next(seed) % 3];
		if (!(sample_next(seed) % 3))
			set[i] = RC11_SEQ_CST;
	}
	set[sample_next(seed) % r->n_steps] = RC11_SEQ_CST; /* it is not empty */
}

static void orders_found(const struct recording *r, uint8_t *order)
{
	memset(order, 0, MOST_STEPS);
	for (size_t i = 0; i < r->orders.n; i++)
		order[r->orders.place[i].step] = r->orders.place[i].order;
}

/* Returns whether one half of an acq_rel is the program's own, so that the other half alone was not tried. */
static bool has_own_half(const struct recording *r)
{
	for (size_t i = 0; i < r->orders.n; i++) {
		const struct rec_step *s = &r->steps[r->orders.place[i].step];
		if (r->orders.place[i].order == RC11_ACQ_REL && (s->kind == EV_FENCE || own(s) != RC11_RELAXED))
			return true;
	}
	return false;
}

/* The orders found prevent the failure, and no weaker order at one of the places does. */
static void check_least(const struct recording *r, const struct truth *t)
{
	static const uint8_t weaker[] = { RC11_RELAXED, RC11_ACQUIRE, RC11_RELEASE, RC11_ACQ_REL };
	uint8_t order[MOST_STEPS];

	assert_true(r->orders.prevented);
	assert_int_equal(r->orders.fewest, !has_own_half(r));
	assert_int_equal(r->orders.step, r->n_steps - 1);
	orders_found(r, order);
	assert_true(prevents(t, order, r));
	for (size_t i = 0; i < r->orders.n; i++) {
		size_t step = r->orders.place[i].step;
		assert_int_equal(order_both(own(&r->steps[step]), order[step]), order[step]); /* the own one is in it */
		for (size_t k = 0; k < sizeof(weaker); k++) {
			orders_found(r, order);
			bool half = weaker[k] == RC11_ACQUIRE || weaker[k] == RC11_RELEASE;
			if (as_strong(order_both(own(&r->steps[step]), weaker[k]), order[step]) ||
				(half && r->steps[step].kind == EV_FENCE))
				continue;
			order[step] = weaker[k];
			assert_false(prevents(t, order, r));
		}
	}
}

static void test_random(void **state)
{
	uint64_t seed = test_seed(11);

	for (int i = 0; i < 2000; i++) {
		size_t n = 1 + sample_next(&seed) % MOST_STEPS;
		struct recording *r = accesses(n, &seed);
		struct truth t = { .sets = 1 + (unsigned)(sample_next(&seed) % MOST_SETS) };
		for (unsigned k = 0; k < t.sets; k++)
			random_set(r, t.set[k], &seed);
		assert_true(stronger_applies(r));
		find(r, &t, UINT32_MAX);
		check_least(r, &t);
		assert_int_equal(r->orders.runs, t.runs);
		recording_free(r);
	}
}

/* With a limit the result is true, though perhaps not the least; the limit holds. */
static void test_limit(void **state)
{
	uint64_t seed = test_seed(12);

	for (unsigned most = 1; most < 30; most++) {
		struct recording *r = accesses(MOST_STEPS, &seed);
		struct truth t = { .sets = 1 };
		uint8_t order[MOST_STEPS];
		random_set(r, t.set[0], &seed);
		find(r, &t, most);
		assert_true(t.runs <= most);
		orders_found(r, order);
		assert_int_equal(r->orders.runs > 0, prevents(&t, order, r));
		if (r->orders.fewest)
			check_least(r, &t);
		recording_free(r);
	}
}

static void test_nothing_helps(void **state)
{
	uint64_t seed = 13;
	struct recording *r = accesses(5, &seed);
	struct truth t = { .sets = 0 };

	find(r, &t, 40);
	assert_int_equal(r->orders.runs, 2); /* all that synchronise, and all seq_cst */
	assert_false(r->orders.prevented);
	assert_int_equal(r->orders.n, 5);
	recording_free(r);
}

/* Where each access has its synchronising order already, the first replay is with seq_cst. */
static void test_synchronised(void **state)
{
	uint64_t seed = 16;
	struct recording *r = accesses(4, &seed);
	struct truth t = { .sets = 0 };

	for (size_t i = 0; i < 4; i++) {
		r->steps[i].kind = EV_RMW;
		r->steps[i].flags = EVF_ATOMIC | EVF_ACQUIRE | EVF_RELEASE;
	}
	find(r, &t, 40);
	assert_int_equal(r->orders.runs, 1);
	assert_int_equal(r->orders.n, 4);
	recording_free(r);
}

static void test_unknown(void **state)
{
	uint64_t seed = 14;
	struct recording *r = accesses(5, &seed);
	struct truth t = { .unknown = true };

	find(r, &t, 40);
	assert_int_equal(r->orders.runs, 0);
	assert_false(r->orders.prevented);
	recording_free(r);
}

/* An instruction that makes two accesses is one place. */
static void test_same_code(void **state)
{
	uint64_t seed = 15;
	struct recording *r = accesses(6, &seed);
	struct truth t = { .sets = 0 };

	for (size_t i = 0; i < 6; i++) {
		r->steps[i].kind = EV_LOAD;
		r->steps[i].stack.frame[0].offset = 0x1000 + i / 2;
	}
	find(r, &t, 40);
	assert_int_equal(r->orders.n, 3);
	recording_free(r);
}

/* Puts an inner frame of a library into the stack of a step, on which all others lie. */
static void called_from(struct rec_step *s, const char *function, const char *file, int line, uint64_t offset)
{
	struct rec_stack *stack = &s->stack;

	stack->frame = xgrow(stack->frame, stack->n, sizeof(*stack->frame));
	memmove(stack->frame + 1, stack->frame, stack->n++ * sizeof(*stack->frame));
	stack->frame[0] = (struct rec_frame){
		.function = xstrdup(function),
		.file = xstrdup(file),
		.line = line,
		.module = xstrdup("bank_test"),
		.offset = offset,
	};
}

/* Three lines of a library, called by one line of the user, make their accesses with one wrapper: three places. */
static void test_library(void **state)
{
	uint64_t seed = 18;
	struct recording *r = accesses(6, &seed);
	struct truth t = { .sets = 0 };

	for (size_t i = 0; i < 6; i++) {
		r->steps[i].kind = EV_LOAD;
		r->steps[i].stack.frame[0].offset = 0x1000;
		called_from(&r->steps[i], "queue::look", "queue.h", 30 + (int)i / 2, 0x2000 + i / 2);
		called_from(&r->steps[i], "std::atomic<int>::load", "atomic", 7, 0x3000);
	}
	find(r, &t, 40);
	assert_int_equal(r->orders.n, 3);
	recording_free(r);
}

/* A loop that reads the store of another thread ten times: the store and the load are tried together once. */
static void test_loop(void **state)
{
	uint64_t seed = 17;
	struct recording *r = accesses(12, &seed);
	struct truth t = { .sets = 1 };

	for (size_t i = 0; i < 12; i++) {
		r->steps[i].kind = i ? EV_LOAD : EV_STORE;
		r->steps[i].flags = EVF_ATOMIC;
	}
	r->steps[0].thread = 1;
	for (size_t i = 1; i < 11; i++) {
		r->steps[i].stack.frame[0].offset = r->steps[1].stack.frame[0].offset;
		r->steps[i].result = 1;
	}
	t.set[0][0] = RC11_RELEASE;
	t.set[0][1] = t.set[0][11] = RC11_ACQUIRE;
	find(r, &t, 40);
	assert_int_equal(r->orders.n, 3);
	assert_int_equal(r->orders.runs, 1 + 3 + 1 + 3); /* all; each alone; the two; all but one */
	recording_free(r);
}

static void test_applies(void **state)
{
	struct recording *r = sample_orders();

	assert_true(stronger_applies(r));
	r->steps[5].alt = ALT_NORMAL;
	assert_false(stronger_applies(r));
	r->failure.kind = BUG_RACE;
	assert_true(stronger_applies(r));
	r->settings.model = MODEL_SC;
	assert_false(stronger_applies(r));
	recording_free(r);
}

static void expect_words(const struct recording *r, const char *words)
{
	char *text = report_to_text(report_show, r, (struct report_options){ .width = 1000 });

	if (!strstr(text, words))
		fail_msg("no \"%s\" in\n%s", words, text);
	free(text);
}

static void test_words(void **state)
{
	struct recording *r = sample_orders();

	expect_words(r, "  Tried: with release at weak.c:11 (store ready) and acquire at weak.c:20 (load ready), "
			"step 6 cannot read the older value in this schedule. "
			"With a weaker order at any of these places it fails in the same way.\n");
	r->orders.fewest = false;
	expect_words(r, "step 6 cannot read the older value in this schedule.\n");
	r->orders.place[1].order = RC11_RELEASE;
	expect_words(r, "with release at weak.c:11 (store ready) and weak.c:20 (load ready), step 6");
	r->orders.step = 6;
	expect_words(r, "there is no data race in this schedule.\n");
	called_from(&r->steps[3], "queue::put", "queue.h", 30, 0x2000);
	called_from(&r->steps[3], "std::atomic<bool>::store", "atomic", 7, 0x3000);
	called_from(&r->steps[4], "core::sync::atomic::AtomicBool::load", "atomic.rs", 7, 0x3000);
	expect_words(r, "with release at queue.h:30 (store ready, called at weak.c:11) and weak.c:20 (load ready), ");
	r->orders.prevented = false;
	r->orders.n = 4;
	expect_words(r, "Tried: with seq_cst at each atomic access and fence of this schedule "
			"(4 places in the code), it fails in the same way.\n");
	recording_free(r);
}

/* Under RC11 the result of an update is the store that it reads, which does not make it a compare-and-swap. */
static void test_update(void **state)
{
	struct recording *r = sample_orders();

	r->steps[4].kind = EV_RMW;
	expect_words(r, "update ready");
	r->steps[4].flags |= EVF_FAILED;
	expect_words(r, "cas ready");
	r->settings.model = MODEL_SC;
	r->steps[4].flags &= (uint8_t)~EVF_FAILED;
	expect_words(r, "cas ready");
	recording_free(r);
}

static json_t *json_of(const struct recording *r)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	json_t *o;

	assert_int_equal(report_json(f, r), 0);
	fclose(f);
	o = json_loads(text, 0, NULL);
	free(text);
	assert_non_null(o);
	return o;
}

static void test_json(void **state)
{
	struct recording *r = sample_orders();
	json_t *o = json_of(r), *orders = json_object_get(o, "stronger_orders"), *place;

	assert_int_equal(json_integer_value(json_object_get(orders, "replays")), 7);
	assert_true(json_is_true(json_object_get(orders, "prevented")));
	assert_int_equal(json_integer_value(json_object_get(orders, "step")), 6);
	assert_int_equal(json_array_size(json_object_get(orders, "places")), 2);
	place = json_array_get(json_object_get(orders, "places"), 1);
	assert_string_equal(json_string_value(json_object_get(place, "order")), "acquire");
	assert_int_equal(json_integer_value(json_object_get(place, "step")), 5);
	json_decref(o);
	free(r->orders.place);
	r->orders = (struct rec_orders){ 0 };
	o = json_of(r);
	assert_true(json_is_null(json_object_get(o, "stronger_orders")));
	json_decref(o);
	recording_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_limit),
		cmocka_unit_test(test_nothing_helps),
		cmocka_unit_test(test_synchronised),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_same_code),
		cmocka_unit_test(test_library),
		cmocka_unit_test(test_loop),
		cmocka_unit_test(test_applies),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_update),
		cmocka_unit_test(test_json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
