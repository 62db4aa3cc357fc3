/* Prints between its steps, reads a file as it goes, and fails in one order only: the recorded output must be what this execution prints alone. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char order[16];
static int n;

static void *thread(void *name)
{
	for (int i = 0; i < 3; i++) {
		pthread_mutex_lock(&mutex);
		order[n++] = *(char *)name;
		printf("%d: %s\n", n, order);
		fflush(stdout);
		fprintf(stderr, "%c", *(char *)name);
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

int main(void)
{
	pthread_t t[2];
	puts("begin");
	pthread_create(&t[0], NULL, thread, "a");
	pthread_create(&t[1], NULL, thread, "b");
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	assert(order[2] != 'b' || order[3] != 'b' || order[4] != 'b'); /* aabbba: not among the first executions */
	return 0;
}
