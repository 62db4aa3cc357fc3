/* A program calls more functions of a library, one by one, than the patcher has table entries for pieces of new code. The verdict names the
 * functions that were left out. It once gave a wrong reason: there was room for their new code.
 * build: mkdir -p @DIR@/away && gcc -O1 -shared -fPIC -DLIBRARY @SRC@ -o @DIR@/away/m.so && gcc -g -pthread @SRC@ @DIR@/away/m.so -o @OUT@
 * check: complete says=functions_whose_memory.*tables_are_full : --
 */
#define FUNCTIONS 8300

#ifdef LIBRARY
int counter;

/* FUNCTIONS functions of 64 bytes */
#define TEXT(n) #n
#define REPEAT(n) ".rept " TEXT(n) "\n"
__asm__(".text\n .balign 64\n .globl many\n .type many, @function\n many:\n" REPEAT(FUNCTIONS)
	".cfi_startproc\n"
	"mov counter@GOTPCREL(%rip), %rax\n"
	"incl (%rax)\n"
	"ret\n"
	".cfi_endproc\n"
	".balign 64\n"
	".endr\n");
#else
#include <pthread.h>

void many(void);

static void *call_all(void *unused)
{
	for (int i = 0; i < FUNCTIONS; i++)
		((void (*)(void))((char *)many + 64 * i))();
	return unused;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, 0, call_all, 0);
	pthread_join(t, 0);
	return 0;
}
#endif
