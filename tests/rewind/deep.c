/* Each execution uses more stack than all before it. The memory below must be zero each time. */
#include "check.h"

static int first = -1;

static __attribute__((noinline)) int dig(int depth)
{
	volatile unsigned char room[3000]; /* not initialised */
	int sum = 0;

	for (size_t i = 0; i < sizeof(room); i += 64)
		sum += room[i];
	for (size_t i = 0; i < sizeof(room); i++)
		room[i] = 0xee;
	if (depth > 0)
		sum += dig(depth - 1);
	__asm__ volatile("" : : : "memory"); /* keeps the compiler from turning the recursion into a loop */
	return sum + (room[0] != 0xee);
}

/* Called with a stack deeper than that of all calls before. */
static __attribute__((noinline)) int far_down(int depth)
{
	volatile char skipped[60000];
	skipped[0] = 0;
	return dig(depth) + skipped[0];
}

static void *body(void *arg)
{
	long me = (long)arg;

	take_turns(2);
	pthread_mutex_lock(&check_lock);
	first = first < 0 ? (int)me : first;
	pthread_mutex_unlock(&check_lock);
	CHECK(far_down(first == 1 ? 60 : 5) == 0);
	return NULL;
}

int main(void)
{
	run_two(body);
	CHECK(first < 2);
	return 0;
}
