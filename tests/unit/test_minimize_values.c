/* Minimization of the values that a program's own scheduler or simul_choose chose, against all values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "replay/choices.h"
#include "replay/experiment.h"
#include "sched/choice.h"
#include "tests/unit/lib_path.h"

#define MOST_RUNS 100000

static struct toy toy;

#define VALUES_A 6 /* more than one event chooses among */
#define VALUES_B 3
#define ALL_VALUES (VALUES_A * VALUES_B * VALUES_B)

static uint64_t failing; /* bit (a * VALUES_B + b) * VALUES_B + c: these three values fail */

static bool values_fail(void)
{
	const int64_t *r = toy.thread[0].reg;

	return failing >> ((r[0] * VALUES_B + r[1]) * VALUES_B + r[2]) & 1;
}

static void run_values(void *ctx, const struct guided_turn *turn, uint32_t turns, struct minimize_outcome *out)
{
	guided_once(&toy, turn, turns, out);
	out->fails = values_fail();
	out->ends_well = !out->fails;
}

static unsigned nonzero(void)
{
	return (toy.thread[0].reg[0] != 0) + (toy.thread[0].reg[1] != 0) + (toy.thread[0].reg[2] != 0);
}

/* Runs all values. Copies the failing execution with the most values other than 0 to out, and returns its length;
   *least: the fewest of a failing one. */
static uint32_t worst_values(struct event *out, unsigned *least)
{
	static struct path p;
	uint32_t n = 0;
	unsigned most = 0;

	*least = UINT_MAX;
	p.n = p.pos = 0;
	do {
		toy_execute(&toy, path_choice, NULL, &p);
		if (!values_fail())
			continue;
		*least = nonzero() < *least ? nonzero() : *least;
		if (n && nonzero() <= most)
			continue;
		most = nonzero();
		n = toy.trace.n;
		memcpy(out, toy.event, n * sizeof(*out));
	} while (path_advance(&p));
	return n;
}

/* Of the failing values, those with the fewest other than 0 are found. An experiment gives the result of the values
   that it is about. */
static void values(void **state)
{
	static struct event worst[TOY_TRACE];
	struct toy_program p = { .name = "values", .threads = 1 };

	toy_add(&p, 0, TOY_CHOOSE, 0, VALUES_A, 0, 0, 0);
	toy_add(&p, 0, TOY_CHOOSE, 1, VALUES_B, 0, 0, 0);
	toy_add(&p, 0, TOY_CHOOSE, 2, VALUES_B, 0, 0, 0);
	toy_init(&toy, &p);
	for (unsigned k = 0; k < ALL_VALUES; k++) {
		struct recording *rec = recording_new();
		struct minimize_result result;
		unsigned least, runs = 0;
		uint32_t n;
		failing = UINT64_C(1) << (k * 7 + 1) % ALL_VALUES | UINT64_C(1) << (k * 31 + 25) % ALL_VALUES;
		n = worst_values(worst, &least);
		minimize(worst, n, run_values, NULL, MOST_RUNS, &result);
		assert_int_equal(result.after.chosen, least);
		assert_true(result.least_choices);
		rec->n_steps = n;
		rec->steps = xcalloc(n, sizeof(*rec->steps));
		for (uint32_t i = 0; i < n; i++)
			for (size_t v = 0; choice_is_made(&worst[i]) && v < choose_chosen(worst[i].result).of; v++) {
				struct rec_try t = { REC_TRY_CHOICE, 0, 0, v, i };
				assert_true(experiment(&t, rec, worst, n, run_values, NULL, &runs));
				assert_int_equal(t.result, values_fail() ? REC_TRY_FAILS : REC_TRY_PASSES);
			}
		assert_int_equal(runs, VALUES_A + 2 * VALUES_B);
		recording_free(rec);
		free(result.event);
	}
	toy_forget(&toy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
