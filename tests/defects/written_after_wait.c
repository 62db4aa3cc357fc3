/* A call that waits writes its results to memory that another thread reads. The reader can run before or after, which makes two traces. simul did
 * not see these writes, and once said `complete` after one trace.
 * check: complete traces=2 : -- join
 * check: complete traces=2 : -- wait
 * check: complete traces=2 : -- waitid
 * check: complete traces=2 : -- epoll
 * check: complete traces=2 : -- poll
 * check: complete traces=2 : -- select
 * check: complete traces=2 : -- sigwait
 * check: complete traces=2 : -- recvfrom
 * check: complete traces=2 : -- recvmmsg
 */
#define _GNU_SOURCE
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static union {
	void *value;
	int status;
	siginfo_t info;
	struct epoll_event event;
	struct pollfd poll;
	fd_set set;
	struct sockaddr_un from;
	char byte;
} memory;

static const char *how;

static void *nothing(void *arg)
{
	return arg;
}

static pid_t start_child(void)
{
	pid_t pid = fork();

	if (!pid)
		_exit(3);
	return pid;
}

static void wait_for_descriptor(void)
{
	int fd = eventfd(1, 0), ep = epoll_create1(0);
	struct epoll_event ev = {.events = EPOLLIN};

	if (!strcmp(how, "epoll")) {
		assert(!epoll_ctl(ep, EPOLL_CTL_ADD, fd, &ev));
		assert(epoll_wait(ep, &memory.event, 1, -1) == 1);
	} else if (!strcmp(how, "poll")) {
		assert(dup2(fd, memory.poll.fd) == memory.poll.fd);
		assert(poll(&memory.poll, 1, -1) == 1);
	} else {
		fd_set mine;

		FD_ZERO(&mine);
		FD_SET(fd, &mine);
		assert(select(fd + 1, &memory.set, &mine, NULL, NULL) == 1);
	}
}

static void receive(void)
{
	struct sockaddr_un to = {.sun_family = AF_UNIX};
	socklen_t n = sizeof(to);
	int in = socket(AF_UNIX, SOCK_DGRAM, 0), out = socket(AF_UNIX, SOCK_DGRAM, 0);
	char byte = 'x';
	struct iovec iov = {&memory.byte, 1};
	struct mmsghdr message = {.msg_hdr = {.msg_iov = &iov, .msg_iovlen = 1}};

	/* the kernel chooses the names */
	assert(!bind(in, (struct sockaddr *)&to, sizeof(sa_family_t)) && !bind(out, (struct sockaddr *)&to, sizeof(sa_family_t)));
	assert(!getsockname(in, (struct sockaddr *)&to, &n) && sendto(out, &byte, 1, 0, (struct sockaddr *)&to, n) == 1);
	n = sizeof(memory.from);
	if (!strcmp(how, "recvfrom"))
		assert(recvfrom(in, &byte, 1, 0, (struct sockaddr *)&memory.from, &n) == 1);
	else
		assert(recvmmsg(in, &message, 1, 0, NULL) == 1);
}

static void *wait_and_write(void *arg)
{
	pthread_t t;
	sigset_t set;

	if (!strcmp(how, "join")) {
		pthread_create(&t, NULL, nothing, NULL);
		pthread_join(t, &memory.value);
	} else if (!strcmp(how, "wait")) {
		assert(waitpid(start_child(), &memory.status, 0) > 0);
	} else if (!strcmp(how, "waitid")) {
		assert(!waitid(P_PID, (id_t)start_child(), &memory.info, WEXITED));
	} else if (!strcmp(how, "sigwait")) {
		sigemptyset(&set);
		sigaddset(&set, SIGUSR1);
		pthread_sigmask(SIG_BLOCK, &set, NULL);
		raise(SIGUSR1);
		assert(!sigwait(&set, &memory.status));
	} else if (!strncmp(how, "recv", 4)) {
		receive();
	} else {
		wait_for_descriptor();
	}
	return arg;
}

/* Reads what the other thread writes. */
static void *look(void *arg)
{
	const volatile void *at = strcmp(how, "poll") ? (void *)&memory : (void *)&memory.poll.revents;

	return *(const volatile short *)at ? arg : NULL;
}

int main(int argc, char **argv)
{
	pthread_t writer, reader;

	how = argc > 1 ? argv[1] : "join";
	if (!strcmp(how, "poll"))
		memory.poll = (struct pollfd){.fd = 100, .events = POLLIN};
	pthread_create(&writer, NULL, wait_and_write, NULL);
	pthread_create(&reader, NULL, look, NULL);
	pthread_join(writer, NULL);
	pthread_join(reader, NULL);
	return 0;
}
