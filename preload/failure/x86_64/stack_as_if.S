/*
 * void stack_as_if(const ucontext_t *uc, void (*walk)(void *), void *arg)
 *
 * Calls walk(arg) on a stack that looks as if a signal handler had interrupted `uc` and called walk. An unwinder in walk therefore
 * continues at uc. Nothing ever returns through this signal frame.
 *
 * While walk runs, the stack holds, from low to high addresses: the return address into stack_as_if_inner; the "return address" of
 * stack_as_if_inner, which is __restore_rt; the copy of *uc, where the CFA of a signal handler points.
 */
#define UCONTEXT 968 /* sizeof (ucontext_t), a multiple of 8 */

	.text
	.globl stack_as_if
	.hidden stack_as_if
	.type stack_as_if, @function
stack_as_if:
	push %rbp
	mov %rsp, %rbp
	push %rbx
	push %r12
	mov %rsi, %rbx
	mov %rdx, %r12
	sub $(UCONTEXT + 16), %rsp
	and $-16, %rsp          /* the copy starts at a multiple of 16 */
	mov %rdi, %rsi
	mov %rsp, %rdi
	mov $(UCONTEXT / 8), %ecx
	rep movsq
	lea __restore_rt(%rip), %rax
	push %rax
	/* rsp must be a multiple of 16 before a call, but here it is off by 8. No padding may lie between these words, so inner aligns rsp. */
	jmp stack_as_if_inner
	.size stack_as_if, . - stack_as_if

	.type stack_as_if_inner, @function
stack_as_if_inner:
	.cfi_startproc
	sub $8, %rsp
	.cfi_adjust_cfa_offset 8
	mov %r12, %rdi
	call *%rbx
	lea -16(%rbp), %rsp
	pop %r12
	pop %rbx
	pop %rbp
	ret
	.cfi_endproc
	.size stack_as_if_inner, . - stack_as_if_inner

/* Without an unwind table, unwinders recognise a signal frame by exactly these bytes. They first look for a table at the address just
   before, so nops separate this code from the end of another function. gdb also requires libc's name: with another name it assumes an
   ordinary function. */
	.balign 16
	nop
	nop
	.globl __restore_rt
	.hidden __restore_rt
	.type __restore_rt, @function
__restore_rt:
	mov $15, %rax /* SYS_rt_sigreturn */
	syscall

	.section .note.GNU-stack, "", @progbits
