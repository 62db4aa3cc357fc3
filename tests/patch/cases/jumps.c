/* setjmp and longjmp in all their forms, over several frames and from a callback of libc. */
#include "case.h"

#include <setjmp.h>
#include <signal.h>

static jmp_buf outer, inner;
static sigjmp_buf with_mask;
static int trail;

static NOINLINE void dive(int n)
{
	int local[8];
	for (int i = 0; i < 8; i++)
		local[i] = n + i;
	BARRIER();
	trail += local[n & 7];
	if (n == 0)
		longjmp(outer, trail & 0xff);
	if (n == 5 && !setjmp(inner)) {
		dive(n - 1);
		trail += 100000;
	} else {
		dive(n - 1);
	}
	trail += local[1];
}

static int compare(const void *a, const void *b)
{
	if (++trail > 20)
		siglongjmp(with_mask, 3);
	return *(const int *)a - *(const int *)b;
}

static void *builtin_buf[5];
static NOINLINE void jump_back(void) { __builtin_longjmp(builtin_buf, 1); }
static NOINLINE int builtin_jump(int n)
{
	volatile int turns = n;
	if (__builtin_setjmp(builtin_buf) == 0)
		jump_back();
	turns++;
	if (turns < 5)
		jump_back();
	return turns;
}

CASE(jumps)
{
	volatile int round = 0;
	int r = setjmp(outer);
	printf("setjmp %d\n", r);
	if (round++ < 3)
		dive(10 + round);
	printf("trail %d\n", trail);
	trail = 0;
	int values[64];
	for (int i = 0; i < 64; i++)
		values[i] = (i * 37) % 64;
	r = sigsetjmp(with_mask, 1);
	if (!r)
		qsort(values, 64, sizeof(int), compare);
	printf("sigsetjmp %d trail %d\n", r, trail);
	trail = -1000;
	qsort(values, 64, sizeof(int), compare);
	for (int i = 0; i < 64; i++)
		if (values[i] != i)
			printf("not sorted at %d\n", i);
	printf("builtin %d\n", builtin_jump(0));
}
