/* Two threads may both conclude that they are the last user of a block, and both free it. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int users = 2;
static char *block;

static void *user(void *arg)
{
	pthread_mutex_lock(&lock);
	users--;
	pthread_mutex_unlock(&lock);
	/* too late */
	pthread_mutex_lock(&lock);
	int left = users;
	pthread_mutex_unlock(&lock);
	if (!left)
		free(block);
	return NULL;
}

int main(void)
{
	pthread_t t[2];

	block = malloc(100);
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, user, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
