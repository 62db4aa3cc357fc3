/* A data race that no assertion notices. */
#include <pthread.h>
#include <stdio.h>

static int latest;

static void *note(void *arg)
{
	latest = *(int *)arg;
	return NULL;
}

int main(void)
{
	pthread_t t[2];
	int value[2] = { 1, 2 };

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, note, &value[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	printf("%d\n", latest);
	return 0;
}
