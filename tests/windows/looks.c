/* A lock made of a word. A thread that waits gives way soon, in slices and in windows: how long it computes between
 * two looks is not known (exponential backoff), so it must not look thousands of times. */
#include <assert.h>
#include <stdatomic.h>
#include "two_threads.h"
#define ROUNDS 4000
#define MOST 2000 /* looks of one wait: 32 until the thread gives way, 400 in a window */
static atomic_int taken;
static int counter;
static void *work(void *u)
{
	for (int i = 0; i < ROUNDS; i++) {
		int looks = 0;
		while (atomic_exchange(&taken, 1))
			assert(++looks < MOST);
		for (int k = 0; k < 30; k++)
			counter++;
		atomic_store(&taken, 0);
	}
	return 0;
}
int main(void)
{
	run_two(work);
	return 0;
}
