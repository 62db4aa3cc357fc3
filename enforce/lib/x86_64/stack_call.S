/* See stack_call.h. */
	.text
	.globl stack_call
	.hidden stack_call
	.p2align 4
	.type stack_call, @function
stack_call:
	.cfi_startproc
	endbr64
	push %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	mov %rsp, %rbp
	.cfi_def_cfa_register %rbp
	cmp $4096, %r9
	jae 1f
	sub $4096, %rsp
	and $-4096, %rsp
	add %r9, %rsp
1:	mov %rsp, (%r8)
	mov %rdi, %rax
	mov %rsi, %rdi
	mov %rdx, %rsi
	mov %rcx, %rdx
	call *%rax
	leave
	.cfi_def_cfa %rsp, 8
	ret
	.cfi_endproc
	.size stack_call, . - stack_call

	.section .note.GNU-stack, "", @progbits
