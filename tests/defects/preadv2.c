/* A thread waits in preadv2 for data that another thread writes by pwritev2. Both are readv and writev if the offset is -1. They were no events, so
 * the wait in the kernel stopped the whole program and no execution ever ended.
 * check: complete traces=1 : --
 * check: complete traces=1 : -- raw
 * check: complete traces=1 : -- full
 * RWF_NOWAIT does not wait: the read fails in one of two orders.
 * check: complete traces=2 : -- nowait
 * Other offsets are for files that can seek.
 * check: complete traces=1 : -- offset
 * check: bug kind=deadlock replays=1 : -- never
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static int ends[2];
static const char *mode = "";
static char many[1 << 20];

static int is(const char *what)
{
	return !strcmp(mode, what);
}

static ssize_t get(char *c, size_t n, int flags)
{
	struct iovec v[] = {{c, n / 2}, {c + n / 2, n - n / 2}};

	return is("raw") ? syscall(SYS_preadv2, ends[0], v, 2, -1L, 0L, flags) : preadv2(ends[0], v, 2, -1, flags);
}

static ssize_t put(char *c, size_t n)
{
	struct iovec v = {c, n};

	return is("raw") ? syscall(SYS_pwritev2, ends[1], &v, 1, -1L, 0L, 0) : pwritev2(ends[1], &v, 1, -1, 0);
}

static void *writer(void *unused)
{
	size_t n = is("full") ? sizeof(many) / 2 : 1;

	if (!is("never"))
		assert(put(many, n) == (ssize_t)n);
	return unused;
}

static void offsets(void)
{
	char name[] = "preadv2.XXXXXX", c = 'x';
	struct iovec v = {&c, 1};
	int fd = mkstemp(name);

	assert(preadv2(ends[0], &v, 1, 0, 0) == -1 && errno == ESPIPE && pwritev2(ends[1], &v, 1, 0, 0) == -1 && errno == ESPIPE);
	assert(pwritev2(fd, &v, 1, 5, 0) == 1 && preadv2(fd, &v, 1, 5, 0) == 1 && c == 'x');
	unlink(name);
	close(fd);
}

int main(int argc, char **argv)
{
	pthread_t t;
	char c;

	if (argc > 1)
		mode = argv[1];
	assert(!pipe(ends));
	pthread_create(&t, NULL, writer, NULL);
	if (is("offset"))
		offsets();
	if (is("full"))
		for (size_t left = sizeof(many) / 2; left;) {
			ssize_t r = get(many + sizeof(many) / 2, sizeof(many) / 2, 0);

			assert(r > 0);
			left -= (size_t)r;
		}
	else {
		ssize_t r = get(&c, 1, is("nowait") ? RWF_NOWAIT : 0);

		assert(r == 1 || (is("nowait") && r == -1 && errno == EAGAIN));
	}
	pthread_join(t, NULL);
	return 0;
}
