/* A thread waits for a child process, or for the end of a pipe that the child holds, while main returns. The child runs longer than simul waits for
 * it, and the execution ended with the exit. The verdict was "complete, no bug", although the thread fails as soon as the child ends.
 * check: incomplete says=waiting_for_another_process : -- wait 600
 * check: incomplete says=waiting_for_another_process : -- read 600
 * check: incomplete says=waiting_for_another_process : --exit any -- wait 600
 * check: bug kind=assert : -- join 1
 */
#include <assert.h>
#include <pthread.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static char *seconds;

static void *wait_for_child(void *a)
{
	char *argv[] = {"sleep", seconds, NULL};
	int status = 1;
	pid_t p;

	assert(posix_spawnp(&p, "sleep", NULL, NULL, argv, environ) == 0);
	waitpid(p, &status, 0);
	assert(status != 0);
	return a;
}

static void *wait_for_pipe(void *a)
{
	char *argv[] = {"sleep", seconds, NULL}, c;
	int ends[2];
	pid_t p;

	assert(pipe(ends) == 0);
	assert(posix_spawnp(&p, "sleep", NULL, NULL, argv, environ) == 0);
	close(ends[1]);
	assert(read(ends[0], &c, 1) != 0);
	return a;
}

int main(int argc, char **argv)
{
	pthread_t t;

	assert(argc == 3);
	seconds = argv[2];
	pthread_create(&t, NULL, strcmp(argv[1], "read") ? wait_for_child : wait_for_pipe, NULL);
	if (!strcmp(argv[1], "join"))
		pthread_join(t, NULL);
	return 0;
}
