/* Two threads play ping-pong over two pipes; then the end of one pipe is seen as end of file. */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ping[2], pong[2];

static void *player(void *arg)
{
	char c;

	while (read(ping[0], &c, 1) == 1) {
		c++;
		assert(write(pong[1], &c, 1) == 1);
	}
	close(pong[1]);
	return NULL;
}

int main(void)
{
	pthread_t t;
	char c = 'a';

	assert(pipe(ping) == 0 && pipe(pong) == 0);
	assert(pthread_create(&t, NULL, player, NULL) == 0);
	for (int i = 0; i < 3; i++) {
		assert(write(ping[1], &c, 1) == 1);
		assert(read(pong[0], &c, 1) == 1);
		assert(c == 'b' + i);
	}
	close(ping[1]);
	assert(read(pong[0], &c, 1) == 0);
	pthread_join(t, NULL);
	return 0;
}
