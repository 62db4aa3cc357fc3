/* A library that wraps pthread_create, and makes a thread of its own by the function that it wraps, as jemalloc does for its background thread. simul
 * did not see that thread: a false deadlock when the program waited for it.
 * build: gcc -g -O1 -pthread -DLIB -shared -fPIC -o @DIR@/libwraps.so @SRC@ && gcc -g -O1 -pthread -DPROGRAM -o @OUT@ @SRC@ -L@DIR@ -lwraps -Wl,-rpath,@DIR@
 * check: complete traces=2 : --
 * check: complete traces=2 : --isolation exec --
 * check: bug kind=assert : -- wrong
 */
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

void work(void); /* has the thread of the library set `seen` */
extern int calls;
extern int seen;

#ifdef LIB
int calls, seen;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static int real(pthread_t *t, const pthread_attr_t *attr, void *(*start)(void *), void *arg)
{
	int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
	void *found = dlsym(RTLD_NEXT, "pthread_create");

	memcpy(&create, &found, sizeof(found));
	return create(t, attr, start, arg);
}

int pthread_create(pthread_t *t, const pthread_attr_t *attr, void *(*start)(void *), void *arg)
{
	calls++;
	return real(t, attr, start, arg);
}

static void *background(void *unused)
{
	pthread_mutex_lock(&m);
	ready = 1;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	return unused;
}

void work(void)
{
	pthread_t t;

	real(&t, NULL, background, NULL);
	pthread_mutex_lock(&m);
	while (!ready)
		pthread_cond_wait(&c, &m);
	seen = 1;
	pthread_mutex_unlock(&m);
	pthread_join(t, NULL);
}
#endif

#ifdef PROGRAM
static void *thread(void *unused)
{
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t t;

	pthread_create(&t, NULL, thread, NULL);
	work();
	pthread_join(t, NULL);
	assert(seen == 1 && calls && argc == 1);
	(void)argv;
	return 0;
}
#endif
