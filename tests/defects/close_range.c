/* A thread closes the writing end of a pipe, with close, close_range or closefrom. Another thread reads. It finds no data; or, if the pipe is
 * already closed, it finds the end of the file, and the program fails. simul once said `complete` for close_range and closefrom, which were no
 * events.
 * check: bug kind=exit traces=2 replays=1 : --exit any -- close
 * check: bug kind=exit traces=2 replays=1 : --exit any -- close_range
 * check: bug kind=exit traces=2 replays=1 : --exit any -- closefrom
 */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static int fd[2];

static void *finish(void *how)
{
	if (!strcmp(how, "close"))
		close(fd[1]);
	else if (!strcmp(how, "close_range"))
		close_range(fd[1], fd[1], 0);
	else
		closefrom(fd[1]);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t;
	char byte;

	assert(argc == 2 && !pipe2(fd, O_NONBLOCK) && fd[0] < fd[1]);
	assert(!pthread_create(&t, NULL, finish, argv[1]));
	long n = read(fd[0], &byte, 1);
	assert(!pthread_join(t, NULL));
	return n == 0;
}
