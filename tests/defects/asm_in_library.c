/* A library that is patched when it is reached has functions of assembly without .cfi directives, which increment a counter in two threads. They are
 * not patched, and the verdict said nothing of them: complete, one trace. The program calls such a function itself (0), a function of the library
 * does (1), or the library gives out a pointer to a local one (2).
 * build: mkdir -p @DIR@/other && gcc -g -O1 -fPIC -shared -DLIBRARY -o @DIR@/other/libinc.so @SRC@ && gcc -g -O1 -pthread -o @OUT@ @SRC@
 * check: complete says=code_without_unwind : -- 0
 * check: complete says=code_without_unwind : -- 1
 * check: complete says=code_without_unwind : -- 2
 * check: complete never=except : -- 3
 */
#include <assert.h>
#include <dlfcn.h>
#include <libgen.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef LIBRARY
int counter;
__asm__(".text\n.skip 40000, 0x90\n.globl far_inc\n.type far_inc,@function\nfar_inc: movq counter@GOTPCREL(%rip),%rax\n incl (%rax)\n ret\n"
	".size far_inc,.-far_inc\n.p2align 4\nnear_inc: movq counter@GOTPCREL(%rip),%rax\n incl (%rax)\n ret\n.skip 40000, 0x90\n"
	"hidden_inc: movq counter@GOTPCREL(%rip),%rax\n incl (%rax)\n ret\n.skip 40000, 0x90\n");
void near_inc(void) __attribute__((visibility("hidden")));
void hidden_inc(void) __attribute__((visibility("hidden")));
void by_function(void) { near_inc(); }
void (*table[])(void) = {hidden_inc};
void plain(void) { __atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST); }
#else
static void (*inc)(void);

static void *w(void *x)
{
	inc();
	return x;
}

int main(int argc, char **argv)
{
	static const char *const names[] = {"far_inc", "by_function", "table", "plain"};
	char path[4096], self[4096];
	void *library, *found;
	pthread_t t;

	snprintf(self, sizeof self, "%s", argv[0]);
	snprintf(path, sizeof path, "%s/other/libinc.so", dirname(self));
	library = dlopen(path, RTLD_NOW);
	assert(library && argc > 1);
	found = dlsym(library, names[atoi(argv[1])]);
	inc = atoi(argv[1]) == 2 ? *(void (**)(void))found : (void (*)(void))found;
	pthread_create(&t, 0, w, 0);
	w(0);
	pthread_join(t, 0);
	assert(*(int *)dlsym(library, "counter") == 2);
}
#endif
