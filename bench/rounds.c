/*
 * rounds FILE: three threads, three lock rounds each. Before the first thread exists, where simul takes its checkpoint,
 * it measures an empty fork + exit + wait of this very process and writes the mean, in nanoseconds, to FILE.
 */
#include <pthread.h>

#include "raw.h"

#define FORKS 300

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *rounds(void *arg)
{
	for (int i = 0; i < 3; i++) {
		pthread_mutex_lock(&lock);
		counter++;
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

static double empty_fork_ns(void)
{
	int64_t start = raw_now();

	for (int i = 0; i < FORKS; i++) {
		long pid = raw_call(SYS_fork, 0, 0, 0, 0);

		if (pid == 0)
			raw_call(SYS_exit_group, 0, 0, 0, 0);
		if (pid < 0 || raw_call(SYS_wait4, pid, 0, 0, 0) != pid)
			abort();
	}
	return (double)(raw_now() - start) / FORKS;
}

int main(int argc, char **argv)
{
	pthread_t t[3];

	raw_init();
	if (argv[1][0] != '-')
		report(argv[1], empty_fork_ns());
	for (int i = 0; i < 3; i++)
		if (pthread_create(&t[i], NULL, rounds, NULL) != 0)
			return 1;
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return counter == 9 ? 0 : 2;
}
