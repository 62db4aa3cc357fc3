/* A program reads what a child writes to a pipe, closes the pipe by fclose, and starts a thread. simul did not see that the pipe was closed, and refused to go
 * on, since it could not create the pipe again for the next execution. Found with gdb.
 * check: complete traces=2 : --
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int value;

static void *set(void *unused)
{
	value = 1;
	return unused;
}

int main(void)
{
	int ends[2], status;
	char line[8];
	pthread_t t;

	assert(!pipe(ends));
	pid_t child = fork();
	if (!child) {
		status = write(ends[1], "text\n", 5) != 5;
		_exit(status);
	}
	close(ends[1]);
	FILE *stream = fdopen(ends[0], "r");
	assert(fgets(line, sizeof(line), stream));
	assert(waitpid(child, &status, 0) == child && status == 0);
	fclose(stream);
	pthread_create(&t, NULL, set, NULL);
	int seen = value;
	pthread_join(t, NULL);
	return seen > 1;
}
