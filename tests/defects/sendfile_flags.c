/* A thread waits in sendfile for room in a pipe, while another one makes the pipe fail instead. After its wait the
 * first thread gave the pipe the flags from before.
 * check: complete :
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/sendfile.h>
#include <unistd.h>
static char page[4096];
static int file, ends[2];
static void *send_page(void *unused)
{
	off_t at = 0;
	ssize_t n = sendfile(ends[1], file, &at, 4096);
	assert(n == 4096 || (n == -1 && errno == EAGAIN));
	return 0;
}
int main(void)
{
	pthread_t t;
	file = open("page.tmp", O_CREAT | O_TRUNC | O_RDWR, 0600);
	assert(write(file, page, 4096) == 4096 && !pipe(ends) && fcntl(ends[1], F_SETPIPE_SZ, 4096) == 4096);
	assert(write(ends[1], page, 4096) == 4096);
	pthread_create(&t, 0, send_page, 0);
	assert(!fcntl(ends[1], F_SETFL, O_NONBLOCK) && read(ends[0], page, 4096) == 4096);
	pthread_join(t, 0);
	assert(fcntl(ends[1], F_GETFL) & O_NONBLOCK);
	return 0;
}
