/*
 * The function that real_NAME points to until real_init has run. It resolves the pointer and calls the real function.
 *
 * Hooks can be called before our constructor (other libraries' constructors run first), with any
 * argument registers in use; so a stub may change %r11 only.
 */
#define MODEL(ret, name, args)                                                                     \
	.hidden real_stub_##name; .globl real_stub_##name;                                         \
	real_stub_##name: lea real_##name(%rip), %r11; jmp real_stub_resolve;
#define PASS(ret, name, args)
#define REFUSE(ret, name, args) MODEL(ret, name, args)

#define DESCRIBED(name, ...) MODEL(, name, )
#define UNSEEN(name) MODEL(, name, )

	.text
#include "preload/base/hooks.def"
#include "preload/base/libc.def"

/* %r11: address of the pointer. Calls real_resolve(pointer) with every argument register saved. */
	.type	real_stub_resolve, @function
real_stub_resolve:
	.cfi_startproc
	push	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	mov	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	sub	$208, %rsp
	and	$-16, %rsp
	mov	%rdi, 0(%rsp)
	mov	%rsi, 8(%rsp)
	mov	%rdx, 16(%rsp)
	mov	%rcx, 24(%rsp)
	mov	%r8, 32(%rsp)
	mov	%r9, 40(%rsp)
	mov	%rax, 48(%rsp)
	mov	%r11, 56(%rsp)
	movups	%xmm0, 64(%rsp)
	movups	%xmm1, 80(%rsp)
	movups	%xmm2, 96(%rsp)
	movups	%xmm3, 112(%rsp)
	movups	%xmm4, 128(%rsp)
	movups	%xmm5, 144(%rsp)
	movups	%xmm6, 160(%rsp)
	movups	%xmm7, 176(%rsp)
	mov	%r11, %rdi
	call	real_resolve
	movups	64(%rsp), %xmm0
	movups	80(%rsp), %xmm1
	movups	96(%rsp), %xmm2
	movups	112(%rsp), %xmm3
	movups	128(%rsp), %xmm4
	movups	144(%rsp), %xmm5
	movups	160(%rsp), %xmm6
	movups	176(%rsp), %xmm7
	mov	0(%rsp), %rdi
	mov	8(%rsp), %rsi
	mov	16(%rsp), %rdx
	mov	24(%rsp), %rcx
	mov	32(%rsp), %r8
	mov	40(%rsp), %r9
	mov	48(%rsp), %rax
	mov	56(%rsp), %r11
	mov	%rbp, %rsp
	pop	%rbp
	.cfi_def_cfa %rsp, 8
	jmp	*(%r11)
	.cfi_endproc
	.size	real_stub_resolve, . - real_stub_resolve

	.section .note.GNU-stack,"",@progbits
