/* Windows into long executions: which executions are made (explore/sampling/windows.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "explore/explore.h"
#include "explore/shared/common.h"
#include "explore/sampling/windows.h"
#include "tests/unit/lib_lines.h"

static _Alignas(16) char memory[8 << 20];

static void create(struct strategy *s)
{
	const struct explore_config config = {.strategy = STRATEGY_WINDOWS, .seed = 7};
	assert_true(explore_create(&config, memory, sizeof memory));
	assert_true(explore_attach(memory, sizeof memory, s));
}

/* Runs one execution. One that is all in slices ends with `slices`. */
static void run(const struct lines *p, struct strategy *s, char order[LINES_MOST + 1], enum run_verdict slices)
{
	struct explore_window w;
	struct trace trace;
	lines_begin(p, s, order, &trace);
	assert_true(explore_window(memory, &w));
	s->ops->end(s->self, &trace, w.to == 0 ? slices : RUN_OK);
}

/* Without a preemption threads 0, 1 and 2 run one after the other. In a window from event f on, each preemption is tried
   once: at events 0 to 3 two other threads could run, at 4 to 7 one. */
static void each_preemption(void **state)
{
	const struct lines p = {.n = 3, .code = {"aaaa", "bbbb", "cccc"}};
	struct strategy s;
	struct orders *o = calloc(1, sizeof *o);
	struct explore_window w, before = {0};
	unsigned whole = 0, none = 0;
	assert_non_null(o);
	create(&s);
	while (whole < 40 || none < 10) {
		char order[LINES_MOST + 1];
		uint64_t done = explore_stats(memory)->windows;
		run(&p, &s, order, RUN_OK);
		assert_true(explore_window(memory, &w) && w.slice >= 64 && w.slice < 32768 && w.from <= w.to);
		if (explore_stats(memory)->windows > done) { /* begin counted a window; this execution has a pair */
			assert_in_range(before.from, 0, 7);
			assert_int_equal(o->n, 1 + (before.from < 4 ? 4 + 2 * (4 - before.from) : 8 - before.from));
			for (unsigned i = 0; i < o->n; i++)
				assert_int_equal(o->count[i], 1);
			whole++;
		}
		none += w.to == 0 && before.to && before.from >= 8; /* only one thread was left */
		if (w.to == 0 || explore_stats(memory)->windows > done)
			memset(o, 0, sizeof *o);
		else
			orders_add(o, order);
		before = w;
	}
	free(o);
}

/* The executions of a window begin alike, so all but its first one can start at the window. */
static void begin_alike(void **state)
{
	const struct lines p = {.n = 3, .code = {"aaaa", "bbbb", "cccc"}};
	struct strategy s;
	struct explore_window w;
	struct trace trace;
	char order[LINES_MOST + 1], before[LINES_MOST + 1] = "";
	unsigned repeated = 0, first = 0;
	create(&s);
	while (repeated < 200 || first < 10) {
		lines_begin(&p, &s, order, &trace);
		assert_true(explore_window(memory, &w));
		uint32_t n = explore_repeats(memory, &trace);
		assert_true(n == 0 || n == w.from);
		if (w.to == w.from || w.to == w.from + WINDOW_LONGEST)
			assert_int_equal(n, 0);
		else
			assert_int_equal(n, w.from);
		assert_memory_equal(order, before, n);
		repeated += n > 0;
		first += w.to == w.from + WINDOW_LONGEST;
		memcpy(before, order, sizeof order);
		s.ops->end(s.self, &trace, RUN_OK);
	}
}

/* Runs executions up to the next one in slices, which ends with `slices`. Returns how many windows began before it. */
static unsigned windows_begun(const struct lines *p, struct strategy *s, enum run_verdict slices)
{
	struct explore_window w;
	char order[LINES_MOST + 1];
	unsigned n = 0;
	for (;;) {
		run(p, s, order, slices);
		assert_true(explore_window(memory, &w));
		if (w.to == 0)
			return n;
		n += w.to == w.from + WINDOW_LONGEST; /* its first execution */
	}
}

