/* Two threads count in a file by pread and pwrite, without a lock. One count can be lost. The order was not tried: one trace, complete.
 * There are four orders in which the reads and writes differ: each thread after the other, and each writes last after both have read (6 orders of
 * four calls, of which two pairs have their reads exchanged). With a lock two. With streams: two threads that append to a log, of which main reads
 * the length: 6, since a flush counts as output; of which nobody reads anything: 1.
 * check: bug kind=assert says=contents_of_memfd replays=3 :
 * check: bug traces=4 : --keep-going --strategy optimal
 * check: complete traces=2 : -- fixed
 * check: complete traces=6 : -- log read
 * check: complete traces=1 : -- log
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int fd;
static const char *how;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static FILE *stream;

static void *count(void *x)
{
	int v;

	if (!strcmp(how, "log")) {
		fprintf(stream, "%s\n", x ? "second" : "first");
		fflush(stream);
		return x;
	}
	if (!strcmp(how, "fixed"))
		pthread_mutex_lock(&m);
	pread(fd, &v, sizeof v, 0);
	v++;
	pwrite(fd, &v, sizeof v, 0);
	if (!strcmp(how, "fixed"))
		pthread_mutex_unlock(&m);
	return x;
}

int main(int argc, char **argv)
{
	pthread_t t;
	int v = 0;

	how = argc > 1 ? argv[1] : "";
	fd = memfd_create("counter", 0);
	stream = fdopen(dup(fd), "w");
	pwrite(fd, &v, sizeof v, 0);
	pthread_create(&t, 0, count, &v);
	count(0);
	pthread_join(t, 0);
	if (!strcmp(how, "log") && argc == 2)
		return 0;
	pread(fd, &v, sizeof v, 0);
	assert(v == 2 || !strcmp(how, "log"));
}
