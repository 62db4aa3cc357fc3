/* Code that dlmopen loads: into the program's own namespace it is seen like that of dlopen; another namespace has a libc of its own, and the
 * verdict says that it is not seen. Both were complete.
 * build: mkdir -p @DIR@/away && gcc -O1 -shared -fPIC -DLIBRARY @SRC@ -o @DIR@/away/l.so && gcc -g -pthread -DAWAY='"@DIR@/away/l.so"' @SRC@ -o @OUT@
 * check: bug kind=assert replays=3 : -- base
 * check: incomplete says=dlmopen : -- new
 */
#define _GNU_SOURCE
#ifdef LIBRARY
static int n;

int add(int more)
{
	n += more;
	return n;
}
#else
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

static int (*add)(int);

static void *run(void *unused)
{
	add(1);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t t;
	void *library = dlmopen(argc > 1 && !strcmp(argv[1], "base") ? LM_ID_BASE : LM_ID_NEWLM, AWAY, RTLD_NOW);

	assert(library && (add = (int (*)(int))dlsym(library, "add")));
	pthread_create(&t, NULL, run, NULL);
	add(1);
	pthread_join(t, NULL);
	assert(add(0) == 2);
	return 0;
}
#endif
