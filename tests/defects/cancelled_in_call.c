/* Calls that are cancellation points in glibc, though they never wait: a thread that has been cancelled before ends there.
 * simul did not act on the request there, and said `complete`.
 * check: bug kind=assert replays=3 : -- open
 * check: bug kind=assert : -- close
 * check: bug kind=assert : -- fsync
 * check: bug kind=assert : -- pread
 * check: bug kind=assert : -- stderr
 * check: bug kind=assert : -- fflush
 * check: complete : -- buffered
 * check: complete says=except_for_cancellation_in_calls_on_streams : -- full
 * check: complete : -- disabled
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *how;
static char text[2000];
static int fd, after;

static int is(const char *name)
{
	return !strcmp(how, name);
}

static void *call(void *arg)
{
	char byte;

	if (is("disabled"))
		pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	if (is("open") || is("disabled"))
		open("/dev/null", O_RDONLY);
	if (is("close"))
		close(fd);
	if (is("fsync"))
		fsync(fd);
	if (is("pread"))
		after = (int)pread(fd, &byte, 1, 0);
	if (is("stderr"))
		fprintf(stderr, "x");
	if (is("fflush"))
		fflush(stdout);
	if (is("buffered"))
		printf("y");
	if (is("full"))
		fputs(text, stdout), fputs("y", stdout);
	after = 1;
	return arg;
}

int main(int argc, char **argv)
{
	static char buffer[2500];
	void *value;
	pthread_t t;

	how = argv[1];
	fd = open("/dev/null", O_RDONLY);
	memset(text, 'x', sizeof(text) - 1);
	setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
	if (is("fflush"))
		printf("x");
	pthread_create(&t, NULL, call, NULL);
	pthread_cancel(t);
	pthread_join(t, &value);
	assert(value != PTHREAD_CANCELED);
	return 0;
}
