/*
 * p stores into a heap block. When q has set a flag after reading the block, p frees it and allocates it again, zeroed. The earlier store
 * must not leave the buffer later and overwrite the zeros.
 *
 * q reads before or after p's store, p sees q's flag or not: 4 traces under all models (a load and then a store in q: a buffer cannot reorder these).
 */
#include "../weak.h"

static volatile int *block;
static atomic_int flag;

T(p)
{
	void *was = (void *)block;

	*block = 1;
	if (LD(flag)) {
		do { /* freed blocks are not reused at once */
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
