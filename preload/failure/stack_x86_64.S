/*
 * void stack_as_if(const ucontext_t *uc, void (*walk)(void *), void *arg)
 *
 * Calls walk(arg) with a stack on which an unwinder finds, behind walk's own frames, a signal frame that
 * interrupted `uc`, so that it goes on from there. Nothing ever returns through that frame.
 *
 * While walk runs, from low to high addresses: return address into stack_as_if_inner; the "return address" of that,
 * which is __restore_rt (crash.c); the copy of *uc, which is where the CFA of a signal handler points.
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
	/* A call wants rsp to be a multiple of 16 before it; here it is 8 off, and the frame of inner has no room to
	   spare: inner makes it itself. */
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
	.section .note.GNU-stack, "", @progbits
