/* Threads increment a counter in memory that was mapped with MAP_SHARED before the first thread started: anonymous, of a memfd, or of a file. simul
 * did not restore it between executions. The second one found 2 there, and the verdict was an unconfirmed failure.
 * check: complete traces=6 : -- anonymous
 * check: complete traces=6 isolation=rewind : --isolation rewind -- closed
 * check: complete traces=6 : --isolation fork -- memfd
 * check: complete traces=6 : --isolation exec -- anonymous
 * check: complete traces=6 : --isolation fork -- file
 * long: complete traces=6 : --isolation fork -- anonymous
 * long: complete traces=6 : --isolation exec -- file
 * long: complete traces=6 : --jobs 3 -- anonymous
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *counter;

static void *count(void *unused)
{
	pthread_mutex_lock(&m);
	++*counter;
	pthread_mutex_unlock(&m);
	return unused;
}

static int make_file(const char *how)
{
	int fd = !strcmp(how, "file") ? open("counter", O_RDWR | O_CREAT | O_TRUNC, 0600) : memfd_create("counter", 0);
	assert(fd >= 0 && !ftruncate(fd, 4096));
	return fd;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "anonymous";
	int anonymous = !strcmp(how, "anonymous"), fd = anonymous ? -1 : make_file(how);
	pthread_t t[3];
	counter = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | (anonymous ? MAP_ANONYMOUS : 0), fd, 0);
	assert(counter != MAP_FAILED);
	if (!strcmp(how, "closed"))
		close(fd);
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, count, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	assert(*counter == 3);
	return 0;
}
