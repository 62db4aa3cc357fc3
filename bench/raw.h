/*
 * System calls and the real clock, for programs that measure themselves while simul controls them: plain instructions, which no
 * library interposes (simul's clock is virtual).
 */
#ifndef BENCH_RAW_H
#define BENCH_RAW_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>

static inline long raw(long number, long a, long b, long c, long d)
{
	register long r10 __asm__("r10") = d;
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10)
			 : "rcx", "r11", "memory");
	return result;
}

/* CLOCK_MONOTONIC in nanoseconds, the real one. */
static inline int64_t raw_now(void)
{
	struct timespec t;

	raw(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&t, 0, 0);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

/* Writes one number to a file. */
static inline void report(const char *path, double value)
{
	FILE *f = fopen(path, "w");

	if (!f || fprintf(f, "%.3f\n", value) < 0 || fclose(f) != 0)
		abort();
}

#endif
