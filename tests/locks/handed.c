/*
 * handed MODE: two threads take a mutex of GLib twice each. The bits of MODE say where a function of the library calls g_mutex_lock (1, 4) or g_mutex_unlock
 * (2, 8) instead of the program, in both threads or only in the first one (4, 8: the second one calls them itself).
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void g_mutex_lock(void *);
void g_mutex_unlock(void *);
void g_slist_foreach(void *, void (*)(void *), void *);
void *g_slist_append(void *, void *);

static void *mutex, *list;
static int inside, sections, mode;

static void call(void (*f)(void *), int from_library)
{
	if (from_library)
		g_slist_foreach(list, f, NULL);
	else
		f(&mutex);
}

static void *run(void *second)
{
	for (int i = 0; i < 2; i++) {
		call(g_mutex_lock, mode & 1 && !(second && mode & 4));
		assert(!inside++);
		sections++;
		inside--;
		call(g_mutex_unlock, mode & 2 && !(second && mode & 8));
	}
	return second;
}

int main(int argc, char **argv)
{
	pthread_t t;

	mode = argc > 1 ? atoi(argv[1]) : 0;
	list = g_slist_append(NULL, &mutex);
	pthread_create(&t, NULL, run, &t);
	run(NULL);
	pthread_join(t, NULL);
	assert(sections == 4);
}
