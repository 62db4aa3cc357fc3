/* Makes a file that must not be there, and adds to another. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#ifndef THREADS
#define THREADS 3
#endif

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void *work(void *arg)
{
	pthread_mutex_lock(&m);
	n++;
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t t[THREADS];
	int fd = open("made", O_CREAT | O_EXCL | O_WRONLY, 0666), log;

	assert(fd >= 0);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, work, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	log = open("log.txt", O_WRONLY | O_APPEND);
	assert(log >= 0 && write(log, "after\n", 6) == 6);
	assert(lseek(log, 0, SEEK_END) == 13); /* "before\n", and ours once */
	return close(log) || close(fd);
}
