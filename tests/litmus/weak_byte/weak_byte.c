/*
 * One thread stores one byte of a word, and loads the word; another stores all of it.
 *
 * Either store is last, and the load finds the other one or not: 4. SC: the load finds the byte and, around it, the other store unless
 * that comes later: 3. TSO and PSO: the load can also take the byte from the buffer and the rest from memory before the other store, and then
 * the byte reaches memory after that store.
 */
#include "../weak.h"

static volatile union {
	unsigned whole;
	unsigned char byte[4];
} word;
static unsigned a;

T(p)
{
	word.byte[1] = 1;
	a = word.whole;
	return NULL;
}

T(q)
{
	word.whole = 0x02020202;
	return NULL;
}

int main(void)
{
	RUN(p, q);
	if (a != 0x0100 && a != 0x02020102 && a != 0x02020202)
		abort();
	return a == 0x0100 && word.whole == 0x02020102;
}
