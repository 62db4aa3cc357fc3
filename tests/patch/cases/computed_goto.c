/* Labels as values: a table of addresses, a table of differences, addresses on the stack, and through memory. */
#include "case.h"

enum { PUSH, ADD, MUL, DUP, SWAP, DEC, JNZ, STORE, LOAD, HALT };
static int64_t memory[8];

static NOINLINE int64_t interpret(const int *code)
{
	static const void *const where[] = {&&push, &&add, &&mul, &&dup, &&swap, &&dec, &&jnz, &&store, &&load, &&halt};
	int64_t stack[32], *sp = stack;
	const int *pc = code;
#define NEXT goto *where[*pc++]
	NEXT;
push: *sp++ = *pc++; NEXT;
add: sp--; sp[-1] += sp[0]; NEXT;
mul: sp--; sp[-1] = (int64_t)((uint64_t)sp[-1] * (uint64_t)sp[0]); NEXT;
dup: *sp = sp[-1]; sp++; NEXT;
swap: { int64_t t = sp[-1]; sp[-1] = sp[-2]; sp[-2] = t; } NEXT;
dec: sp[-1]--; NEXT;
jnz: if (sp[-1]) pc += *pc; else pc++; NEXT;
store: memory[*pc++] = *--sp; NEXT;
load: *sp++ = memory[*pc++]; NEXT;
halt: return sp[-1];
#undef NEXT
}

static NOINLINE unsigned differences(const unsigned char *s)
{
	static const int rel[] = {&&l0 - &&l0, &&l1 - &&l0, &&l2 - &&l0, &&l3 - &&l0};
	unsigned n = 1;
	goto *(&&l0 + rel[*s & 3]);
l0: if (!*s) return n;
	n += 1; s++; goto *(&&l0 + rel[*s & 3]);
l1: n *= 3; s++; goto *(&&l0 + rel[*s & 3]);
l2: n ^= *s; s++; goto *(&&l0 + rel[*s & 3]);
l3: n = n << 5 | n >> 27; s++; goto *(&&l0 + rel[*s & 3]);
}

static NOINLINE unsigned on_stack(unsigned n)
{
	void *volatile next[3];
	unsigned sum = 0;
	next[0] = &&a;
	next[1] = &&b;
	next[2] = &&end;
again:
	goto *next[n > 100 ? 2 : n & 1];
a: sum += n; n += 3; goto again;
b: sum ^= n; n += 5; goto again;
end: return sum;
}

CASE(computed_goto)
{
	/* factorial of 15 in a loop */
	static const int code[] = {PUSH, 1, STORE, 0, PUSH, 15, DUP, LOAD, 0, MUL, STORE, 0, DEC, JNZ, -8, LOAD, 0, HALT, ADD, SWAP};
	result("interpret", (uint64_t)interpret(code));
	result("differences", differences((const unsigned char *)"the quick brown fox jumps over the lazy dog"));
	result("on_stack", on_stack((unsigned)opaque(2)));
}
