/* A file that is opened for writing before the first thread starts, and that is larger than what simul saves of files. Each execution appends to it.
 * The next one found what the previous one had written, and the verdict did not say so.
 * check: incomplete says=cannot_be_put_back : --isolation fork --
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static atomic_int x;
static int fd;

static void *other(void *unused)
{
	atomic_fetch_add(&x, 1);
	return NULL;
}

int main(void)
{
	char name[] = "/tmp/open_file_large_XXXXXX";
	pthread_t t;
	fd = mkstemp(name);
	if (fd < 0 || unlink(name) || ftruncate(fd, 17 << 20) || lseek(fd, 0, SEEK_END) < 0)
		return 2;
	pthread_create(&t, NULL, other, NULL);
	atomic_fetch_add(&x, 1);
	if (write(fd, "x", 1) != 1)
		return 3;
	pthread_join(t, NULL);
	return 0;
}
