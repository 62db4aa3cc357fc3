/* Two threads count their calls without a lock. With --leave-out log_call that is not seen; `wrong` makes them also count without a lock elsewhere. */
#include <assert.h>
#include <pthread.h>

static int calls, counter;

static __attribute__((noinline)) void log_call(void)
{
	calls = calls + 1;
	__asm__ volatile("");
}

static void *run(void *wrong)
{
	log_call();
	if (wrong)
		counter = counter + 1;
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t[2];

	(void)argv;
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, run, argc > 1 ? &calls : NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	assert(argc == 1 || counter == 2);
}
