/* dlopen of a name without a slash. The loader searches LD_LIBRARY_PATH before the RUNPATH of the caller, and uses a library that is already loaded
 * under this name. simul once searched the RUNPATH first and loaded another library than a native run does, so the assertions failed.
 * build: bash @SRC@.build @SRC@ @OUT@
 * check: complete : -- runpath
 * check: complete : -- environment
 * check: complete : -- loaded
 */
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef LIBRARY
int number(void)
{
	return LIBRARY;
}
#else
static char directory[4096];

static void *load(const char *file)
{
	void *library = dlopen(file, RTLD_NOW);

	if (!library)
		puts(dlerror());
	assert(library);
	return library;
}

static int number_in(const char *file)
{
	return ((int (*)(void))dlsym(load(file), "number"))();
}

static void *use(void *how)
{
	if (!strcmp(how, "runpath"))
		assert(number_in("libone.so") == 1);
	if (!strcmp(how, "environment"))
		assert(number_in("libone.so") == 2);
	if (!strcmp(how, "loaded")) {
		strcat(directory, "libtwo.so");
		load(directory);
		assert(number_in("libtwo.so") == 4);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t;

	assert(argc == 2);
	strcpy(directory, argv[0]);
	strcpy(strrchr(directory, '/'), "/second/");
	if (!strcmp(argv[1], "environment") && !getenv("LD_LIBRARY_PATH")) {
		setenv("LD_LIBRARY_PATH", directory, 1);
		execv(argv[0], argv);
	}
	assert(!pthread_create(&t, NULL, use, argv[1]));
	assert(!pthread_join(t, NULL));
	return 0;
}
#endif
