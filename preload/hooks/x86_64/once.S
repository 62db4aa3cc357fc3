/*
 * void sync_once_call(void (*init)(void)): calls init(). When an exception or a cancellation unwinds the stack through this frame, the
 * unwinder calls sync_once_personality() (hook_once.c).
 *
 * The unwinder asks the personality routine of each frame what to do. This one always lets the unwinder continue. It calls no function of
 * the unwinder: the one at work is the program's libgcc_s, which shares no data with the one that is linked into this library.
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
