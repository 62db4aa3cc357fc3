/*
 * libsimul-cmocka.so, for `simul stress --cmocka`. Preloaded into a test program that is linked with libcmocka.so, it runs only the test
 * that SIMUL_CMOCKA_TEST names. CMocka has a function that selects tests, but no option.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

__attribute__((constructor)) static void choose(void)
{
	const char *name = getenv("SIMUL_CMOCKA_TEST");
	void *function = dlsym(RTLD_DEFAULT, "cmocka_set_test_filter");
	void (*set_filter)(const char *);

	if (!name || !function)
		return;
	memcpy(&set_filter, &function, sizeof(set_filter));
	set_filter(name);
}
