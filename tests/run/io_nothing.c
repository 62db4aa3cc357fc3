/* Calls that never wait: reads of no bytes, reads that are too short, and splice with SPLICE_F_NONBLOCK. The pipe stays empty until all of
   them are done, so a call that waits is a deadlock. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/uio.h>
#include <unistd.h>

static int empty[2], other[2], event;

static void *try(void *unused)
{
	char byte;
	struct iovec none = {&byte, 0};

	assert(read(empty[0], &byte, 0) == 0);
	assert(readv(empty[0], &none, 1) == 0);
	assert(read(event, &byte, 1) == -1 && errno == EINVAL);
	assert(splice(empty[0], NULL, other[1], NULL, 1, SPLICE_F_NONBLOCK) == -1 && errno == EAGAIN);
	assert(tee(empty[0], other[1], 1, SPLICE_F_NONBLOCK) == -1 && errno == EAGAIN);
	return NULL;
}

int main(void)
{
	pthread_t t;
	char byte = 'x';

	assert(!pipe(empty) && !pipe(other));
	event = eventfd(0, 0);
	assert(event >= 0);
	assert(!pthread_create(&t, NULL, try, NULL));
	assert(!pthread_join(t, NULL));
	assert(write(empty[1], &byte, 1) == 1);
	assert(splice(empty[0], NULL, other[1], NULL, 1, 0) == 1);
	assert(read(other[0], &byte, 1) == 1 && byte == 'x');
	return 0;
}
