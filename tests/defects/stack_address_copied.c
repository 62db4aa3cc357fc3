/* Functions that copy a stack address only in a rare way: by a lea with the frame pointer as index, or by a cmpxchg that stores the stack pointer.
 * simul once took their frames for private memory, and did not see that another thread writes there.
 * check: bug kind=assert replays=5 : -- lea
 * check: bug kind=assert replays=5 : -- cmpxchg
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>

int *shared;
int reads[2];
void finish(void);
void by_lea(void), by_cmpxchg(void);

/* int own = 0; shared = &own; reads[0] = own; reads[1] = own; finish(); */
__asm__(".text\n"
	".type by_lea, @function\n"
	"by_lea: .cfi_startproc\n"
	"push %rbp\n .cfi_def_cfa_offset 16\n .cfi_offset %rbp, -16\n"
	"mov %rsp, %rbp\n .cfi_def_cfa_register %rbp\n"
	"sub $32, %rsp\n"
	"movl $0, -16(%rbp)\n"
	"mov $-16, %rax\n"
	"lea (%rax, %rbp), %rax\n"
	"xchg %rax, shared(%rip)\n"
	"mov -16(%rbp), %eax\n"
	"mov %eax, reads(%rip)\n"
	"mov -16(%rbp), %eax\n"
	"mov %eax, 4+reads(%rip)\n"
	"call finish\n"
	"leave\n .cfi_def_cfa %rsp, 8\n"
	"ret\n"
	".cfi_endproc\n .size by_lea, . - by_lea\n"
	".type by_cmpxchg, @function\n"
	"by_cmpxchg: .cfi_startproc\n"
	"sub $24, %rsp\n .cfi_def_cfa_offset 32\n"
	"movl $0, (%rsp)\n"
	"xor %eax, %eax\n"
	"lock cmpxchg %rsp, shared(%rip)\n"
	"mov (%rsp), %eax\n"
	"mov %eax, reads(%rip)\n"
	"mov (%rsp), %eax\n"
	"mov %eax, 4+reads(%rip)\n"
	"call finish\n"
	"add $24, %rsp\n .cfi_def_cfa_offset 8\n"
	"ret\n"
	".cfi_endproc\n .size by_cmpxchg, . - by_cmpxchg\n");

static pthread_t t;

static void *write_there(void *unused)
{
	int *p = __atomic_load_n(&shared, __ATOMIC_SEQ_CST);

	if (p)
		__atomic_store_n(p, 1, __ATOMIC_SEQ_CST);
	return unused;
}

void finish(void)
{
	pthread_join(t, NULL);
}

int main(int argc, char **argv)
{
	(void)argc;
	pthread_create(&t, NULL, write_there, NULL);
	if (!strcmp(argv[1], "lea"))
		by_lea();
	else
		by_cmpxchg();
	assert(reads[0] == reads[1]);
	return 0;
}
