/* Two threads, one mutex, no bug: two traces. Echoes its arguments and a line of input. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void *work(void *arg)
{
	pthread_mutex_lock(&m);
	n++;
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t;
	char line[256];

	pthread_create(&t, NULL, work, NULL);
	work(NULL);
	pthread_join(t, NULL);
	printf("n = %d, %d arguments\n", n, argc - 1);
	if (fgets(line, sizeof(line), stdin))
		printf("read: %s", line);
	return n == 2 ? 0 : 1;
}
