/*
 * void sync_once_call(void (*init)(void)): calls init(), and tells sync_once_unwound() when the stack is
 * unwound through this frame instead (an exception, a cancellation).
 *
 * The unwinder asks a frame's personality routine what to do. Ours only takes notice and lets it go
 * on; it does not use any function of the unwinder, because the one at work (the program's
 * libgcc_s) and the one linked into this library do not share their data.
 */
	.text
	.globl	sync_once_call
	.hidden	sync_once_call
	.type	sync_once_call, @function
sync_once_call:
	.cfi_startproc
	.cfi_personality 0x9b, personality_ref
	push	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	mov	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	call	*%rdi
	pop	%rbp
	.cfi_def_cfa %rsp, 8
	ret
	.cfi_endproc
	.size	sync_once_call, . - sync_once_call

	.section .data.rel.local,"aw"
	.balign	8
personality_ref:
	.hidden	sync_once_personality
	.quad	sync_once_personality

	.section .note.GNU-stack,"",@progbits
