/* Two threads write to a pipe, and the program relies on the order of the bytes. Before that they use pipes in all
   other ways that a certificate orders. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/uio.h>
#include "window.h"
#define LARGE 200000
static int line[2], large[2], empty[2];

/* Each thread makes a pipe of its own, while the other one does the same, and closes it. The next pipe has the same
   numbers. */
static void alone(char byte)
{
	char c[2];
	int end[2];

	for (int i = 0; i < 2; i++) {
		struct iovec out[] = {{&byte, 1}, {&byte, 1}};

		assert(!pipe2(end, O_CLOEXEC));
		assert(writev(end[1], out, 2) == 2 && read(end[0], c, 2) == 2 && c[0] == byte && c[1] == byte);
		assert(!close(end[1]) && !read(end[0], c, 1) && !close(end[0]));
	}
}

static void *one(void *a)
{
	static char bytes[LARGE];

	alone('1');
	memset(bytes, 7, LARGE);
	assert(write(large[1], bytes, LARGE) == LARGE);
	assert(!close(large[1]));
	window(1);
	assert(write(line[1], "a", 1) == 1);
	return a;
}

static void *two(void *a)
{
	char piece[2][5000], c;
	struct iovec in[] = {{piece[0], sizeof(piece[0])}, {piece[1], sizeof(piece[1])}};
	ssize_t n, sum = 0;

	alone('2');
	assert(read(empty[0], &c, 1) == -1 && errno == EAGAIN);
	while ((n = readv(large[0], in, 2)) > 0)
		sum += n;
	assert(!n && sum == LARGE);
	assert(write(line[1], "b", 1) == 1);
	return a;
}

int main(void)
{
	pthread_t t[2];
	char c[2];

	assert(!pipe(line) && !pipe(large) && !pipe2(empty, O_NONBLOCK));
	pthread_create(&t[0], NULL, one, NULL);
	pthread_create(&t[1], NULL, two, NULL);
	assert(read(line[0], &c[0], 1) == 1 && read(line[0], &c[1], 1) == 1);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	assert(c[0] == 'a' && c[1] == 'b');
	return 0;
}
