/* A thread adds to the counter of an eventfd when the sum would be too large, so it waits for the reader. poll reports the descriptor as
 * writable if there is room for a one, so simul tried again and again: each execution was cut after 100,000 steps.
 * check: complete traces=1 : --
 * check: complete traces=1 : --strategy source --shuffle 3 --
 * Room for a one, but not for 100; the third write fails with EINVAL at once. EFD_NONBLOCK gives EAGAIN in one of the two orders.
 * check: complete traces=2 : -- try
 * No thread reads: a deadlock.
 * check: bug kind=deadlock replays=1 : -- full
 * Two threads wait with different values. One read makes room for both.
 * check: complete : -- two
 * check: complete : --shuffle 2 --strategy source -- two
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define MOST UINT64_C(0xfffffffffffffffe)

static int fd;

static int put(uint64_t n)
{
	return write(fd, &n, sizeof(n)) == sizeof(n) ? 0 : errno;
}

static uint64_t take(void)
{
	uint64_t n;

	assert(read(fd, &n, sizeof(n)) == sizeof(n));
	return n;
}

static void *reader(void *unused)
{
	take();
	return unused;
}

static void *writer(void *value)
{
	assert(!put((uintptr_t)value));
	return NULL;
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";
	int try = !strcmp(mode, "try");
	pthread_t t, u;

	fd = eventfd(0, try ? EFD_NONBLOCK : 0);
	assert(!put(MOST - 50));
	if (try)
		assert(put(100) == EAGAIN && put(UINT64_MAX) == EINVAL && !put(0));
	if (!strcmp(mode, "two")) {
		pthread_create(&t, NULL, writer, (void *)100);
		pthread_create(&u, NULL, writer, (void *)200);
		assert(take() == MOST - 50);
		pthread_join(t, NULL);
		pthread_join(u, NULL);
		assert(take() == 300);
		return 0;
	}
	if (!strcmp(mode, "full"))
		reader(NULL), assert(!put(MOST));
	else
		pthread_create(&t, NULL, reader, NULL);
	int result = put(100);

	assert(!result || (try && result == EAGAIN));
	pthread_join(t, NULL);
	assert(result || take() == 100);
	return 0;
}
