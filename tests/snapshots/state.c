/*
 * Executions that keep something outside of their memory between two steps, and check that no other execution has changed it.
 *
 *   state WHAT    offset, late_offset, pipe, eventfd, epoll, oneshot, edge, shared, file, rename, socket, process, directory, lock
 */
#include <assert.h>
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int steps;
static int fd[2], ep;
static int *page;
static const char *what;

static int is(const char *s)
{
	return strcmp(what, s) == 0;
}

static void step(void)
{
	pthread_mutex_lock(&mutex);
	steps++;
	pthread_mutex_unlock(&mutex);
}

static void expect_read(int from, const char *text)
{
	char b[16] = "";
	assert(read(from, b, strlen(text)) == (ssize_t)strlen(text));
	assert(strcmp(b, text) == 0);
}

/* Creates what exists before the first thread. */
static void before(void)
{
	if (is("offset"))
		fd[0] = open("letters", O_RDONLY);
	if (is("pipe"))
		assert(pipe(fd) == 0);
	if (is("eventfd"))
		fd[0] = eventfd(0, 0);
	if (is("epoll") || is("oneshot") || is("edge")) {
		struct epoll_event ev = { .events = EPOLLIN | (is("oneshot") ? EPOLLONESHOT : 0) | (is("edge") ? EPOLLET : 0) };
		fd[0] = eventfd(0, 0);
		ep = epoll_create1(0);
		assert(epoll_ctl(ep, EPOLL_CTL_ADD, fd[0], &ev) == 0);
	}
	if (is("socket"))
		assert(socketpair(AF_UNIX, SOCK_STREAM, 0, fd) == 0);
}

static void count(int by)
{
	uint64_t n = (uint64_t)by;
	assert(write(fd[0], &n, sizeof n) == sizeof n);
}

/* One thread does this, step by step. */
static void use(void)
{
	uint64_t n;
	struct stat st;
	struct epoll_event ev;

	if (is("offset") || is("late_offset")) {
		int f = is("offset") ? fd[0] : open("letters", O_RDONLY);
		expect_read(f, "abc");
		step();
		expect_read(f, "def");
		step();
		expect_read(f, "ghi");
	} else if (is("pipe") || is("socket")) {
		assert(write(fd[1], "one", 3) == 3);
		step();
		assert(write(fd[1], "two", 3) == 3);
		step();
		expect_read(fd[0], "onetwo");
		step();
		assert(fcntl(fd[0], F_SETFL, O_NONBLOCK) == 0);
		assert(read(fd[0], &n, 1) == -1);
	} else if (is("eventfd")) {
		count(1);
		step();
		count(2);
		step();
		assert(read(fd[0], &n, sizeof n) == sizeof n && n == 3);
	} else if (is("epoll")) {
		assert(epoll_wait(ep, &ev, 1, 0) == 0);
		step();
		count(1);
		step();
		assert(epoll_wait(ep, &ev, 1, 0) == 1);
		step();
		assert(read(fd[0], &n, sizeof n) == sizeof n && n == 1);
	} else if (is("oneshot") || is("edge")) {
		count(1);
		step();
		assert(epoll_wait(ep, &ev, 1, 0) == 1);
		step();
		assert(epoll_wait(ep, &ev, 1, 0) == 0);
		step();
		assert(epoll_wait(ep, &ev, 1, 0) == 0);
	} else if (is("shared")) {
		page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		++*page;
		step();
		assert(++*page == 2);
		step();
		assert(++*page == 3);
	} else if (is("file")) {
		int f = open("made", O_RDWR | O_CREAT | O_EXCL, 0666);
		assert(f >= 0 && write(f, "one", 3) == 3);
		step();
		assert(write(f, "two", 3) == 3);
		step();
		assert(stat("made", &st) == 0 && st.st_size == 6);
	} else if (is("rename")) {
		step();
		assert(rename("letters", "moved") == 0);
		step();
		assert(access("letters", F_OK) && access("moved", F_OK) == 0);
		step();
		assert(rename("moved", "letters") == 0);
	} else if (is("process")) {
		pid_t child = fork();
		if (!child)
			_exit(7);
		step();
		int status;
		assert(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 7);
		step();
		assert(waitpid(child, &status, 0) == -1);
	} else if (is("directory")) {
		DIR *d = opendir(".");
		int entries = 0;
		while (readdir(d)) {
			entries++;
			step();
		}
		closedir(d);
		assert(entries == 3);
	} else if (is("lock")) {
		int f = open("letters", O_RDWR);
		assert(lockf(f, F_TLOCK, 0) == 0);
		step();
		assert(lockf(f, F_ULOCK, 0) == 0);
		step();
	} else {
		abort();
	}
}

static void *user(void *arg)
{
	use();
	step();
	return arg;
}

static void *other(void *arg)
{
	step();
	step();
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t[2];
	what = argv[1];
	FILE *f = fopen("letters", "w");
	fputs("abcdefghi", f);
	fclose(f);
	before();
	pthread_create(&t[0], NULL, user, NULL);
	pthread_create(&t[1], NULL, other, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	printf("%d\n", steps);
	return 0;
}
