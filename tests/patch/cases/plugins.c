/* Code that is loaded and unloaded while the program runs; the library lies beside the program. */
#include "case.h"

#include <dlfcn.h>
#include <libgen.h>
#include <unistd.h>

NOINLINE int torture_callback(int x);
NOINLINE int torture_callback(int x) { static int total; total += x; return total; }

CASE(plugins)
{
	char path[4200], self[4096];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	self[n < 0 ? 0 : n] = 0;
	snprintf(path, sizeof(path), "%s/plugin.so", dirname(self));
	for (int i = 0; i < 3; i++) {
		void *handle = dlopen(path, i & 1 ? RTLD_LAZY : RTLD_NOW);
		if (!handle) {
			printf("no plugin: %s\n", dlerror());
			return;
		}
		int (*run)(int, int (*)(int)) = (int (*)(int, int (*)(int)))dlsym(handle, "plugin_run");
		int *value = dlsym(handle, "plugin_value");
		*value = i * 1000; /* a library that stays would remember */
		printf("plugin %d %d\n", run(10 + i, torture_callback), *value);
		dlclose(handle);
	}
}
