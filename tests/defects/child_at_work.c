/* A child writes to two pipes and ends, while the program polls both and a pidfd. What a poll found depended on the
 * speed of the child: the program was "not deterministic".
 * check: complete traces=12 : --time 100s
 */
#define _GNU_SOURCE
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int n;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *p)
{
	pthread_mutex_lock(&m);
	n++;
	pthread_mutex_unlock(&m);
	return p;
}

static void work_for(int rounds)
{
	for (volatile int i = 0; i < rounds; i++)
		;
}

static int polls(void)
{
	int out[2], err[2], rounds = 0, left = 3;
	char c[64];
	assert(!pipe(out) && !pipe(err));
	pid_t pid = fork();
	if (!pid) {
		work_for(100000);
		write(out[1], "one", 3);
		work_for(1000000);
		write(err[1], "two", 3);
		work_for(100000);
		write(out[1], "three", 5);
		_exit(0);
	}
	close(out[1]);
	close(err[1]);
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);
	struct pollfd f[3] = {
		{.fd = out[0], .events = POLLIN}, {.fd = err[0], .events = POLLIN}, {.fd = fd, .events = POLLIN}};
	while (left) {
		poll(f, 3, -1);
		rounds++;
		for (int i = 0; i < 3; i++)
			if (f[i].revents && (i == 2 || read(f[i].fd, c, sizeof(c)) <= 0)) {
				f[i].fd = -1;
				left--;
			}
		pthread_mutex_lock(&m);
		pthread_mutex_unlock(&m);
	}
	waitpid(pid, NULL, 0);
	return rounds;
}

int main(void)
{
	pthread_t t[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, NULL);
	int r = polls();
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return r > 100;
}
