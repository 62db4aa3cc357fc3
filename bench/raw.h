/*
 * The real clock, for programs that measure themselves under simul, whose clock is virtual. simul intercepts system calls, but for those in
 * libc's own code: the clock is read through a system call instruction there.
 */
#ifndef BENCH_RAW_H
#define BENCH_RAW_H

#include <fcntl.h>
#include <gnu/libc-version.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>

#define RAW_SEARCHED 1000000 /* bytes of libc's code */

static const char *raw_instruction; /* syscall; ret */

static inline long raw_call(long number, long a, long b, long c, long d)
{
	register long r10 __asm__("r10") = d;
	long result;

	__asm__ volatile("lea -128(%%rsp), %%rsp\n\tcall *%1\n\tlea 128(%%rsp), %%rsp" /* behind the red zone */
			 : "=a"(result)
			 : "r"(raw_instruction), "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10)
			 : "rcx", "r11", "memory");
	return result;
}

/* CLOCK_MONOTONIC in nanoseconds, the real one. */
static inline int64_t raw_now(void)
{
	struct timespec t;

	if (raw_call(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&t, 0, 0))
		abort();
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

/* Must be called first. Fails if the clock is not the real one: a million dependent additions take at least 0.1 ms. */
static inline void raw_init(void)
{
	const char *code = (const char *)(uintptr_t)gnu_get_libc_version;
	volatile unsigned n = 0;
	int64_t start;

	raw_instruction = memmem(code, RAW_SEARCHED, "\x0f\x05\xc3", 3);
	if (!raw_instruction)
		abort();
	start = raw_now();
	while (n < 1000000)
		n++;
	if (raw_now() - start < 100000) {
		fputs("the clock that this program reads is not the real one\n", stderr);
		abort();
	}
}

/* Writes one number to a file, unseen by simul, which puts the files of an execution back. */
static inline void report(const char *path, double value)
{
	char text[64];
	int n = snprintf(text, sizeof(text), "%.3f\n", value);
	long fd = raw_call(SYS_open, (long)path, O_WRONLY | O_CREAT | O_TRUNC, 0666, 0);

	if (fd < 0 || raw_call(SYS_write, fd, (long)text, n, 0) != n || raw_call(SYS_close, fd, 0, 0, 0))
		abort();
}

#endif
