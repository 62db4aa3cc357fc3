/*
 * Called by new code after an access that it has reported. All registers and flags come back as they were; no flag is touched when nothing
 * is pending.
 */
	.text
	.globl after_stub
	.hidden after_stub, after_performed, after_pending
	.p2align 4
	.type after_stub, @function
after_stub:
	.cfi_startproc
	push %rcx
	.cfi_adjust_cfa_offset 8
	push %rax
	.cfi_adjust_cfa_offset 8
	mov after_pending@gottpoff(%rip), %rax
	movzbl %fs:(%rax), %ecx
	jrcxz 1f
	lahf
	seto %al
	push %rax
	push %rdx
	push %rsi
	push %rdi
	push %r8
	push %r9
	push %r10
	push %r11
	push %rbp
	mov %rsp, %rbp
	.cfi_def_cfa %rbp, 96
	and $-16, %rsp
	cld
	call after_performed
	mov %rbp, %rsp
	pop %rbp
	.cfi_def_cfa %rsp, 88
	pop %r11
	pop %r10
	pop %r9
	pop %r8
	pop %rdi
	pop %rsi
	pop %rdx
	pop %rax
	add $0x7f, %al
	sahf
	.cfi_def_cfa %rsp, 24
1:	pop %rax
	pop %rcx
	ret
	.cfi_endproc
	.size after_stub, . - after_stub

	.section .note.GNU-stack, "", @progbits
