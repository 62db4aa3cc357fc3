/* See asm_functions.c. uint64_t f(uint64_t *p %rdi, uint64_t %rsi) */
	.text
	.macro function name
	.globl	\name
	.type	\name, @function
\name:
	.endm

	.p2align 4
function asm_sum
	.cfi_startproc
	xor	%eax, %eax
	test	%rsi, %rsi
	jz	2f
asm_sum_loop:
1:	add	(%rdi), %rax
	addq	$1, (%rdi)
	add	$8, %rdi
	dec	%rsi
	jnz	1b
2:	ret
	.cfi_endproc
	.size	asm_sum, . - asm_sum

function asm_sum_no_cfi
	xor	%eax, %eax
1:	test	%rsi, %rsi
	jz	2f
	add	-8(%rdi,%rsi,8), %rax
	addq	$2, -8(%rdi,%rsi,8)
	dec	%rsi
	jmp	1b
2:	ret
	.size	asm_sum_no_cfi, . - asm_sum_no_cfi

/* one function in the unwind information, two symbols */
function asm_two_entries
	.cfi_startproc
	addq	$100, (%rdi)
	nop
	.globl	asm_second_entry
	.type	asm_second_entry, @function
asm_second_entry:
	mov	(%rdi), %rax
	add	%rax, 8(%rdi)
	ret
	.cfi_endproc

/* a table of absolute addresses, one of differences, and data, all among the code */
	.globl	asm_data_in_text
	.p2align 3
asm_data_in_text:
	.long	0x90909090, 0xc3c3c3c3, 0x000000e8, 0x0f0b0f0b
1:	.long	2f - 1b, 3f - 1b, 4f - 1b, 5f - 1b, 6f - 1b, 7f - 1b
function asm_table
	.cfi_startproc
	lea	1b(%rip), %rdx
	movslq	(%rdx,%rsi,4), %rax
	add	%rdx, %rax
	jmp	*%rax
2:	incq	(%rdi)
	mov	$2, %eax
	ret
3:	incq	8(%rdi)
	mov	$3, %eax
	ret
4:	mov	16(%rdi), %rax
	ret
5:	mov	24(%rdi), %rax
	notq	24(%rdi)
	ret
6:	pushq	32(%rdi)
	.cfi_adjust_cfa_offset 8
	popq	40(%rdi)
	.cfi_adjust_cfa_offset -8
	mov	40(%rdi), %rax
	ret
7:	xor	%eax, %eax
	ret
	.cfi_endproc
	.size	asm_table, . - asm_table

/* targets that lie closer together than a jump is long */
function asm_dense
	.cfi_startproc
	lea	1f(%rip), %rax
	lea	(%rax,%rsi,2), %rax
	mov	(%rdi), %rdx
	jmp	*%rax
1:	inc	%edx
	inc	%edx
	inc	%edx
	inc	%edx
	inc	%edx
	inc	%edx
	inc	%edx
	inc	%edx
	mov	%rdx, (%rdi)
	mov	%rdx, %rax
	ret
	.cfi_endproc
	.size	asm_dense, . - asm_dense

/* the first runs into the second */
function asm_falls
	.cfi_startproc
	addq	$5, 16(%rdi)
	.cfi_endproc
	.size	asm_falls, . - asm_falls
function asm_after_fall
	.cfi_startproc
	mov	16(%rdi), %rax
	xor	%rax, 24(%rdi)
	ret
	.cfi_endproc
	.size	asm_after_fall, . - asm_after_fall

/* jumps behind the first instruction of another function */
function asm_jumps_into
	.cfi_startproc
	xor	%eax, %eax
	mov	$3, %esi
	add	$8, %rdi
	jmp	asm_sum_loop
	.cfi_endproc
	.size	asm_jumps_into, . - asm_jumps_into

/* into the middle of an instruction: mov $imm, whose immediate is `xor %eax,%eax; ret; nop` */
function asm_overlapping
	.cfi_startproc
	test	%rsi, %rsi
	jnz	1f + 1
1:	.byte	0xb8, 0x31, 0xc0, 0xc3, 0x90
	add	(%rdi), %rax
	ret
	.cfi_endproc
	.size	asm_overlapping, . - asm_overlapping

/* calls a helper that returns one instruction (of three bytes) later */
	.p2align 4
function asm_skipper
	.cfi_startproc
	addq	$3, (%rsp)
	ret
	.cfi_endproc
	.size	asm_skipper, . - asm_skipper
function asm_skips_return
	.cfi_startproc
	mov	$9, %eax
	call	asm_skipper
	add	(%rdi), %rax
	add	%rax, 32(%rdi)
	mov	32(%rdi), %rax
	ret
	.cfi_endproc
	.size	asm_skips_return, . - asm_skips_return

/* a function shorter than a jump, right before another one */
function asm_short
	.cfi_startproc
	mov	(%rdi), %eax
	ret
	.cfi_endproc
	.size	asm_short, . - asm_short
function asm_through_return
	.cfi_startproc
	push	%rdi
	.cfi_adjust_cfa_offset 8
	incq	56(%rdi)
	lea	1f(%rip), %rax
	push	%rax
	.cfi_adjust_cfa_offset 8
	jmp	*%rsi
	.cfi_adjust_cfa_offset -8
1:	pop	%rdi
	.cfi_adjust_cfa_offset -8
	add	56(%rdi), %rax
	ret
	.cfi_endproc
	.size	asm_through_return, . - asm_through_return

/* every register holds something, and flags go from one access to the next */
	.p2align 4
function asm_registers
	.cfi_startproc
	.irp	r, rbx, rbp, r12, r13, r14, r15
	push	%\r
	.cfi_adjust_cfa_offset 8
	.endr
	mov	$1, %eax
	mov	$2, %ebx
	mov	$3, %ecx
	mov	$4, %edx
	mov	$5, %esi
	mov	$6, %ebp
	.irp	n, 8, 9, 10, 11, 12, 13, 14, 15
	mov	$\n, %r\n
	.endr
	stc
	movq	%rax, (%rdi)
	adcq	8(%rdi), %rax
	movq	%rbx, 16(%rdi)
	adcq	%rcx, 24(%rdi)
	movq	%r15, 32(%rdi)
	adcq	$0, %rdx
	movq	%rsi, 40(%rdi)
	sbbq	%rbp, 48(%rdi)
	adcq	%r8, %r9
	movq	%r10, 56(%rdi)
	adcq	%r11, %r12
	stc
	incq	64(%rdi)		/* leaves the carry */
	adcq	%r13, %r14
	cmpq	%r14, 72(%rdi)
	movq	%rax, 80(%rdi)
	movb	%bpl, 88(%rdi)
	setb	89(%rdi)
	seto	90(%rdi)
	cmovs	96(%rdi), %r13
	.irp	r, rbx, rcx, rdx, rsi, rbp, r8, r9, r10, r11, r12, r13, r14, r15
	add	%\r, %rax
	.endr
	.irp	r, r15, r14, r13, r12, rbp, rbx
	pop	%\r
	.cfi_adjust_cfa_offset -8
	.endr
	ret
	.cfi_endproc
	.size	asm_registers, . - asm_registers
	.section .note.GNU-stack,"",@progbits
