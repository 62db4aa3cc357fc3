/*
 * use HOW: a loop reads a flag up to 12 times. HOW decides what depends on the turn at which another thread sets it:
 *   sum     the sum of what it read is 5
 *   turns   the number of turns is 5, which the thread looks at after it has called another function
 *   late    the thread has another way on after five turns
 *   shared  nothing; the flag lies in memory that other processes could share, and is 1 at the end
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

static atomic_int own_flag, other;
static atomic_int *flag = &own_flag;
static int seen;

static void *set(void *arg)
{
	atomic_store(flag, 1);
	return arg;
}

__attribute__((noinline)) static int sum(void)
{
	int total = 0;

	for (int i = 0; i < 12; i++)
		total += atomic_load(flag);
	return total;
}

__attribute__((noinline)) static int turns(void)
{
	int i = 0;

	while (i < 12 && !atomic_load(flag))
		i++;
	return i;
}

int main(int argc, char **argv)
{
	pthread_t t;

	if (argc < 2)
		return 2;
	if (!strcmp(argv[1], "shared")) {
		pthread_create(&t, NULL, set, NULL);
		pthread_join(t, NULL);
		flag = mmap(NULL, sizeof *flag, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	}
	pthread_create(&t, NULL, set, NULL);
	if (!strcmp(argv[1], "shared")) {
		turns();
		pthread_join(t, NULL);
		assert(atomic_load(flag) == 1);
		return 0;
	}
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
