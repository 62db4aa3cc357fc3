/* Two orders of the lock, and two of the calls of open that may create the file. Each execution creates a file. After a complete search the file of the last execution stayed; after a search that found a bug it did not.
 * check: complete traces=4 leaves=nothing : --
 * check: complete traces=4 leaves=nothing : --isolation exec --
 * check: bug kind=assert leaves=nothing : -- 1
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void *thread(void *unused)
{
	pthread_mutex_lock(&m);
	n++;
	pthread_mutex_unlock(&m);
	int fd = open("left.out", O_CREAT | O_TRUNC | O_RDWR, 0644);
	if (fd < 0 || write(fd, "x", 1) != 1)
		exit(77);
	close(fd);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t t[2];
	(void)argv;
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, thread, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	if (argc > 1)
		abort();
	return 0;
}
