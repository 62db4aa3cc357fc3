/* posix_spawn, system and popen, while another thread goes on. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void *counter(void *arg)
{
	static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t t;
	pid_t pid;
	int status;
	char line[32] = "";
	char *argv[] = {"sh", "-c", "exit 3", NULL};

	assert(pthread_create(&t, NULL, counter, NULL) == 0);
	assert(posix_spawn(&pid, "/bin/sh", NULL, NULL, argv, environ) == 0);
	assert(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 3);
	status = system("exit 5");
	assert(WIFEXITED(status) && WEXITSTATUS(status) == 5);
	FILE *f = popen("echo hello", "r");
	assert(f && fgets(line, sizeof line, f) && strcmp(line, "hello\n") == 0);
	assert(pclose(f) == 0);
	assert(wait(&status) == -1 && errno == ECHILD);
	pthread_join(t, NULL);
	return 0;
}
