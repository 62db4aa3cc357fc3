/* Functions of libc that the program looks up with dlsym in a handle of libc, as Python's ctypes does. They bypassed simul's hooks: no threads were
 * seen, or a lock that simul did not see blocked the only thread that ran (a false hang).
 * build: gcc -g -O1 -pthread -DTHREADS
 * build: gcc -g -O1 -pthread
 * check: bug kind=assert : --
 * check: bug kind=assert : --isolation exec --
 * check: complete : -- correct
 */
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

static int (*lock)(pthread_mutex_t *), (*unlock)(pthread_mutex_t *);
static int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) = pthread_create;
static int (*join)(pthread_t, void **) = pthread_join;

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, y;

static void set(int *p)
{
	lock(&m);
	*p = 1;
	unlock(&m);
}

static void *get(const int *p)
{
	lock(&m);
	long value = *p;
	unlock(&m);
	return (void *)value;
}

static void *first(void *unused)
{
	set(&x);
	(void)unused;
	return get(&y);
}

static void *second(void *unused)
{
	set(&y);
	(void)unused;
	return get(&x);
}

static void find(void *to, const char *name)
{
	void *libc = dlopen("libc.so.6", RTLD_NOW), *found = dlsym(libc, name);

	assert(libc && found);
	memcpy(to, &found, sizeof(found));
}

int main(int argc, char **argv)
{
	pthread_t a, b;
	void *r, *s;

	find(&lock, "pthread_mutex_lock");
	find(&unlock, "pthread_mutex_unlock");
#ifdef THREADS
	find(&create, "pthread_create");
	find(&join, "pthread_join");
#endif
	create(&a, NULL, first, NULL);
	create(&b, NULL, second, NULL);
	join(a, &r);
	join(b, &s);
	assert(argc > 1 || !(r && s));
	(void)argv;
	return 0;
}
