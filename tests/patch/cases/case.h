/*
 * What the cases of the torture program share. A case is a file NAME.c or NAME.cc with a function case_NAME that prints
 * what it computes: the same natively and patched, whatever the compiler and its options. No addresses, no times.
 */
#ifndef TORTURE_CASE_H
#define TORTURE_CASE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))

#ifdef __cplusplus
#define CASE(name) extern "C" void case_##name(void); void case_##name(void)
#else
#define CASE(name) void case_##name(void); void case_##name(void)
#endif

/* A value of which the compiler knows nothing. */
static inline uint64_t opaque(uint64_t x)
{
	__asm__ volatile("" : "+r"(x));
	return x;
}

/* Makes the compiler believe that everything in memory was read and changed. */
#define BARRIER() __asm__ volatile("" ::: "memory")

static inline uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

static inline uint64_t mix_bytes(uint64_t hash, const void *data, size_t n)
{
	const unsigned char *p = (const unsigned char *)data;

	for (size_t i = 0; i < n; i++)
		hash = mix(hash, p[i]);
	return hash;
}

static inline void result(const char *what, uint64_t value)
{
	printf("%s %016llx\n", what, (unsigned long long)value);
}

#endif
