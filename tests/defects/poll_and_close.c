/*
 * A thread polls a pipe, and another one writes to it and closes it. poll looked the number up again when it looked at the pipe, which the search did not
 * know, so the order write, poll, close was not explored, and the verdict was complete. The same for select, epoll_wait, shutdown and splice.
 *
 * check: bug kind=assert : --strategy optimal -- poll
 * check: bug kind=assert : -- poll
 * check: bug kind=assert : --strategy optimal -- select
 * check: bug kind=assert : --strategy optimal -- epoll
 * check: bug kind=assert : --strategy optimal -- splice
 */
#include <assert.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <unistd.h>

static int ends[2], also[2], ep;
static const char *how;

static void *writer(void *arg)
{
	if (write(ends[1], "x", 1) != 1)
		return NULL;
	close(!strcmp(how, "epoll") ? ep : ends[0]);
	return arg;
}

/* Returns whether the call found the byte, or was made in time. */
static int found(void)
{
	struct pollfd p = {.fd = ends[0], .events = POLLIN};
	struct epoll_event e;
	struct timeval now = {0};
	fd_set set;

	if (!strcmp(how, "poll"))
		return poll(&p, 1, 0) == 1 && p.revents == POLLIN;
	if (!strcmp(how, "epoll"))
		return epoll_wait(ep, &e, 1, 0) == 1;
	if (!strcmp(how, "splice"))
		return splice(ends[0], NULL, also[1], NULL, 1, SPLICE_F_NONBLOCK) == 1;
	FD_ZERO(&set);
	FD_SET(ends[0], &set);
	return select(ends[0] + 1, &set, NULL, NULL, &now) == 1;
}

int main(int argc, char **argv)
{
	pthread_t t;

	how = argv[argc - 1];
	assert(pipe(ends) == 0 && pipe(also) == 0);
	ep = epoll_create1(0);
	assert(epoll_ctl(ep, EPOLL_CTL_ADD, ends[0], &(struct epoll_event){.events = EPOLLIN}) == 0);
	pthread_create(&t, NULL, writer, NULL);
	assert(!found());
	pthread_join(t, NULL);
}
