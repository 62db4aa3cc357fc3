/* Stands for a test program that cargo has built: it lists its tests and runs one of them, where cargo would. */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static bool other_order;

static void *transfer(void *arg)
{
	int first = arg && other_order;

	pthread_mutex_lock(&lock[first]);
	pthread_mutex_lock(&lock[1 - first]);
	pthread_mutex_unlock(&lock[1 - first]);
	pthread_mutex_unlock(&lock[first]);
	return NULL;
}

static int run(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, transfer, lock);
	transfer(NULL);
	return pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
	char here[4096];
	const char *package = getenv("CARGO_MANIFEST_DIR");

	if (argc >= 4 && !strcmp(argv[1], "--list") && !strcmp(argv[2], "--format") && !strcmp(argv[3], "terse")) {
		puts(argc == 5 && !strcmp(argv[4], "--ignored") ? "slow: test" : "locks::in_order: test\nlocks::crossed: test\nslow: test\nspeed: benchmark\n");
		return 0;
	}
	if (argc != 4 || strcmp(argv[1], "--exact") || strcmp(argv[3], "--test-threads=1"))
		return 2;
	if (!package || !getcwd(here, sizeof(here)) || strcmp(here, package))
		return 3;
	other_order = !strcmp(argv[2], "locks::crossed");
	return run();
}
