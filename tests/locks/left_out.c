/*
 * Two threads count their calls without a lock. With --leave-out log_call that is not seen. `wrong`: they also count without a lock elsewhere; `also`: they
 * also use the counter of calls elsewhere.
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static int calls, counter, wrong, also;

static __attribute__((noinline)) void log_call(void)
{
	calls = calls + 1;
	__asm__ volatile("");
}

static void *run(void *arg)
{
	log_call();
	if (also)
		calls = calls + 1;
	if (wrong)
		counter = counter + 1;
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t[2];

	wrong = argc > 1;
	also = wrong && !strcmp(argv[1], "also");
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, run, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	assert(!wrong || counter == 2);
}
