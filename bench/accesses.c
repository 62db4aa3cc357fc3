/*
 * accesses FILE ROUNDS: loads, stores and increments of memory that only one thread uses, one at a time. Writes the
 * nanoseconds of one load, one store and one increment to FILE.load, FILE.store and FILE.increment.
 */
#include <string.h>

#include "raw.h"

#define CELLS 1024 /* 8 KiB: in the first-level cache */

#define ONE_AT_A_TIME() __asm__ volatile("" ::: "memory")

static uint64_t *cell;

static __attribute__((noinline)) void loads(int rounds)
{
	uint64_t sum = 0;

	for (int i = 0; i < rounds; i++) {
		sum ^= cell[i % CELLS];
		ONE_AT_A_TIME();
	}
	__asm__ volatile("" ::"r"(sum));
}

static __attribute__((noinline)) void stores(int rounds)
{
	uint64_t *p = cell;

	for (int i = 0; i < rounds; i++) {
		p[i % CELLS] = (uint64_t)i;
		ONE_AT_A_TIME();
	}
}

static __attribute__((noinline)) void increments(int rounds)
{
	uint64_t *p = cell;

	for (int i = 0; i < rounds; i++) {
		p[i % CELLS]++;
		ONE_AT_A_TIME();
	}
}

/* loads also reads the pointer each time: two loads per iteration. */
static void measure(const char *path, const char *suffix, void (*f)(int), int rounds, int accesses)
{
	char name[4096];
	int64_t start;

	f(rounds / 10);
	start = raw_now();
	f(rounds);
	snprintf(name, sizeof(name), "%s.%s", path, suffix);
	report(name, (double)(raw_now() - start) / rounds / accesses);
}

int main(int argc, char **argv)
{
	int rounds = atoi(argv[2]);

	raw_init();
	cell = calloc(CELLS, sizeof(*cell));
	measure(argv[1], "load", loads, rounds, 2);
	measure(argv[1], "store", stores, rounds, 1);
	measure(argv[1], "increment", increments, rounds, 1);
	return 0;
}
