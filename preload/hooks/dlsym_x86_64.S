/*
 * void *dlsym(void *handle, const char *name): dlsym_hook (hook_dlsym.c) answers for the functions of libc that have a hook. For all others
 * libc's dlsym is entered by a jump: it finds the calling library, where RTLD_NEXT starts, by the return address.
 */
	.text
	.globl	dlsym
	.type	dlsym, @function
dlsym:
	.cfi_startproc
	push	%rdi
	.cfi_adjust_cfa_offset 8
	push	%rsi
	.cfi_adjust_cfa_offset 8
	sub	$8, %rsp
	.cfi_adjust_cfa_offset 8
	mov	24(%rsp), %rdx
	call	dlsym_hook
	add	$8, %rsp
	.cfi_adjust_cfa_offset -8
	pop	%rsi
	.cfi_adjust_cfa_offset -8
	pop	%rdi
	.cfi_adjust_cfa_offset -8
	test	%rax, %rax
	jz	1f
	ret
1:	jmp	*real_dlsym(%rip)
	.cfi_endproc
	.size	dlsym, . - dlsym

	.section .note.GNU-stack,"",@progbits
