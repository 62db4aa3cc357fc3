/*
 * Two threads with a bug that every search finds. One of them first does something hostile: `PROGRAM NAME [before]` (before: it is also done
 * before the first thread starts). simul must end in time, must not be killed, and must never say "complete" while the bug is still there.
 */
#ifndef HOSTILE_BUG_H
#define HOSTILE_BUG_H

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static atomic_int x, y;
static const char *what;

static int is(const char *name)
{
	return !strcmp(what, name);
}

/* The attack that is(...) names. */
static void hostile(void);

static void *first(void *unused)
{
	atomic_store(&x, 1);
	hostile();
	return (void *)(long)atomic_load(&y);
}

static void *second(void *unused)
{
	atomic_store(&y, 1);
	return (void *)(long)atomic_load(&x);
}

int main(int argc, char **argv)
{
	pthread_t a, b;
	void *r, *s;

	what = argc > 1 ? argv[1] : "none";
	if (argc > 2)
		hostile();
	if (pthread_create(&a, NULL, first, NULL) || pthread_create(&b, NULL, second, NULL))
		return 0; /* no memory for threads: then there is no bug */
	pthread_join(a, &r);
	pthread_join(b, &s);
	assert(!(r && s));
	return 0;
}

#endif
