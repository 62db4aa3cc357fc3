/* Before there are threads an exec goes on in the new image, here with an environment cleared by hand. */
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
