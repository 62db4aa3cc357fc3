/* Two threads wait for one epoll instance, and what the first one gets, the second one does not get: an event with
 * EPOLLET or EPOLLONESHOT, or the first of two when there is room for one. The waits counted as reads, so one order
 * was explored, and the verdict was complete.
 * check: bug kind=assert replays=3 : -- edge
 * check: bug kind=assert : --strategy exhaustive -- edge
 * check: bug kind=assert : -- oneshot
 * check: bug kind=assert : -- first
 * check: complete traces=2 : -- two
 * check: bug kind=assert : -- blocking
 * check: complete traces=1 : -- nothing
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

static const char *how;
static int ep, found[2];

static void *waiter(void *number)
{
	struct epoll_event e[2] = {{.data.u32 = 9}};
	int i = number != NULL, n = epoll_wait(ep, e, strcmp(how, "two") ? 1 : 2, strcmp(how, "blocking") ? 0 : -1);

	found[i] = n ? (int)e[0].data.u32 : 0;
	return number;
}

static int watch(unsigned number, unsigned flags)
{
	struct epoll_event e = {.events = EPOLLIN | flags, .data.u32 = number};
	int end[2];

	assert(!pipe(end) && !epoll_ctl(ep, EPOLL_CTL_ADD, end[0], &e));
	return end[1];
}

int main(int argc, char **argv)
{
	pthread_t t[2];
	int a, b;

	how = argc > 1 ? argv[1] : "edge";
	ep = epoll_create1(0);
	a = watch(1, strcmp(how, "oneshot") ? EPOLLET : EPOLLONESHOT);
	b = watch(2, EPOLLET);
	if (strcmp(how, "nothing"))
		assert(write(a, "x", 1) == 1);
	if (!strcmp(how, "first") || !strcmp(how, "two") || !strcmp(how, "blocking"))
		assert(write(b, "x", 1) == 1);
	pthread_create(&t[0], NULL, waiter, NULL);
	pthread_create(&t[1], NULL, waiter, t);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	assert(!strcmp(how, "two") || !strcmp(how, "nothing") || found[0] == 1);
	return 0;
}
