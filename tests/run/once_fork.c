/* An initialiser of pthread_once forks while another thread waits for it. The child returns from it too, and uses the result. */
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pid_t child;
static int used;

static void init(void)
{
	child = fork();
	assert(child >= 0);
}

static void *use(void *unused)
{
	assert(!pthread_once(&once, init));
	if (!child)
		_exit(pthread_once(&once, init) ? 1 : 7);
	assert(!pthread_mutex_lock(&mutex));
	used++;
	assert(!pthread_mutex_unlock(&mutex));
	return NULL;
}

int main(void)
{
	pthread_t t;
	int status;

	assert(!pthread_create(&t, NULL, use, NULL));
	use(NULL);
	assert(!pthread_join(t, NULL));
	assert(used == 2 && waitpid(child, &status, 0) == child);
	assert(WIFEXITED(status) && WEXITSTATUS(status) == 7);
	return 0;
}
