#include "cli/target/traced_registers.h"

/* rbx points to the next entry of the list. */
__asm__(".pushsection .rodata\n"
	".globl place_code, place_code_end\n"
	"place_code:\n"
	"1:	mov (%rbx), %eax\n"
	"	cmp $-1, %eax\n"
	"	je 3f\n"
	"	mov 8(%rbx), %rdi\n"
	"	mov 16(%rbx), %rsi\n"
	"	mov 24(%rbx), %rdx\n"
	"	mov 32(%rbx), %r10\n"
	"	mov 40(%rbx), %r8\n"
	"	mov 48(%rbx), %r9\n"
	"	syscall\n"
	"	mov %rax, 56(%rbx)\n"
	"	cmp $-4096, %rax\n"
	"	jbe 2f\n"
	"	cmpl $0, 4(%rbx)\n"
	"	je 3f\n"
	"2:	add $64, %rbx\n"
	"	jmp 1b\n"
	"3:	int3\n"
	"place_code_end:\n"
	".popsection\n");

void traced_set_list(struct user_regs_struct *r, uint64_t at)
{
	r->rbx = at;
}

uint64_t traced_list(const struct user_regs_struct *r)
{
	return r->rbx;
}

/* The instructions "syscall; int3". */
#define CALL_CODE UINT64_C(0xcc050f)
#define CALL_MASK UINT64_C(0xffffff)

uint64_t traced_call_code(uint64_t word)
{
	return (word & ~CALL_MASK) | CALL_CODE;
}

void traced_set_call(struct user_regs_struct *r, uint64_t number, const uint64_t arg[6])
{
	r->rax = number;
	r->rdi = arg[0];
	r->rsi = arg[1];
	r->rdx = arg[2];
	r->r10 = arg[3];
	r->r8 = arg[4];
	r->r9 = arg[5];
}

int64_t traced_result(const struct user_regs_struct *r)
{
	return (int64_t)r->rax;
}

uint64_t traced_pc(const struct user_regs_struct *r)
{
	return r->rip;
}

uint64_t traced_sp(const struct user_regs_struct *r)
{
	return r->rsp;
}

void traced_set_sp(struct user_regs_struct *r, uint64_t sp)
{
	r->rsp = sp;
}

void traced_set_pc(struct user_regs_struct *r, uint64_t pc)
{
	r->rip = pc;
}

void traced_forget_call(struct user_regs_struct *r)
{
	r->orig_rax = UINT64_MAX;
}
