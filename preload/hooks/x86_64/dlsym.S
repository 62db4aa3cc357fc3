/*
 * void *dlsym(void *handle, const char *name) and void *dlvsym(void *handle, const char *name, const char *version): dlsym_hook and
 * dlvsym_hook (hook_dlsym.c) answer for the functions of libc that have a hook. For all other functions dlsym and dlvsym jump to libc's,
 * which must see the program's return address: it finds the calling library, where RTLD_NEXT starts, by this address.
 */
	.text

/* The hook's last parameter, which is passed in the register `caller`, is the return address. */
	.macro	lookup name, caller
	.globl	\name
	.type	\name, @function
\name:
	.cfi_startproc
	push	%rdi
	.cfi_adjust_cfa_offset 8
	push	%rsi
	.cfi_adjust_cfa_offset 8
	push	%rdx
	.cfi_adjust_cfa_offset 8
	mov	24(%rsp), \caller
	call	\name\()_hook
	pop	%rdx
	.cfi_adjust_cfa_offset -8
	pop	%rsi
	.cfi_adjust_cfa_offset -8
	pop	%rdi
	.cfi_adjust_cfa_offset -8
	test	%rax, %rax
	jz	1f
	ret
1:	jmp	*real_\name(%rip)
	.cfi_endproc
	.size	\name, . - \name
	.endm

	lookup	dlsym, %rdx
	lookup	dlvsym, %rcx

	.section .note.GNU-stack,"",@progbits
