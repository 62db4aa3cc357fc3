/* Jump tables: dense, sparse, nested, with ranges, in a loop; and a long if chain for comparison. */
#include "case.h"

static uint64_t table[64];

static NOINLINE uint64_t dense(unsigned op, uint64_t a)
{
	switch (op) {
#define OP(n, e) case n: table[n]++; return e;
	OP(0, a + 1) OP(1, a - 3) OP(2, a * 5) OP(3, a ^ 7) OP(4, a << 3) OP(5, a >> 2) OP(6, ~a) OP(7, -a)
	OP(8, a | 64) OP(9, a & 0xffff) OP(10, a + table[3]) OP(11, a % 17) OP(12, a / 3) OP(13, a * a) OP(14, a + 9)
	OP(15, table[a & 63]) OP(16, a ^ table[1]) OP(17, a + 17) OP(18, a - 18) OP(19, a * 19)
	OP(20, a ^ 0x5555) OP(21, a ^ 0xaaaa) OP(22, a + (a << 7)) OP(23, a + 23) OP(24, 24) OP(25, a * 25)
#undef OP
	default:
		table[63]++;
		return a + 63;
	}
}

static NOINLINE int sparse(int x)
{
	switch (x) {
	case -1000: return (int)table[0]++;
	case -1: return (int)table[1]++;
	case 0 ... 9: return x + (int)table[2]++;
	case 100: return (int)table[3]++;
	case 101: table[4] += 3; /* falls through */
	case 102: return (int)table[4]++;
	case 5000: return (int)table[5]--;
	case 0x7fffffff: return (int)(table[6] ^= 1);
	default: return -x;
	}
}

static NOINLINE unsigned nested(const char *s)
{
	unsigned state = 0, n = 0;
	for (; *s; s++) {
		switch (state) {
		case 0:
			switch (*s) {
			case 'a': state = 1; break;
			case 'b': state = 2; break;
			case 'c': n += 3; break;
			case 'd': n += 5; break;
			case 'e': n += 7; state = 3; break;
			default: n++;
			}
			break;
		case 1: n += *s == 'a' ? 2 : 1; state = 2; break;
		case 2: n ^= (unsigned)*s; state = 3; break;
		case 3: n *= 3; state = 4; break;
		case 4: n += 11; state = 5; break;
		case 5: n = n << 1 | n >> 31; state = 0; break;
		}
	}
	return n;
}

CASE(switches)
{
	uint64_t a = opaque(12345), h = 0;
	static const int values[] = {-1000, -1, 0, 5, 9, 10, 100, 101, 102, 103, 5000, 0x7fffffff, -77};

	for (unsigned i = 0; i < 5000; i++) {
		a = dense((unsigned)((a ^ i) % 29), a);
		h = mix(h, a);
	}
	result("dense", h);
	for (unsigned i = 0; i < 130; i++)
		h = mix(h, (uint64_t)sparse(values[i % 13]));
	result("sparse", h);
	result("nested", nested("abcdeabecdeacbdeaabbccddeeedcba"));
	result("table", mix_bytes(0, table, sizeof(table)));
}
