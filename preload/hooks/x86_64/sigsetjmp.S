/* int __sigsetjmp(struct __jmp_buf_tag *env, int save_mask) returns twice, so it must not have a frame: it saves the mask (hook_jump.c), then
   jumps to the real function. */
	.text
	.hidden	signals_save_mask
	.globl	__sigsetjmp
	.type	__sigsetjmp, @function
__sigsetjmp:
	.cfi_startproc
	test	%esi, %esi
	jz	1f
	push	%rdi
	.cfi_adjust_cfa_offset 8
	push	%rsi
	.cfi_adjust_cfa_offset 8
	sub	$8, %rsp
	.cfi_adjust_cfa_offset 8
	call	signals_save_mask
	add	$8, %rsp
	.cfi_adjust_cfa_offset -8
	pop	%rsi
	.cfi_adjust_cfa_offset -8
	pop	%rdi
	.cfi_adjust_cfa_offset -8
1:	jmp	*real___sigsetjmp(%rip)
	.cfi_endproc
	.size	__sigsetjmp, . - __sigsetjmp

	.section .note.GNU-stack,"",@progbits
