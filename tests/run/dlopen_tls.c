/* A library with a thread-local variable that is loaded when threads already exist. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t loaded = PTHREAD_COND_INITIALIZER;
static int (*next)(void);
static int (*total)(int);

static void *worker(void *arg)
{
	pthread_mutex_lock(&lock);
	while (!next)
		pthread_cond_wait(&loaded, &lock);
	pthread_mutex_unlock(&lock);
	if (next() != 11 || next() != 12)
		_exit(1);
	total(1);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		if (pthread_create(&t[i], NULL, worker, NULL) != 0)
			return 2;
	void *lib = dlopen(argv[1], RTLD_NOW);
	if (!lib) {
		fprintf(stderr, "%s\n", dlerror());
		return 3;
	}
	pthread_mutex_lock(&lock);
	total = (int (*)(int))dlsym(lib, "counter_total");
	next = (int (*)(void))dlsym(lib, "counter_next");
	pthread_cond_broadcast(&loaded);
	pthread_mutex_unlock(&lock);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	if (next() != 11 || total(0) != 2)
		return 4;
	return 0;
}
