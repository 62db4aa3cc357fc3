/* A thread writes to a pipe through a stream, or closes that stream. Another thread reads from it without waiting: it finds nothing,
 * or it finds data or the end of the file and the program fails. simul once said `complete`: calls on a stream were no events on the pipe.
 * check: bug kind=exit replays=1 : --exit any -- close
 * check: bug kind=exit replays=1 : --exit any -- print
 * check: bug kind=exit replays=1 : --exit any -- flush
 * check: complete traces=1 : --exit any -- nothing
 */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int fd[2];
static FILE *stream;

static void *use(void *how)
{
	if (!strcmp(how, "close"))
		fclose(stream);
	if (!strcmp(how, "print")) {
		setvbuf(stream, NULL, _IONBF, 0);
		fprintf(stream, "%d", 1);
	}
	if (!strcmp(how, "flush")) {
		fputs("1", stream);
		fflush(stream);
	}
	if (!strcmp(how, "nothing"))
		puts("this stream is no pipe of the program");
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t;
	char byte;

	assert(argc == 2 && !pipe2(fd, O_NONBLOCK));
	stream = fdopen(fd[1], "w");
	assert(stream && !pthread_create(&t, NULL, use, argv[1]));
	long n = read(fd[0], &byte, 1);
	assert(!pthread_join(t, NULL));
	return n >= 0;
}
