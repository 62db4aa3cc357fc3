/* A native child finds its parent's locks, keys and guards in the state that POSIX requires, and may create threads. */
#include <errno.h>
#include <pthread.h>
#include <sys/wait.h>

#include "sync_check.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int stop, runs, dtors;

static void init(void)
{
	runs++;
}

static void dtor(void *p)
{
	dtors++;
}

static void *waits(void *arg)
{
	pthread_mutex_lock(&lock);
	while (!stop)
		pthread_cond_wait(&cond, &lock);
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void *in_child(void *arg)
{
	CHECK(pthread_getspecific(key) == NULL);
	EXPECT(pthread_setspecific(key, &stop), 0);
	EXPECT(pthread_mutex_lock(&lock), 0);
	EXPECT(pthread_mutex_unlock(&lock), 0);
	return &runs;
}

static void child(void)
{
	pthread_t t;
	void *value;

	EXPECT(pthread_mutex_trylock(&other), EBUSY); /* held by this thread, in the parent */
	EXPECT(pthread_mutex_unlock(&other), 0);
	EXPECT(pthread_mutex_lock(&lock), 0);
	EXPECT(pthread_mutex_unlock(&lock), 0);
	EXPECT(pthread_once(&once, init), 0);
	EXPECT(runs, 1);
	CHECK(pthread_getspecific(key) == &key);
	EXPECT(pthread_create(&t, NULL, in_child, NULL), 0);
	EXPECT(pthread_join(t, &value), 0);
	CHECK(value == &runs);
	EXPECT(dtors, 1);
	CHECK(pthread_getspecific(key) == &key);
	_exit(7);
}

int main(void)
{
	pthread_t t;
	int status;

	EXPECT(pthread_key_create(&key, dtor), 0);
	EXPECT(pthread_setspecific(key, &key), 0);
	EXPECT(pthread_once(&once, init), 0);
	EXPECT(pthread_create(&t, NULL, waits, NULL), 0);
	EXPECT(pthread_mutex_lock(&other), 0);
	EXPECT(pthread_mutex_lock(&lock), 0); /* so that no other thread holds it across the fork */
	pid_t pid = fork();

	CHECK(pid >= 0);
	if (pid == 0) {
		pthread_mutex_unlock(&lock);
		child();
	}
	stop = 1;
	EXPECT(pthread_cond_signal(&cond), 0);
	EXPECT(pthread_mutex_unlock(&lock), 0);
	EXPECT(pthread_mutex_unlock(&other), 0);
	EXPECT(waitpid(pid, &status, 0), pid);
	CHECK(WIFEXITED(status));
	EXPECT(WEXITSTATUS(status), 7);
	EXPECT(pthread_join(t, NULL), 0);
	return 0;
}
