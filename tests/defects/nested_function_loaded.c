/* A library that needs an executable stack (it calls nested functions of GNU C) is loaded while a thread runs, and that thread calls it: a
 * confirmed crash of a correct program, since dlopen made no stack of simul's executable.
 * build: gcc -g -O1 -pthread -fPIC -shared -DLIBRARY -o @OUT@.so @SRC@ && gcc -g -O1 -pthread -o @OUT@ @SRC@
 * check: complete never=except : --
 * check: complete never=except : --isolation exec --
 */
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef LIBRARY
#include "nested_function.c"
#else
static pthread_barrier_t both;
static void *(*loaded)(void *);

static void *late(void *x)
{
	pthread_barrier_wait(&both);
	return loaded(x);
}

int main(int argc, char **argv)
{
	char path[4096];
	pthread_t t;
	void *library;

	pthread_barrier_init(&both, NULL, 2);
	pthread_create(&t, NULL, late, NULL);
	snprintf(path, sizeof path, "%s.so", argv[0]);
	library = dlopen(path, RTLD_NOW);
	assert(library);
	loaded = (void *(*)(void *))dlsym(library, "sort");
	pthread_barrier_wait(&both);
	loaded(NULL);
	pthread_join(t, NULL);
}
#endif
