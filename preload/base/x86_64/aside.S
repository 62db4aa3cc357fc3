/*
 * void *aside(void *(*f)(void *), void *arg): calls f(arg) on a stack of simul's own and returns what it returns.
 * See aside.h.
 */
	.text
	.globl aside
	.hidden aside
	.type aside, @function
aside:
	.cfi_startproc
	.cfi_signal_frame       /* the caller is on another stack; debuggers accept that only for a signal frame */
	push %rbp
	.cfi_adjust_cfa_offset 8
	.cfi_offset %rbp, -16
	mov %rsp, %rbp
	.cfi_def_cfa_register %rbp
	mov aside_hi(%rip), %rax
	mov %rsp, %rcx
	sub aside_lo(%rip), %rcx
	cmp aside_size(%rip), %rcx
	jb 1f                   /* already on this stack */
	mov %rax, %rsp
1:	and $-16, %rsp
	mov %rdi, %rax
	mov %rsi, %rdi
	call *%rax
	mov %rbp, %rsp
	pop %rbp
	.cfi_def_cfa %rsp, 8
	ret
	.cfi_endproc
	.size aside, . - aside
	.section .note.GNU-stack, "", @progbits
