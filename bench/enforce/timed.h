/* Times the part of a program in which it has several threads, so that a measurement can leave out how long starting took. */
#include <stdio.h>
#include <time.h>
#include "window.h"

static struct timespec begun, begun_cpu;

static inline void time_begin(void)
{
	clock_gettime(CLOCK_MONOTONIC, &begun);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begun_cpu);
}

static inline long long time_since(clockid_t clock, const struct timespec *then)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (now.tv_sec - then->tv_sec) * 1000000000ll + now.tv_nsec - then->tv_nsec;
}

/* Prints the time since time_begin, and the processor time of the process since then, in nanoseconds. */
static inline void time_print(void)
{
	long long elapsed = time_since(CLOCK_MONOTONIC, &begun);

	printf("%lld %lld\n", elapsed, time_since(CLOCK_PROCESS_CPUTIME_ID, &begun_cpu));
}

/* Runs n threads, which get their numbers from 0 on, and prints how long they took. */
static inline void timed_threads(int n, void *(*run)(void *))
{
	pthread_t t[32];

	time_begin();
	for (int i = 0; i < n; i++)
		pthread_create(&t[i], NULL, run, (void *)(intptr_t)i);
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	time_print();
}

/* Computes for somewhat more than n nanoseconds, without memory that other threads see. */
static inline unsigned long compute(unsigned long v, int n)
{
	for (int i = 0; i < n; i++)
		v = v * 6364136223846793005ul + 1442695040888963407ul;
	return v;
}
