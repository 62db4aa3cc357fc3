/*
 * use HOW: a loop reads a flag up to 12 times. HOW decides what depends on the turn at which another thread sets it:
 *   sum     the sum of what it read is 5
 *   turns   the number of turns is 5, which the thread looks at after it has called another function
 *   late    the thread has another way on after five turns
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static atomic_int flag, other;
static int seen;

static void *set(void *arg)
{
	atomic_store(&flag, 1);
	return arg;
}

__attribute__((noinline)) static int sum(void)
{
	int total = 0;

	for (int i = 0; i < 12; i++)
		total += atomic_load(&flag);
	return total;
}

__attribute__((noinline)) static int turns(void)
{
	int i = 0;

	while (i < 12 && !atomic_load(&flag))
		i++;
	return i;
}

int main(int argc, char **argv)
{
	pthread_t t;

	if (argc < 2)
		return 2;
	pthread_create(&t, NULL, set, NULL);
	if (!strcmp(argv[1], "sum")) {
		assert(sum() != 5);
	} else if (!strcmp(argv[1], "turns")) {
		seen = turns();
		pthread_join(t, NULL);
		assert(seen != 5);
		return 0;
	} else if (turns() == 5) {
		atomic_store(&other, 1);
	}
	pthread_join(t, NULL);
	assert(!atomic_load(&other));
	return 0;
}
