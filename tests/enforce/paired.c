/* Two threads write to a socket pair, and the program relies on the order of the bytes. Before that they use socket
   pairs in all other ways that a certificate orders. */
#include <errno.h>
#include <sys/socket.h>
#include "window.h"
#define LARGE 600000
static int line[2], large[2], empty[2];

/* Each thread makes a socket pair of its own, while the other one does the same, and closes it. The next pair has
   the same numbers. */
static void alone(char byte)
{
	char c[3];
	int end[2];

	for (int i = 0; i < 2; i++) {
		assert(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, end));
		assert(write(end[1], &byte, 1) == 1 && send(end[0], "xyz", 3, 0) == 3);
		assert(read(end[0], c, 3) == 1 && c[0] == byte);
		assert(recv(end[1], c, 3, MSG_WAITALL) == 3 && c[2] == 'z');
		assert(recv(end[0], c, 1, MSG_DONTWAIT) == -1 && errno == EAGAIN);
		assert(!shutdown(end[1], SHUT_WR) && !recv(end[0], c, 1, 0));
		assert(!close(end[1]) && send(end[0], c, 1, MSG_NOSIGNAL) == -1 && errno == EPIPE && !close(end[0]));
	}
}

static void *one(void *a)
{
	static char bytes[LARGE];

	alone('1');
	memset(bytes, 7, LARGE);
	assert(write(large[1], bytes, LARGE) == LARGE && send(large[1], bytes, LARGE, 0) == LARGE);
	assert(!close(large[1]));
	window(1);
	assert(send(line[1], "a", 1, 0) == 1);
	return a;
}

static void *two(void *a)
{
	static char piece[100000];
	ssize_t n, sum = 0;
	char c;

	alone('2');
	assert(read(empty[0], &c, 1) == -1 && errno == EAGAIN);
	while ((n = recv(large[0], piece, sizeof(piece), MSG_WAITALL)) > 0)
		sum += n;
	assert(!n && sum == 2 * LARGE);
	assert(write(line[1], "b", 1) == 1);
	return a;
}

int main(void)
{
	pthread_t t[2];
	char c[2];

	assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, line) && !socketpair(AF_UNIX, SOCK_STREAM, 0, large));
	assert(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, empty));
	pthread_create(&t[0], NULL, one, NULL);
	pthread_create(&t[1], NULL, two, NULL);
	assert(recv(line[0], c, 2, MSG_WAITALL) == 2);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	assert(c[0] == 'a' && c[1] == 'b');
	return 0;
}
