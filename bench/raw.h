/*
 * System calls and the real clock, for programs that measure themselves under simul: libc's own syscall
 * function, looked up in libc itself, so that simul does not interpose it (simul's clock is virtual, and it intercepts system calls
 * from outside libc's text).
 */
#ifndef BENCH_RAW_H
#define BENCH_RAW_H

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>

static long (*raw)(long number, ...);

/* Must be called first. */
static inline void raw_init(void)
{
	void *libc = dlopen("libc.so.6", RTLD_NOW);

	raw = libc ? (long (*)(long, ...))dlsym(libc, "syscall") : NULL;
	if (!raw)
		abort();
}

/* CLOCK_MONOTONIC in nanoseconds, the real one. */
static inline int64_t raw_now(void)
{
	struct timespec t;

	raw(SYS_clock_gettime, CLOCK_MONOTONIC, &t);
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
