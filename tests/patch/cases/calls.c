/* Recursion, tail calls, mutual recursion, function pointers, many arguments, structures as values. */
#include "case.h"

static uint64_t calls;
static NOINLINE uint64_t fib(unsigned n) { calls++; return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static NOINLINE unsigned ackermann(unsigned m, unsigned n)
{
	calls++;
	return !m ? n + 1 : !n ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
static NOINLINE int is_odd(unsigned n);
static NOINLINE int is_even(unsigned n) { calls++; return !n || is_odd(n - 1); }
static NOINLINE int is_odd(unsigned n) { calls++; return n && is_even(n - 1); }
static NOINLINE uint64_t tail(uint64_t n, uint64_t acc, uint64_t *log) { log[n & 7] ^= acc; return n ? tail(n - 1, mix(acc, n), log) : acc; }
static NOINLINE uint64_t deep(unsigned n, uint64_t *p)
{
	uint64_t local[4] = {n, *p, n * 3, 7};
	*p += n;
	uint64_t r = n ? deep(n - 1, &local[n & 3]) : 1;
	return mix(r, local[0] + local[1] + local[2] + local[3]);
}

typedef uint64_t (*op)(uint64_t, uint64_t);
static uint64_t add(uint64_t a, uint64_t b) { calls++; return a + b; }
static uint64_t sub(uint64_t a, uint64_t b) { calls++; return a - b; }
static uint64_t mul(uint64_t a, uint64_t b) { calls++; return a * b; }
static uint64_t xor_(uint64_t a, uint64_t b) { calls++; return a ^ b; }
static op ops[] = {add, sub, mul, xor_};
static NOINLINE uint64_t jump_through(op *where, uint64_t a, uint64_t b) { return (*where)(a, b); } /* jmp *mem */
static NOINLINE uint64_t call_through(op *where, uint64_t a, uint64_t b) { return (*where)(a, b) + 1; } /* call *mem */

struct wide { uint64_t v[6]; };
struct two { uint64_t a, b; };
struct mixed { double d; uint32_t i; };
static NOINLINE struct wide widen(struct wide w, struct two t, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e)
{
	for (int i = 0; i < 6; i++)
		w.v[i] = mix(w.v[i], t.a + a + b + c + d + e * (unsigned)i);
	return w;
}
static NOINLINE struct two swapped(struct two t) { return (struct two){t.b, t.a}; }
static NOINLINE struct mixed scaled(struct mixed m, double by) { return (struct mixed){m.d * by, m.i + 1}; }

CASE(calls)
{
	uint64_t log[8] = {0}, a = opaque(3), b = opaque(5), seed = 9;
	result("fib", fib(18));
	result("ackermann", ackermann(2, 30));
	result("even", (uint64_t)is_even((unsigned)opaque(1001)));
	result("tail", tail(5000, 1, log));
	result("log", mix_bytes(0, log, sizeof(log)));
	result("deep", deep(3000, &seed));
	for (unsigned i = 0; i < 1000; i++) {
		a = jump_through(&ops[(a >> 7) & 3], a, b);
		b = call_through(&ops[(b >> 5) & 3], b, a);
	}
	result("pointers", mix(a, b));
	struct wide w = widen((struct wide){{1, 2, 3, 4, 5, 6}}, swapped((struct two){a, b}), 1, 2, 3, 4, 5);
	result("wide", mix_bytes(0, &w, sizeof(w)));
	struct mixed m = scaled((struct mixed){1.5, 7}, 4);
	printf("%g %u calls %llu\n", m.d, m.i, (unsigned long long)calls);
}
