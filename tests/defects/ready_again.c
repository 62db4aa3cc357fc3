/* A thread waits for a descriptor, and each way to make it ready comes later: a write, a read from a full pipe, the
 * end of the other side, a descriptor that an epoll instance gets meanwhile, a duplicate. An event that simul forgets
 * would leave the thread waiting: "deadlock".
 * check: complete traces=1 : --strategy exhaustive -- pipe
 * check: complete traces=1 : --strategy exhaustive -- pair
 * check: complete traces=1 : --strategy exhaustive -- counter
 * check: complete traces=1 : --strategy exhaustive -- full
 * check: complete traces=1 : --strategy exhaustive -- end
 * check: complete traces=1 : --strategy exhaustive -- shut
 * check: complete traces=2 : --strategy exhaustive -- duplicate
 * check: complete traces=1 : --strategy exhaustive -- two
 * check: complete traces=3 : --strategy exhaustive -- three
 * check: complete traces=1 : --strategy exhaustive -- added
 * check: complete traces=1 : --strategy exhaustive -- nested
 * check: complete traces=1 : --strategy exhaustive -- again
 * check: complete traces=1 : --strategy exhaustive -- splice
 * check: complete traces=1 : --strategy exhaustive -- child
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static int a[2], b[2], c[2], waits = -1, outer = -1;
static const char *how;

static int is(const char *mode)
{
	return !strcmp(how, mode);
}

static void watch(int instance, int fd, uint32_t events)
{
	struct epoll_event e = {.events = events, .data.fd = fd};

	assert(!epoll_ctl(instance, EPOLL_CTL_ADD, fd, &e));
}

static void *waiting(void *arg)
{
	struct pollfd p[3] = {{a[0], POLLIN, 0}, {b[0], POLLIN, 0}, {c[0], POLLIN, 0}};
	struct epoll_event e;
	uint64_t n;
	char x;

	if (is("full"))
		assert(write(a[1], "", 1) == 1);
	else if (is("two") || is("three"))
		assert(poll(p, is("two") ? 2 : 3, -1) == 1 && p[1].revents == POLLIN);
	else if (waits >= 0)
		assert(epoll_wait(outer >= 0 ? outer : waits, &e, 1, -1) == 1);
	else if (is("counter"))
		assert(read(a[0], &n, sizeof(n)) == sizeof(n) && n == 1);
	else
		assert(read(a[0], &x, 1) == !(is("end") || is("shut")));
	return NULL;
}

static void drain(int fd)
{
	char buf[4096];

	assert(read(fd, buf, sizeof(buf)) == sizeof(buf));
}

static void make_ready(void)
{
	struct epoll_event e = {.events = EPOLLIN | EPOLLONESHOT, .data.fd = a[0]};
	uint64_t one = 1;
	pid_t child;

	if (is("counter")) {
		assert(write(a[0], &one, sizeof(one)) == sizeof(one));
	} else if (is("full")) {
		drain(a[0]);
	} else if (is("end")) {
		close(a[1]);
	} else if (is("shut")) {
		shutdown(a[1], SHUT_WR);
	} else if (is("duplicate")) {
		int d = dup(a[1]);
		assert(write(d, "", 1) == 1);
		close(d);
	} else if (is("two") || is("three")) {
		assert(write(b[1], "", 1) == 1);
	} else if (is("added")) {
		watch(waits, a[0], EPOLLIN);
	} else if (is("again")) {
		assert(!epoll_ctl(waits, EPOLL_CTL_MOD, a[0], &e));
	} else if (is("splice")) {
		assert(splice(b[0], NULL, a[1], NULL, 1, 0) == 1);
	} else if (is("child")) {
		child = fork();
		if (!child)
			_exit(write(a[1], "", 1) != 1);
		assert(waitpid(child, NULL, 0) == child);
	} else {
		assert(write(a[1], "", 1) == 1);
	}
}

static void prepare(void)
{
	struct epoll_event e;
	int pair = is("pair") || is("shut");

	assert(!(pair ? socketpair(AF_UNIX, SOCK_STREAM, 0, a) : pipe(a)) && !pipe(b) && !pipe(c));
	if (is("counter"))
		a[0] = a[1] = eventfd(0, 0);
	if (is("full")) {
		fcntl(a[1], F_SETPIPE_SZ, 4096);
		while (write(a[1], "", 1) == 1 && fcntl(a[1], F_SETFL, O_NONBLOCK) == 0)
			;
		assert(errno == EAGAIN);
		fcntl(a[1], F_SETFL, 0);
	}
	if (is("splice") || is("added") || is("again"))
		assert(write(is("splice") ? b[1] : a[1], "", 1) == 1);
	if (!is("added") && !is("nested") && !is("again"))
		return;
	waits = epoll_create1(0);
	if (is("again")) { /* it has been reported, and is not again before EPOLL_CTL_MOD */
		watch(waits, a[0], EPOLLIN | EPOLLONESHOT);
		assert(epoll_wait(waits, &e, 1, 0) == 1);
	}
	if (is("nested")) {
		outer = epoll_create1(0);
		watch(outer, waits, EPOLLIN);
		watch(waits, a[0], EPOLLIN);
	}
}

int main(int argc, char **argv)
{
	pthread_t t;

	assert(argc == 2);
	how = argv[1];
	prepare();
	pthread_create(&t, NULL, waiting, NULL);
	make_ready();
	pthread_join(t, NULL);
	return 0;
}
