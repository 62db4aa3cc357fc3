/* Random numbers come, and differ from one another. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

static char a[16], b[16];

static void *other(void *arg)
{
	assert(getentropy(b, sizeof b) == 0);
	return NULL;
}

int main(void)
{
	pthread_t t;
	char c[16];
	int fd = open("/dev/urandom", O_RDONLY);

	assert(fd >= 0);
	assert(pthread_create(&t, NULL, other, NULL) == 0);
	assert(getrandom(a, sizeof a, 0) == sizeof a);
	assert(read(fd, c, sizeof c) == sizeof c);
	pthread_join(t, NULL);
	assert(memcmp(a, b, sizeof a) && memcmp(a, c, sizeof a) && memcmp(b, c, sizeof b));
	close(fd);
	return 0;
}
