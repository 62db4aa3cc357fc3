/* Functions without unwind information increment a counter in two threads: assembly without .cfi directives, or an object that was compiled
 * without tables and linked to others. They are not patched, and the verdict said nothing of them: complete, one trace. They are called directly (0), by a pointer
 * in data (1), or by one that code takes (2).
 * build: gcc -g -O1 -pthread
 * build: gcc -g -O1 -fno-asynchronous-unwind-tables -fno-exceptions -DPART -c -o @OUT@.o @SRC@ && gcc -g -O1 -pthread -DOTHER @SRC@ @OUT@.o -o @OUT@
 * build: gcc -g -O1 -pthread -no-pie
 * build: clang -g -O1 -pthread
 * check: complete says=inc._code_without_unwind : -- 0
 * check: complete says=inc._code_without_unwind : -- 1
 * check: complete says=inc._code_without_unwind : -- 2
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifdef PART
extern int counter;
void inc(void) { counter++; }
#else
int counter;
void inc(void);
#ifndef OTHER
__asm__(".text\n.globl inc\n.type inc,@function\ninc: movl counter(%rip),%eax\n pause\n incl %eax\n movl %eax,counter(%rip)\n ret\n.size inc,.-inc\n");
#endif
void (*pointer)(void) = inc;

static void *w(void *x)
{
	void (*volatile taken)(void) = inc;

	switch (*(int *)x) {
	case 0: inc(); break;
	case 1: pointer(); break;
	case 2: taken(); break;
	}
	return x;
}

int main(int argc, char **argv)
{
	int how = atoi(argv[1]);
	pthread_t t;

	pthread_create(&t, 0, w, &how);
	w(&how);
	pthread_join(t, 0);
	assert(counter == 2);
}
#endif
