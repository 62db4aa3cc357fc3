/* argv[1] threads that compute by themselves, and add what they have to one number at the end. */
#include "timed.h"
static unsigned long sum;
static void *run(void *a)
{
	__atomic_fetch_add(&sum, compute((unsigned long)a, 20000000), __ATOMIC_SEQ_CST);
	return a;
}
int main(int argc, char **argv)
{
	timed_threads(atoi(argv[1]), run);
	return 0;
}
