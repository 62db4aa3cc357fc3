#include "cli/nightly/stress/plan.h"

#include <stdlib.h>

#define PROBE_NS (10 * NS_PER_S)
#define LEAST_NS (NS_PER_S / 2) /* a shorter search would mostly start up */
#define PROBE_PART 2            /* the short searches may take half of the time */
#define ROUNDS_DOUBLE 20
#define KEPT_NS (3 * NS_PER_S)
#define KEPT_PART 20

static uint64_t at_least(uint64_t ns, uint64_t left)
{
	ns = ns < LEAST_NS ? LEAST_NS : ns;
	return ns < left ? ns : left;
}

/* Part of the whole time reserved for work after a search: finishing an execution, confirming a bug, saving. */
uint64_t plan_left_ns(const struct stress *s)
{
	uint64_t left = stress_left_ns(s), kept = s->opt.time_ns / KEPT_PART;

	kept = kept < KEPT_NS ? kept : KEPT_NS;
	return left == UINT64_MAX ? left : left > kept ? left - kept : 0;
}

uint64_t plan_slice_ns(const struct stress *s, unsigned round, size_t after, unsigned processors)
{
	uint64_t left = plan_left_ns(s), share;

	if (left == UINT64_MAX)
		return PROBE_NS << (round < ROUNDS_DOUBLE ? round : ROUNDS_DOUBLE);
	if (left < LEAST_NS / 5)
		return 0;
	share = left / (after + 1) * s->capacity / processors;
	if (round == 0) {
		share /= PROBE_PART;
		share = share < PROBE_NS ? share : PROBE_NS;
	}
	return at_least(share, left);
}

static double number(const struct stress_test *t, const char *key)
{
	return json_number_value(json_object_get(t->run, key));
}

double plan_remaining(const struct stress_test *t)
{
	double done = number(t, "executions"), all = number(t, "estimate");

	return done < 1 || all <= done ? 1e30 : (all - done) / done * number(t, "seconds");
}

static int by_rest(const void *a, const void *b)
{
	const struct stress_test *x = *(struct stress_test *const *)a, *y = *(struct stress_test *const *)b;
	double p = plan_remaining(x), q = plan_remaining(y);

	return p < q ? -1 : p > q ? 1 : x < y ? -1 : x > y;
}

void plan_sort(struct stress_test **list, size_t n)
{
	if (n)
		qsort(list, n, sizeof(*list), by_rest);
}
