/* sendfile and splice take bytes of a file into a pipe, and preadv2 and pwritev2 use a file at an offset. These were no
 * uses of the file, so where another thread wrote to it, or moved its position, one order was explored, and the verdict
 * was complete. The second argument says what the other thread does.
 * check: bug kind=assert : -- sendfile write
 * check: bug kind=assert : -- sendfile seek
 * check: bug kind=assert : -- sendfile_at write
 * check: complete traces=1 : -- sendfile_at seek
 * check: bug kind=assert : -- splice write
 * check: bug kind=assert : -- splice seek
 * check: bug kind=assert : -- splice_at write
 * check: complete traces=1 : -- splice_at seek
 * check: bug kind=assert : -- preadv2 write
 * check: complete traces=1 : -- preadv2 seek
 * check: bug kind=assert : -- preadv2 pwritev2
 * check: bug kind=assert : -- read seek
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <unistd.h>
static int file, ends[2];
static void *other(void *how)
{
	struct iovec x = {"x", 1};
	if (!strcmp(how, "seek"))
		assert(lseek(file, 1, SEEK_SET) == 1);
	else if (!strcmp(how, "write"))
		assert(pwrite(file, "x", 1, 0) == 1);
	else
		assert(pwritev2(file, &x, 1, 0, 0) == 1);
	return 0;
}
static char take(const char *how)
{
	char c = 0;
	struct iovec to = {&c, 1};
	loff_t at = 0;
	if (!strncmp(how, "sendfile", 8))
		assert(sendfile(ends[1], file, strstr(how, "_at") ? &at : NULL, 1) == 1);
	else if (!strncmp(how, "splice", 6))
		assert(splice(file, strstr(how, "_at") ? &at : NULL, ends[1], NULL, 1, 0) == 1);
	else if (!strcmp(how, "preadv2"))
		return preadv2(file, &to, 1, 0, 0) == 1 ? c : 0;
	return read(how[0] == 's' ? ends[0] : file, &c, 1) == 1 ? c : 0;
}
int main(int argc, char **argv)
{
	pthread_t t;
	if (argc < 3)
		return 0;
	file = open("bytes.tmp", O_CREAT | O_TRUNC | O_RDWR, 0600);
	assert(write(file, "ab", 2) == 2 && lseek(file, 0, SEEK_SET) == 0 && !pipe(ends));
	pthread_create(&t, 0, other, argv[2]);
	assert(take(argv[1]) == 'a');
	return pthread_join(t, 0);
}
