/* Store buffering: both loads may miss both stores on the processor, never under sequential consistency. */
#include "window.h"
static volatile int x, y;
static int r1, r2;
static void *left(void *a) { x = 1; r1 = y; return a; }
static void *right(void *a) { y = 1; r2 = x; return a; }
int main(void)
{
	run_two(left, right);
	assert(r1 || r2);
	return 0;
}
