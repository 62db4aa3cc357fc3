/* Each thread raises its flag and then looks at the other's. The processor delays the stores: both may see no flag. Stores to cold memory before them, which
   leave the store buffer first, widen this window. */
#include "window.h"
enum { ROUNDS = 20, COLD = 40, LINE = 64, APART = 4096 + LINE };
static volatile int flag[ROUNDS][2][LINE], began[ROUNDS][2][LINE];
static char cold[2][COLD * APART];
static int saw[ROUNDS][2];
static void *look(int me)
{
	volatile char *mine = cold[me];

	for (int r = 0; r < ROUNDS; r++) {
		for (int k = 0; k < COLD; k++)
			mine[k * APART] = 0; /* the pages are there */
		for (int k = 0; k < COLD; k++)
			__builtin_ia32_clflush((void *)&mine[k * APART]);
		began[r][me][0] = 1;
		while (!began[r][!me][0])
			;
		for (int k = 0; k < COLD; k++)
			mine[k * APART] = 1;
		flag[r][me][0] = 1;
		saw[r][me] = flag[r][!me][0];
	}
	return NULL;
}
static void *left(void *a) { return a ? a : look(0); }
static void *right(void *a) { return a ? a : look(1); }
int main(void)
{
	run_two(left, right);
	for (int r = 0; r < ROUNDS; r++)
		assert(saw[r][0] || saw[r][1]);
	return 0;
}
