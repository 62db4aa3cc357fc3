/* Stacks are as deep in one execution as in no other before; what lies below is zero each time. */
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
	return sum + (depth > 0 ? dig(depth - 1) : 0) + (room[0] != 0xee);
}

static void *body(void *arg)
{
	volatile char skipped[60000]; /* what take_turns left is above */
	long me = (long)arg;

	take_turns(2);
	pthread_mutex_lock(&check_lock);
	first = first < 0 ? (int)me : first;
	pthread_mutex_unlock(&check_lock);
	skipped[0] = 1;
	CHECK(dig(first == 1 ? 60 : 5) == 0 && skipped[0]);
	return NULL;
}

int main(void)
{
	volatile char skipped[500000];

	run_two(body);
	skipped[0] = 1;
	CHECK(dig(first == 1 ? 200 : 5) == 0 && skipped[0]);
	return 0;
}