/* Executions in slices become rare if they are cut. One that is not cut makes them as frequent as before. */
static void cut_executions(void **state)
{
	const struct lines p = {.n = 3, .code = {"aaaa", "bbbb", "cccc"}};
	struct strategy s;
	create(&s);
	for (unsigned repeat = 0; repeat < 2; repeat++) {
		assert_int_equal(windows_begun(&p, &s, RUN_CUT), repeat);
		for (unsigned i = 1; i <= WINDOW_DOUBLINGS + 1; i++)
			assert_int_equal(windows_begun(&p, &s, RUN_CUT),
				1u << (i < WINDOW_DOUBLINGS ? i : WINDOW_DOUBLINGS));
		assert_int_equal(windows_begun(&p, &s, RUN_OK), 1u << WINDOW_DOUBLINGS);
		uint32_t cut = explore_stats(memory)->window_cut;
		assert_in_range(cut, 1, explore_stats(memory)->windows);
		for (unsigned i = 0; i < 10; i++)
			assert_int_equal(windows_begun(&p, &s, RUN_OK), 1);
		assert_int_equal(explore_stats(memory)->window_cut, cut);
		assert_true(explore_stats(memory)->windows > cut);
	}
}

/* Runs executions in the search laid out in m until `n` windows have begun, and writes their places. */
static void places(const struct lines *p, void *m, struct explore_window *out, unsigned n)
{
	struct explore_window w;
	struct strategy s;
	struct trace trace;
	char order[LINES_MOST + 1];
	assert_true(explore_attach(m, sizeof memory, &s));
	for (unsigned i = 0; i < n;) {
		lines_begin(p, &s, order, &trace);
		assert_true(explore_window(m, &w));
		s.ops->end(s.self, &trace, RUN_OK);
		if (w.to == w.from + WINDOW_LONGEST)
			out[i++] = w;
	}
}

/* Workers have windows of their own. The first one has the windows that it would have alone. */
static void workers(void **state)
{
	enum { WINDOWS = 8 };
	const struct lines p = {.n = 3, .code = {"aaaa", "bbbb", "cccc"}};
	const struct explore_config config = {.strategy = STRATEGY_WINDOWS, .seed = 7};
	const size_t each = sizeof memory;
	char *all = aligned_alloc(16, 4 * each);
	struct explore_window at[4][WINDOWS];
	assert_non_null(all);
	memset(all, 0, 4 * each);
	assert_true(explore_common_create(all + 3 * each, each));
	assert_true(explore_create(&config, memory, each));
	for (unsigned i = 0; i < 3; i++) {
		assert_true(explore_create(&config, all + i * each, each));
		assert_true(explore_join(all + i * each, all + 3 * each, each, i == 0));
		places(&p, all + i * each, at[i], WINDOWS);
		assert_true(explore_stats(all + i * each)->windows > 0);
	}
	places(&p, memory, at[3], WINDOWS);
	assert_memory_equal(at[0], at[3], sizeof at[0]);
	assert_memory_not_equal(at[0], at[1], sizeof at[0]);
	assert_memory_not_equal(at[0], at[2], sizeof at[0]);
	assert_memory_not_equal(at[1], at[2], sizeof at[0]);
	free(all);
}

/* The shortest execution in slices that ended counts, and as long as none has, the longest that was cut. */
static void operations(void **state)
{
	struct explore_stats all = {0}, worker = {0};

	explore_join_windows(&all, 0, 0);
	assert_int_equal(all.window_operations, 0);
	explore_join_windows(&all, 50, 0);
	explore_join_windows(&all, 70, 0);
	explore_join_windows(&all, 60, 0);
	assert_int_equal(all.window_operations, 70);
	explore_join_windows(&all, 90, 1);
	assert_int_equal(all.window_operations, 90);
	explore_join_windows(&all, 20, 0);
	assert_int_equal(all.window_operations, 90);
	explore_join_windows(&all, 80, 3);
	explore_join_windows(&all, 0, 0);
	assert_int_equal(all.window_operations, 80);
	assert_int_equal(all.window_uncut, 4);
	explore_join_windows(&worker, 10, 0);
	explore_join_windows(&worker, all.window_operations, all.window_uncut);
	assert_int_equal(worker.window_operations, 80);
	assert_int_equal(worker.window_uncut, 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_preemption),
		cmocka_unit_test(begin_alike),
		cmocka_unit_test(cut_executions),
		cmocka_unit_test(operations),
		cmocka_unit_test(workers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
