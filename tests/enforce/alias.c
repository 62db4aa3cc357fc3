/* Each of two threads adds one to a number without a lock. argv[1] and argv[2] say to which: an addition is lost only
   if both are the same. */
#include "window.h"
static volatile int number[2];
static void add(int k)
{
	int old = number[k];

	window(1);
	number[k] = old + 1;
}
static int first, second;
static void *a(void *arg)
{
	add(first);
	return arg;
}
static void *b(void *arg)
{
	add(second);
	return arg;
}
int main(int argc, char **argv)
{
	first = atoi(argv[1]);
	second = atoi(argv[2]);
	run_two(a, b);
	assert(number[0] + number[1] == 2);
	return 0;
}
