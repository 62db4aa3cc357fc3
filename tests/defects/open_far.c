/* A regular file is open from before the first thread, with a large number. Each execution reads its first byte. simul once put back only
 * the offsets of descriptors below 256, and only those of 63 files.
 * check: complete traces=2 : -- 300 far
 * check: complete traces=2 : --isolation fork -- 300 far
 * check: complete traces=2 : -- 100 many
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int fd;

static void *use(void *how)
{
	char byte;

	if (how)
		assert(read(fd, &byte, 1) == 1 && byte == 'a');
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 300;
	const char *others = argc > 2 && !strcmp(argv[2], "many") ? argv[0] : "/dev/null";
	char name[] = "open_far.XXXXXX";
	pthread_t t, u;

	for (int i = 0; i < n; i++)
		assert(open(others, O_RDONLY) >= 0);
	fd = mkstemp(name);
	assert(fd >= n && write(fd, "abc", 3) == 3 && lseek(fd, 0, SEEK_SET) == 0 && unlink(name) == 0);
	pthread_create(&t, NULL, use, "read");
	pthread_create(&u, NULL, use, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
