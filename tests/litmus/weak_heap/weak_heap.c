/*
 * p stores into a block of the heap, and when q says that it has read it p gives it back and gets it again, zeroed. What p stored
 * before does not come over the zeros from the buffer.
 *
 * q reads before or after p's store, p sees q's flag or not: 4 traces under all models (a load and then a store in q: nothing that a buffer could turn round).
 */
#include "../weak.h"

static volatile int *block;
static atomic_int flag;

T(p)
{
	void *was = (void *)block;

	*block = 1;
	if (LD(flag)) {
		do { /* freed blocks wait before they are handed out again */
			free((void *)block);
			block = calloc(1, 64);
		} while (block != was);
		if (LD(flag) != 1 || *block != 0)
			_Exit(97);
	}
	return NULL;
}

T(q)
{
	(void)*block;
	ST(flag, 1);
	return NULL;
}

int main(void)
{
	block = calloc(1, 64);
	RUN(p, q);
	return 0;
}
