/* main sleeps until its thread should be done, as many tests do. With free time the sleep may end first. With discrete time it never does, and simul
 * still reports a thread that really needs longer than the sleep.
 * check: bug kind=assert replays=3 : --
 * check: complete traces=1 says=passes_only_when_nothing_else : --time-model discrete --
 * check: complete says=with_--time-model_discrete : --time-model discrete --
 * check: complete traces=1 : --time-model discrete --model tso --
 * check: bug kind=assert replays=3 : --time-model discrete -- 7
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static atomic_int done;
static int seconds, rounds;

static void *work(void *unused)
{
	for (int i = 0; i < rounds; i++)
		sleep(seconds);
	atomic_store(&done, 1);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t;

	seconds = argc > 1 ? atoi(argv[1]) : 0;
	rounds = seconds ? 1 : 0;
	pthread_create(&t, NULL, work, NULL);
	sleep(5);
	assert(atomic_load(&done));
	pthread_join(t, NULL);
	return 0;
}
