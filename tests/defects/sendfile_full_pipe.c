/* Two threads send a page to a pipe that has room for one, from a file that a third one changes. A thread that had
 * found room used the file next, which lets the other thread fill the pipe. Then sendfile failed with EAGAIN, although
 * the pipe waits.
 * check: complete :
 */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/sendfile.h>
#include <unistd.h>
static int file, ends[2];
static void *send_page(void *unused)
{
	off_t at = 0;
	assert(sendfile(ends[1], file, &at, 4096) == 4096);
	return 0;
}
int main(void)
{
	static char page[4096];
	pthread_t t, u;
	file = open("page.tmp", O_CREAT | O_TRUNC | O_RDWR, 0600);
	assert(write(file, page, 4096) == 4096 && !pipe(ends) && fcntl(ends[1], F_SETPIPE_SZ, 4096) == 4096);
	pthread_create(&t, 0, send_page, 0);
	pthread_create(&u, 0, send_page, 0);
	assert(pwrite(file, "x", 1, 0) == 1);
	for (int i = 0; i < 2; i++)
		assert(read(ends[0], page, 4096) == 4096);
	pthread_join(u, 0);
	return pthread_join(t, 0);
}
