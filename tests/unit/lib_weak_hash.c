/* Hashes of Shasha-Snir traces: see lib_weak.h. */
#include "base/check.h"
#include "tests/unit/lib_weak.h"

static uint64_t mixed(uint64_t x)
{
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

void weak_other(struct toy_hash *h, uint64_t a, uint64_t b)
{
	uint64_t x = mixed(mixed(a + UINT64_C(0x9e3779b97f4a7c15)) + b);
	h->a += x;
	h->b += mixed(x ^ UINT64_C(0xd1342543de82ef95)) + mixed(b ^ UINT64_C(0x2545f4914f6cdd1d)) * (a | 1);
}

enum part { DID = 1, READ, WROTE, LOCKED };

static void part(struct toy_hash *h, enum part what, unsigned a, unsigned b, unsigned c, unsigned d, unsigned e)
{
	INVARIANT((a | b | c | d | e) < 1u << 16, "a number too big for a part of a trace");
	weak_other(h, (uint64_t)what << 48 | (uint64_t)a << 32 | b << 16 | c, (uint64_t)d << 16 | e);
}

void weak_did(struct toy_hash *h, unsigned t, unsigned no, enum weak_access what, unsigned at, unsigned size, bool wrote)
{
	part(h, DID, t, no, at, size, (unsigned)what << 1 | wrote);
}

void weak_read(struct toy_hash *h, unsigned t, unsigned no, unsigned byte, unsigned from, unsigned from_no)
{
	part(h, READ, t, no, byte, from, from_no);
}

void weak_wrote(struct toy_hash *h, unsigned byte, unsigned place, unsigned t, unsigned no)
{
	part(h, WROTE, byte, place, t, no, 0);
}

void weak_locked(struct toy_hash *h, unsigned mutex, unsigned place, unsigned t, unsigned no)
{
	part(h, LOCKED, mutex, place, t, no, 0);
}
