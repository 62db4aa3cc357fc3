/* Two threads add to an eventfd, and the program relies on the order. Before that they use eventfds in all other ways
   that a certificate orders. */
#include <errno.h>
#include <sys/eventfd.h>
#include "window.h"
static int sum, full, tokens;

/* Each thread makes an eventfd of its own, while the other one does the same, and closes it. The next one has the same
   number. */
static void alone(eventfd_t add)
{
	eventfd_t found;

	for (int i = 0; i < 2; i++) {
		int own = eventfd(1, EFD_NONBLOCK);

		assert(!eventfd_write(own, add) && !eventfd_read(own, &found) && found == add + 1);
		assert(eventfd_read(own, &found) == -1 && errno == EAGAIN);
		assert(!close(own));
	}
}

static void *one(void *a)
{
	uint64_t n = 5;

	alone(1);
	assert(write(full, &n, 4) == -1 && errno == EINVAL);
	assert(write(full, &n, sizeof(n)) == sizeof(n)); /* waits for two */
	assert(!eventfd_write(tokens, 2));
	window(1);
	assert(!eventfd_write(sum, 1));
	return a;
}

static void *two(void *a)
{
	uint64_t n;

	alone(2);
	assert(read(full, &n, sizeof(n)) == sizeof(n) && n == UINT64_MAX - 1);
	assert(read(full, &n, sizeof(n)) == sizeof(n) && n == 5);
	for (int i = 0; i < 2; i++)
		assert(!eventfd_read(tokens, &n) && n == 1);
	assert(!eventfd_write(sum, 2));
	return a;
}

int main(void)
{
	pthread_t t[2];
	eventfd_t first, second = 0;

	sum = eventfd(0, 0);
	full = eventfd(0, 0);
	tokens = eventfd(0, EFD_SEMAPHORE);
	assert(sum >= 0 && tokens >= 0 && !eventfd_write(full, UINT64_MAX - 1));
	pthread_create(&t[0], NULL, one, NULL);
	pthread_create(&t[1], NULL, two, NULL);
	assert(!eventfd_read(sum, &first));
	if (first != 3)
		assert(!eventfd_read(sum, &second));
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	assert(first & 1 && first + second == 3);
	return 0;
}
