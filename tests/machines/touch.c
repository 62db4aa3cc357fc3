/* Four threads take a lock twice each. The first one creates a file, which other processes can see. */
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *add(void *first)
{
	if (first)
		close(open("touched", O_CREAT | O_WRONLY, 0666));
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&lock);
		count++;
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

int main(void)
{
	pthread_t t[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, add, i ? NULL : &lock);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return count != 8;
}
