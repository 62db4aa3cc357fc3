/* Two threads call a function of a library that was loaded by dlopen. PLUGIN is its name there. */
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>

static void (*call)(void);

static void *worker(void *arg)
{
	call();
	return arg;
}

int main(void)
{
	void *lib = dlopen(PLUGIN, RTLD_NOW);
	pthread_t t[2];

	assert(lib);
	call = (void (*)(void))dlsym(lib, "plugin_call");
	int (*calls)(void) = (int (*)(void))dlsym(lib, "plugin_calls");
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], 0, worker, 0);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], 0);
	assert(calls() == 2);
	return 0;
}
