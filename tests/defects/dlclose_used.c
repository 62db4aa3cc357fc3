/* dlclose unloads a library while another thread calls into it. simul keeps the library loaded, so the call does not fail; the verdict was "complete".
 * build: mkdir -p @DIR@/away && gcc -O1 -shared -fPIC -DLIBRARY @SRC@ -o @DIR@/away/l.so && gcc -g -pthread -DAWAY='"@DIR@/away/l.so"' @SRC@ -o @OUT@
 * check: complete says=except_for_libraries_that_dlclose_unloads : -- last
 * check: complete says=libraries_that_dlclose_unloads : --no-patch -- last
 * check: complete says=except_for_libraries_that_dlclose_unloads : -- again
 * check: complete never=except_for : -- first
 * check: complete never=except_for : -- kept
 * check: complete never=except_for : -- joined
 * check: complete never=except_for : -- libc
 */
#ifdef LIBRARY
int plug(int x)
{
	return x + 1;
}
#else
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

static void *library;

static void *run(void *unused)
{
	dlclose(library);
	return unused;
}

int main(int argc, char **argv)
{
	const char *how = argv[1], *name = strcmp(how, "libc") ? AWAY : "libc.so.6";
	int (*plug)(int);
	pthread_t t;

	library = dlopen(name, strcmp(how, "kept") ? RTLD_NOW : RTLD_NOW | RTLD_NODELETE);
	assert(library);
	if (!strcmp(how, "first"))
		dlopen(name, RTLD_NOW);
	if (!strcmp(how, "again"))
		dlopen(name, RTLD_NOW), dlclose(library);
	plug = (int (*)(int))dlsym(library, strcmp(how, "libc") ? "plug" : "abs");
	if (!strcmp(how, "joined")) {
		pthread_create(&t, 0, (void *(*)(void *))plug, 0);
		pthread_join(t, 0);
		dlclose(library);
		return 0;
	}
	pthread_create(&t, 0, run, 0);
	plug(1);
	pthread_join(t, 0);
	return 0;
}
#endif
