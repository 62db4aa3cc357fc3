/* The stack: alloca, arrays of variable length, large frames, leaf functions with a red zone, aligned locals. */
#include "case.h"

#include <alloca.h>

static NOINLINE uint64_t with_alloca(unsigned n)
{
	uint64_t h = 0;
	for (unsigned i = 1; i < n; i++) {
		unsigned char *p = alloca(i * 3);
		memset(p, (int)i, i * 3);
		BARRIER();
		h = mix(h, p[i] + p[i * 3 - 1]);
	}
	return h;
}
static NOINLINE uint64_t with_vla(unsigned rows, unsigned columns)
{
	int grid[rows][columns];
	uint64_t h = 0;
	for (unsigned i = 0; i < rows; i++)
		for (unsigned j = 0; j < columns; j++)
			grid[i][j] = (int)(i * 31 + j);
	BARRIER();
	for (unsigned j = 0; j < columns; j++)
		for (unsigned i = 0; i < rows; i++)
			h = mix(h, (uint64_t)grid[i][j]);
	return h;
}
static NOINLINE uint64_t large_frame(unsigned seed)
{
	volatile unsigned char page[200000];
	uint64_t h = 0;
	for (unsigned i = 0; i < sizeof(page); i += 997)
		page[i] = (unsigned char)(seed + i);
	for (unsigned i = 0; i < sizeof(page); i += 997)
		h = mix(h, page[i]);
	return h;
}
/* no call inside: its locals lie below the stack pointer */
static NOINLINE uint64_t red_zone(const uint64_t *in)
{
	volatile uint64_t local[12];
	uint64_t h = 1;
	for (int i = 0; i < 12; i++)
		local[i] = in[i] ^ (uint64_t)i;
	for (int i = 11; i >= 0; i--)
		h = (h * 31) ^ local[i];
	return h;
}
static NOINLINE void escape(uint64_t *p) { *p = mix(*p, 5); p[1] += 1; }
static NOINLINE uint64_t escaped(uint64_t x)
{
	uint64_t local[2] = {x, 1};
	for (int i = 0; i < 10; i++)
		escape(local);
	return local[0] + local[1];
}
static NOINLINE uint64_t aligned(unsigned x)
{
	_Alignas(64) volatile unsigned v[32];
	_Alignas(128) volatile unsigned w[8];
	for (unsigned i = 0; i < 32; i++)
		v[i] = x * i;
	for (unsigned i = 0; i < 8; i++)
		w[i] = v[i * 4] + 1;
	return ((uintptr_t)v & 63) + ((uintptr_t)w & 127) + w[3] + v[31];
}
#ifndef __clang__
static NOINLINE int apply(int (*f)(int), int n) { return f(n) + f(n + 1); }
static NOINLINE int nested_functions(int base)
{
	__label__ out;
	int count = 0;
	int inner(int x)
	{
		count++;
		if (count > 3)
			goto out;
		return x + base;
	}
	count += apply(inner, 5);
	base = 100;
	count = 0;
	count += apply(inner, 7);
	apply(inner, 1);
	apply(inner, 1);
	return -1;
out:
	return count * 1000 + base;
}
#endif

CASE(frames)
{
	uint64_t in[12];
	for (unsigned i = 0; i < 12; i++)
		in[i] = opaque(i * 12345);
	result("alloca", with_alloca(60));
	result("vla", with_vla((unsigned)opaque(13), (unsigned)opaque(17)));
	result("large", large_frame((unsigned)opaque(3)));
	result("red_zone", red_zone(in));
	result("escaped", escaped(opaque(8)));
	result("aligned", aligned((unsigned)opaque(8)));
#ifndef __clang__
	result("nested", (uint64_t)nested_functions((int)opaque(10)));
#endif
}
