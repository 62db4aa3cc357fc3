/* Changes what the calling convention lets a function change, so that code which relies on it is noticed. */
	.text
	.globl	clobber_general
	.hidden	clobber_general
	.type	clobber_general, @function
clobber_general:
	.cfi_startproc
	mov	$0xdead0001, %ecx
	mov	$0xdead0002, %edx
	mov	$0xdead0003, %esi
	mov	$0xdead0004, %edi
	mov	$0xdead0005, %r8d
	mov	$0xdead0006, %r9d
	mov	$0xdead0007, %r10d
	mov	$0xdead0008, %r11d
	mov	$0x7fffffff, %eax
	add	$1, %eax		/* overflow, sign, no carry */
	stc
	mov	$0xdead0009, %eax
	ret
	.cfi_endproc
	.size	clobber_general, . - clobber_general

/* clobber_vectors(avx, avx512) */
	.globl	clobber_vectors
	.hidden	clobber_vectors
	.type	clobber_vectors, @function
clobber_vectors:
	.cfi_startproc
	.irp	i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	pcmpeqd	%xmm\i, %xmm\i
	.endr
	test	%edi, %edi
	jz	1f
	.irp	i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	vcmptrueps %ymm\i, %ymm\i, %ymm\i
	.endr
	test	%esi, %esi
	jz	1f
	.irp	i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	vpternlogd $0xff, %zmm\i, %zmm\i, %zmm\i
	.endr
	.irp	i, 0, 1, 2, 3, 4, 5, 6, 7
	kxnorw	%k\i, %k\i, %k\i
	.endr
1:	fninit				/* x87: an empty stack, default rounding */
	fld1
	fldpi
	fstp	%st(0)
	fstp	%st(0)
	movl	$0x1fbf, -8(%rsp)	/* the flags of mxcsr are the caller's to lose, its modes are not: only flags */
	ldmxcsr	-8(%rsp)
	jmp	clobber_general
	.cfi_endproc
	.size	clobber_vectors, . - clobber_vectors
	.section .note.GNU-stack,"",@progbits
