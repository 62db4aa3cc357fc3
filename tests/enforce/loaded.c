/* Threads lose an update in the code of a library that dlopen has loaded. argv[1]: the library; argv[2]: late: after the first thread was created. */
#include <dlfcn.h>
#include "window.h"
static void (*increment)(void (*)(int));

static void *load(void *path)
{
	void *library = dlopen(path, RTLD_NOW);

	assert(library);
	increment = (void (*)(void (*)(int)))dlsym(library, "increment");
	assert(increment);
	return library;
}

static void *work(void *a)
{
	increment(window);
	return a;
}

int main(int argc, char **argv)
{
	void *library;
	pthread_t loader;

	if (argc > 2) {
		pthread_create(&loader, NULL, load, argv[1]);
		pthread_join(loader, &library);
	} else {
		library = load(argv[1]);
	}
	run_two(work, work);
	assert(*(int *)dlsym(library, "count") == 2);
	return 0;
}
