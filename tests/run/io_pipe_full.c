/* A write larger than a pipe waits for the reader, and every byte arrives in order. */
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#define SIZE 200000

static int fds[2];
static char out[SIZE], in[SIZE];

static void *writer(void *arg)
{
	assert(write(fds[1], out, SIZE) == SIZE);
	close(fds[1]);
	return NULL;
}

int main(void)
{
	pthread_t t;
	size_t got = 0;
	ssize_t n;

	for (int i = 0; i < SIZE; i++)
		out[i] = (char)(i * 31 >> 3);
	assert(pipe(fds) == 0);
	assert(pthread_create(&t, NULL, writer, NULL) == 0);
	while ((n = read(fds[0], in + got, SIZE - got > 40000 ? 40000 : SIZE - got)) > 0)
		got += (size_t)n;
	assert(n == 0 && got == SIZE && memcmp(in, out, SIZE) == 0);
	pthread_join(t, NULL);
	return 0;
}
