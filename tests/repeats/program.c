/*
 * program FD DIRECTORY TURNS OPERATIONS...: a thread for each argument, in which each letter is an operation. The outcome is a line that is written to FD.
 * Loops that read up to TURNS times, and then give up:
 *   s  until x is not 0        p  the same, with yields from the second turn on     z  until y is less than 2
 *   k  until it has changed x from 0 to 3 by a compare-and-swap (a failed one is a turn)
 *   m  and then until y is not 0, in the same function
 * Loops that use what a turn reads, or the number of turns, and so keep all their turns:
 *   u  adds up what it reads   t  counts the turns until x is not 0
 *   q  until x is not 0, and then changes y if that was not at once
 * Others: 0 to 2 store to x, a to c store to y, i adds 1 to x, r reads x and y.
 */
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "tests/lib/letters.h"

static atomic_int x, y;
static int turns;

__attribute__((noinline)) static int until_set(atomic_int *v)
{
	for (int i = 0; i < turns; i++) {
		int found = atomic_load(v);
		if (found)
			return found;
	}
	return -1;
}

__attribute__((noinline)) static int until_low(void)
{
	for (int i = 0; i < turns; i++)
		if (atomic_load(&y) < 2)
			return 1;
	return 0;
}

__attribute__((noinline)) static int with_yields(void)
{
	for (int i = 0; i < turns; i++) {
		int found = atomic_load(&x);
		if (found)
			return found;
		if (i > 0)
			sched_yield();
	}
	return -1;
}

__attribute__((noinline)) static int take(void)
{
	for (int i = 0; i < turns; i++) {
		int zero = 0;
		if (atomic_load(&x) == 0 && atomic_compare_exchange_strong(&x, &zero, 3))
			return 1;
	}
	return 0;
}

__attribute__((noinline)) static int sum(void)
{
	int total = 0;
	for (int i = 0; i < turns; i++)
		total += atomic_load(&x);
	return total;
}

__attribute__((noinline)) static int late(void)
{
	int i = 0;
	while (i < turns && !atomic_load(&x))
		i++;
	if (i > 0 && i < turns)
		atomic_store(&y, 5);
	return 0;
}

__attribute__((noinline)) static int count(void)
{
	int i = 0;
	while (i < turns && !atomic_load(&x))
		i++;
	return i;
}

static int result_of(char c)
{
	switch (c) {
	case 's': return until_set(&x);
	case 'p': return with_yields();
	case 'z': return until_low();
	case 'k': return take();
	case 'm': return until_set(&x) * 3 + until_set(&y);
	case 'u': return sum();
	case 'q': return late();
	case 't': return count();
	case 'i': return atomic_fetch_add(&x, 1);
	case 'r': return atomic_load(&x) * 10 + atomic_load(&y);
	default: break;
	}
	if (c >= 'a' && c <= 'c')
		atomic_store(&y, c - 'a');
	else
		atomic_store(&x, c - '0');
	return 0;
}

static char operate(long t, char c)
{
	(void)t;
	return (char)('0' + result_of(c) % 70);
}

int main(int argc, char **argv)
{
	if (argc < 4)
		return 2;
	turns = atoi(argv[3]);
	return !run_threads(argv + 4, argc - 4) ? 2 : put_outcome(atoi(argv[1]), x, y);
}
