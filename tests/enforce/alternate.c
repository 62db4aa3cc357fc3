/* Each thread adds the other's number to its own. The largest sums need strict alternation, which the author took for impossible. */
#include "window.h"
enum { ROUNDS = 3, LARGEST = 13 };
static volatile int a = 1, b = 1;
static void *first(void *p)
{
	for (int i = 0; i < ROUNDS; i++) {
		a += b;
		window(4);
	}
	return p;
}
static void *second(void *p)
{
	window(2);
	for (int i = 0; i < ROUNDS; i++) {
		b += a;
		window(4);
	}
	return p;
}
int main(void)
{
	run_two(first, second);
	assert(a < LARGEST && b < LARGEST);
	return 0;
}
