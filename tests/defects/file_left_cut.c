/* Each execution creates a file and is then cut, because its loop never ends. The file stayed, although simul restores files.
 * check: incomplete leaves=nothing : --max-steps 300 --
 * check: incomplete leaves=nothing : --isolation exec --max-steps 300 --
 */
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int stop;

static void *thread(void *unused)
{
	int fd = open("left.out", O_CREAT | O_TRUNC | O_RDWR, 0644), seen = 0;
	if (fd < 0 || write(fd, "x", 1) != 1)
		return NULL;
	close(fd);
	while (!seen || stop) {
		pthread_mutex_lock(&m);
		seen = stop;
		pthread_mutex_unlock(&m);
	}
	return unused;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, thread, NULL);
	pthread_mutex_lock(&m);
	stop = 1;
	pthread_mutex_unlock(&m);
	pthread_join(t, NULL);
	unlink("left.out");
	return 0;
}
