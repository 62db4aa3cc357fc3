/* Threads send bytes through pipes from before the threads and through pipes that they make, count in an eventfd, and
   change what an epoll instance watches. So pipes hold data at each place where a window can begin, and are closed and
   made again all the time. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#ifndef ROUNDS
#define ROUNDS 30
#endif

static int older[2][2], events, ep, total;

static void *worker(void *arg)
{
	int *in = arg, out = in[1], made[2];
	struct epoll_event e = { .events = EPOLLIN };
	char c = 'a', d;
	for (int i = 0; i < ROUNDS; i++) {
		assert(write(out, &c, 1) == 1 && pipe(made) == 0);
		e.data.fd = made[0];
		assert(epoll_ctl(ep, EPOLL_CTL_ADD, made[0], &e) == 0);
		__atomic_add_fetch(&total, 1, __ATOMIC_SEQ_CST);
		assert(write(made[1], &c, 1) == 1 && read(made[0], &d, 1) == 1 && d == c);
		assert(write(events, &(uint64_t){ 1 }, 8) == 8);
		assert(close(made[0]) == 0 && close(made[1]) == 0);
		assert(read(in[0], &d, 1) == 1 && d == c);
		c = c == 'z' ? 'a' : c + 1;
	}
	assert(close(in[0]) == 0);
	return NULL;
}

int main(void)
{
	pthread_t t[2];
	uint64_t n;
	events = eventfd(0, 0), ep = epoll_create1(0);
	assert(pipe(older[0]) == 0 && pipe(older[1]) == 0);
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, worker, older[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	assert(total == 2 * ROUNDS && read(events, &n, 8) == 8 && n == 2 * ROUNDS && close(events) == 0);
	return 0;
}
