/*
 * Hash functions, none of them cryptographic. Some results are stored in files (checksums, digests, names), so they must never change.
 */
#ifndef SIMUL_HASH_H
#define SIMUL_HASH_H

#include <stddef.h>
#include <stdint.h>

/* FNV-1a, 64 bit. Start with HASH_START. */
#define HASH_START UINT64_C(0xcbf29ce484222325)

static inline uint64_t hash_byte(uint64_t h, uint8_t byte)
{
	return (h ^ byte) * UINT64_C(0x100000001b3);
}

static inline uint64_t hash_bytes(uint64_t h, const void *bytes, size_t n)
{
	for (const uint8_t *p = bytes; n; n--)
		h = hash_byte(h, *p++);
	return h;
}

/* Like hash_bytes, but hashes a whole word in one step: faster, with weaker low bits. */
static inline uint64_t hash_word(uint64_t h, uint64_t word)
{
	return (h ^ word) * UINT64_C(0x100000001b3);
}

/* Multiplication by 2^64 / golden ratio. Spreads the bits of x into the upper half of the result; take a table's slot from there. */
static inline uint64_t hash_spread(uint64_t x)
{
	return x * UINT64_C(0x9e3779b97f4a7c15);
}

/* Adds a word to a hash. Mixes the bits better than hash_word. */
static inline uint64_t hash_mix(uint64_t h, uint64_t word)
{
	h = hash_spread(h ^ word);
	return h ^ h >> 32;
}

/* splitmix64 (Steele, Lea, Flood 2014): the state advances by SPLITMIX_STEP, and splitmix_output makes a random word of it. */
#define SPLITMIX_STEP UINT64_C(0x9e3779b97f4a7c15)

static inline uint64_t splitmix_output(uint64_t state)
{
	state = (state ^ (state >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	state = (state ^ (state >> 27)) * UINT64_C(0x94d049bb133111eb);
	return state ^ (state >> 31);
}

/* A bijection in which each bit of the result depends on all bits of x. */
static inline uint64_t mix64(uint64_t x)
{
	return splitmix_output(x + SPLITMIX_STEP);
}

#endif
