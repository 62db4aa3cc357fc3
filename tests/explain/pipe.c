/* Bytes through a pipe: how many a read gets depends on who wrote before. */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *writer(void *unused)
{
	return (void *)(write(ends[1], "hello", 5) - 5);
}

int main(void)
{
	pthread_t t;
	char buf[10];
	ssize_t n;

	if (pipe(ends))
		return 1;
	pthread_create(&t, NULL, writer, NULL);
	if (write(ends[1], "x", 1) != 1)
		return 1;
	n = read(ends[0], buf, sizeof(buf));
	assert(n != 6);
	pthread_join(t, NULL);
	return 0;
}
