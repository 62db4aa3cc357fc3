/* One thread polls three pipes that three others write to. */
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <unistd.h>

#define N 3

static int fds[N][2];

static void *writer(void *arg)
{
	int i = (int)(intptr_t)arg;
	char c = (char)('a' + i);

	assert(write(fds[i][1], &c, 1) == 1);
	return NULL;
}

int main(void)
{
	pthread_t t[N];
	struct pollfd p[N];
	int got = 0;

	for (int i = 0; i < N; i++) {
		assert(pipe(fds[i]) == 0);
		p[i] = (struct pollfd){.fd = fds[i][0], .events = POLLIN};
	}
	assert(poll(p, N, 0) == 0);
	for (int i = 0; i < N; i++)
		assert(pthread_create(&t[i], NULL, writer, (void *)(intptr_t)i) == 0);
	while (got < N) {
		assert(poll(p, N, -1) > 0);
		for (int i = 0; i < N; i++) {
			char c;

			if (!(p[i].revents & POLLIN))
				continue;
			assert(read(fds[i][0], &c, 1) == 1 && c == 'a' + i);
			got++;
		}
	}
	for (int i = 0; i < N; i++)
		pthread_join(t[i], NULL);
	return 0;
}
