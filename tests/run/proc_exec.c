/* An exec before the first thread: simul continues in the new image. Here the program has cleared its environment. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *thread(void *arg)
{
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t;
	char *again[] = {argv[0], "again", NULL}, *env[] = {"ONLY=this", NULL};

	if (argc == 1) {
		execve("/proc/self/exe", again, env);
		return 1;
	}
	assert(strcmp(getenv("ONLY"), "this") == 0 && !getenv("PATH"));
	assert(pthread_create(&t, NULL, thread, NULL) == 0);
	pthread_join(t, NULL);
	return 0;
}
