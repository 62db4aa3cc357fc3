/* Functions of libc that the program looks up with dlvsym: by a handle of libc, as the next library's, or anywhere. They bypassed simul's hooks:
 * no threads were seen, or a lock that simul did not see blocked the only thread that ran (a false hang).
 * build: gcc -g -O1 -pthread
 * build: gcc -g -O1 -pthread -DHOW=RTLD_NEXT
 * build: gcc -g -O1 -pthread -DHOW=RTLD_DEFAULT
 * check: bug kind=assert : --
 * check: bug kind=assert : --isolation exec --
 * check: complete never=except_for traces=6 : -- correct
 */
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#ifndef HOW
#define HOW dlopen("libc.so.6", RTLD_NOW)
#endif

static int (*lock)(pthread_mutex_t *), (*unlock)(pthread_mutex_t *);
static int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
static int (*join)(pthread_t, void **);

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
	void *found = dlvsym(HOW, name, "GLIBC_2.2.5");

	assert(found);
	memcpy(to, &found, sizeof(found));
	/* what does not exist is not found, with and without a hook of that name */
	assert(!dlvsym(HOW, name, "GLIBC_1.0") && !dlvsym(HOW, "no_such_function", "GLIBC_2.2.5") && dlerror());
}

int main(int argc, char **argv)
{
	pthread_t a, b;
	void *r, *s;

	find(&lock, "pthread_mutex_lock");
	find(&unlock, "pthread_mutex_unlock");
	find(&create, "pthread_create");
	find(&join, "pthread_join");
	create(&a, NULL, first, NULL);
	create(&b, NULL, second, NULL);
	join(a, &r);
	join(b, &s);
	assert(argc > 1 || !(r && s));
	(void)argv;
	return 0;
}
