/* Bit-fields, unions, packed and copied structures of many sizes. */
#include "case.h"

struct bits { unsigned a : 1, b : 3, c : 12, d : 16; int64_t e : 40; uint64_t f : 24; signed g : 5; };
struct __attribute__((packed)) packed { uint8_t a; uint32_t b; uint16_t c; uint64_t d; double e; };
union any { uint64_t u; double d; uint8_t b[8]; struct { uint32_t lo, hi; } h; };
#define SIZED(n) struct s##n { unsigned char v[n]; };
SIZED(1) SIZED(3) SIZED(7) SIZED(8) SIZED(15) SIZED(16) SIZED(17) SIZED(31) SIZED(33) SIZED(64) SIZED(100) SIZED(255) SIZED(1000) SIZED(4097)

static NOINLINE void set_bits(struct bits *s, unsigned x)
{
	s->a ^= 1;
	s->b += x;
	s->c -= 3 * x;
	s->d |= x << 4;
	s->e = s->e * 3 - x;
	s->f ^= s->c;
	s->g++;
}
static struct packed packs[8];
static NOINLINE uint64_t pack(unsigned n)
{
	for (unsigned i = 0; i < 8; i++) {
		packs[i].a++;
		packs[i].b += n * i;
		packs[i].c ^= 0x1234;
		packs[i].d -= packs[i].b;
		packs[i].e += 0.25;
	}
	return mix_bytes(0, packs, sizeof(packs));
}

#define COPY(n) \
	static struct s##n from##n, to##n[3]; \
	static NOINLINE uint64_t copy##n(void) \
	{ \
		for (unsigned i = 0; i < n; i++) \
			from##n.v[i] = (unsigned char)(i * 7 + n); \
		BARRIER(); \
		to##n[0] = from##n; \
		to##n[1] = to##n[0]; \
		memset(&to##n[0], 0x5a, sizeof(to##n[0])); \
		to##n[2] = to##n[1]; \
		memmove(to##n[1].v, to##n[2].v + (n > 1), n - (n > 1)); \
		BARRIER(); \
		return mix_bytes(n, to##n, sizeof(to##n)) + (uint64_t)!memcmp(&from##n, &to##n[2], n); \
	}
COPY(1) COPY(3) COPY(7) COPY(8) COPY(15) COPY(16) COPY(17) COPY(31) COPY(33) COPY(64) COPY(100) COPY(255) COPY(1000) COPY(4097)

static NOINLINE struct s100 by_value(struct s100 a, struct s33 b)
{
	for (unsigned i = 0; i < 33; i++)
		a.v[i] ^= b.v[i];
	return a;
}

CASE(structs)
{
	struct bits b = {0, 1, 2, 3, -4, 5, -6};
	union any u;
	for (unsigned i = 0; i < 100; i++)
		set_bits(&b, (unsigned)opaque(i));
	printf("bits %u %u %u %u %lld %llu %d\n", b.a, b.b, b.c, b.d, (long long)b.e, (unsigned long long)b.f, b.g);
	result("packed", pack(3) ^ pack(5));
	u.d = (double)opaque(3) / 7;
	u.b[1] ^= 0x40;
	u.h.hi += 2;
	result("union", u.u);
#define C(n) result("copy" #n, copy##n());
	C(1) C(3) C(7) C(8) C(15) C(16) C(17) C(31) C(33) C(64) C(100) C(255) C(1000) C(4097)
	struct s100 v = by_value(from100, from33);
	result("by_value", mix_bytes(0, &v, sizeof(v)));
}
