/* A thread waits for a child process while main returns. The child takes longer than simul waits for it, and the execution ended with the late
 * exit. The verdict was "complete, no bug", although the thread fails as soon as the child has ended.
 * check: incomplete says=waiting_for_another_process : -- wait
 * check: incomplete says=waiting_for_another_process : -- read
 * check: incomplete says=waiting_for_another_process : --exit any -- wait
 * check: bug kind=assert : -- join
 */
#include <assert.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

extern char **environ;

static void *wait_for_it(void *a)
{
	char *argv[] = {"sh", "-c", "sleep 4; exit 3", NULL};
	int status = 0;
	pid_t p;

	if (posix_spawn(&p, "/bin/sh", NULL, NULL, argv, environ))
		return NULL;
	waitpid(p, &status, 0);
	assert(WEXITSTATUS(status) == 0);
	return a;
}

static void *read_from_it(void *a)
{
	FILE *f = popen("sleep 4; echo x", "r");
	char line[10] = "";

	assert(!f || !fgets(line, sizeof(line), f) || line[0] == 'y');
	return a;
}

int main(int argc, char **argv)
{
	pthread_t t;

	(void)argc;
	pthread_create(&t, NULL, strcmp(argv[1], "read") ? wait_for_it : read_from_it, NULL);
	if (!strcmp(argv[1], "join"))
		pthread_join(t, NULL);
	return 0;
}
