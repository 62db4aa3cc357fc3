/* A thread holds a mutex while it writes to or reads from /dev/null. If another thread cancels it there, it ends with the mutex locked. simul once
 * said `complete`: it treated calls that cannot block as if they were no cancellation points.
 * check: bug kind=misuse replays=1 : -- write
 * check: bug kind=misuse replays=1 : -- read
 * check: bug kind=misuse replays=1 : -- writev
 * check: complete : -- nothing
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int fd;

static void *hold(void *how)
{
	char byte = 'x';
	struct iovec iov = {&byte, 1};

	pthread_mutex_lock(&mutex);
	if (!strcmp(how, "write"))
		assert(write(fd, &byte, 1) == 1);
	if (!strcmp(how, "read"))
		assert(read(fd, &byte, 1) == 0);
	if (!strcmp(how, "writev"))
		assert(writev(fd, &iov, 1) == 1);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t;

	fd = open("/dev/null", O_RDWR);
	pthread_create(&t, NULL, hold, argc > 1 ? argv[1] : "write");
	pthread_cancel(t);
	pthread_join(t, NULL);
	pthread_mutex_lock(&mutex);
	return 0;
}
