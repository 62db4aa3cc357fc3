/* Robustness of random programs executed in the world: an execution is robust if the program without buffers has the same Shasha-Snir trace. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/robust.h"
#include "tests/unit/lib_weak.h"

static union {
	struct arena a;
	uint64_t room[4 << 20];
} scratch;

static struct robust_cycle cycle;

static uint64_t seed = 0x9e3779b97f4a7c15;

static unsigned draw(unsigned n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (unsigned)(seed >> 20) % n;
}

static struct toy toy;

/* Prefers steps of threads to updates, in some executions more than in others. */
static int any_choice(void *ctx, const struct sched_view *view)
{
	const unsigned *lazy = ctx;
	unsigned i = draw(view->n);
	for (unsigned k = 0; k < *lazy && is_agent(view->choices[i].thread); k++)
		i = draw(view->n);
	return (int)i;
}

static void toy_programs(void **state)
{
	unsigned answers[3][2] = { { 0 } }, programs = 0;
	for (uint64_t i = 0; programs < 600; i++) {
		struct toy_program p;
		struct toy_set sc = { 0 };
		struct weak_search search = { .model = MODEL_SC, .most = 3000 };
		weak_random(&p, 5, i);
		p.model = MODEL_SC;
		weak_traces(&p, &search, &sc);
		for (unsigned k = 0; k < 60 && search.complete; k++) {
			struct arena *a = arena_init(scratch.room, sizeof(scratch.room));
			unsigned lazy = k % 4 * 8;
			bool unknown, robust;
			p.model = k % 2 ? MODEL_TSO : MODEL_PSO;
			toy_init(&toy, &p);
			assert_true(toy_execute(&toy, any_choice, NULL, &lazy) <= RUN_DEADLOCK);
			robust = robust_check(toy.trace.event, toy.trace.n, a, &cycle, &unknown);
			assert_false(unknown);
			if (robust != toy_set_has(&sc, toy_weak_hash(&toy, false)))
				toy_print(&p);
			assert_int_equal(robust, toy_set_has(&sc, toy_weak_hash(&toy, false)));
			answers[p.model][robust]++;
		}
		programs += search.complete;
		toy_set_clear(&sc);
	}
	for (unsigned m = MODEL_TSO; m <= MODEL_PSO; m++)
		print_message("%s: %u of %u traces are sequentially consistent\n", memory_model_text(m), answers[m][1],
			answers[m][0] + answers[m][1]);
	for (unsigned m = MODEL_TSO; m <= MODEL_PSO; m++)
		assert_true(answers[m][0] > 200 && answers[m][1] > 200);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(toy_programs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
