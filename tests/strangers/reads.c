/* Fails in one order of its threads; before, during and after that it reads variables. -DENVP: it fails only with IN_MAIN, which it looks for by itself. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *worker(void *unused)
{
	if (!getenv("IN_THREAD"))
		return NULL;
	pthread_mutex_lock(&lock);
	x = 1;
	pthread_mutex_unlock(&lock);
	return NULL;
}

static int wanted(char **env)
{
#ifdef ENVP
	for (; *env; env++)
		if (!strncmp(*env, "IN_MAIN=", 8))
			return 1;
	return 0;
#endif
	return 1;
}

#ifdef ENVIRON
extern char **environ;
#endif

int main(int argc, char **argv, char **env)
{
	static const char *const names[] = {"OPENAI_KEY", "MYSQL_PWD", "DATABASE_URL", "COOKIE", "https_proxy", "CI_JOB", "PLAIN"};
	volatile unsigned long bytes = 0;
	pthread_t t;

	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		bytes += getenv(names[i]) != NULL;
#ifdef ENVIRON
	bytes += environ[0][0];
#endif
	if (!wanted(env))
		return bytes == 12345;
	pthread_create(&t, NULL, worker, NULL);
	pthread_mutex_lock(&lock);
	if (x)
		abort();
	pthread_mutex_unlock(&lock);
	pthread_join(t, NULL);
	return 0;
}
