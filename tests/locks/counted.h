/*
 * The main of programs that count under a lock: PROGRAM THREADS ROUNDS [VARIANT]. Each thread adds to a counter that often. The program defines enter and leave,
 * and must include this file before them.
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void enter(void);
static void leave(void);

static const char *variant = "";
static int rounds, counter;

static void *run(void *arg)
{
	for (int i = 0; i < rounds; i++) {
		enter();
		counter++;
		leave();
	}
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t[8];
	int n = argc > 2 ? atoi(argv[1]) : 0;

	assert(n >= 1 && n <= 8);
	rounds = atoi(argv[2]);
	if (argc > 3)
		variant = argv[3];
	for (int i = 0; i < n; i++)
		pthread_create(&t[i], NULL, run, NULL);
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	assert(counter == n * rounds);
}
