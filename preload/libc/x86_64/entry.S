/*
 * The functions that libc.def and the SEEN lines of hooks.def describe, as the program calls them. While no sensor is on, each is a test
 * and a jump. Otherwise libc_before gets the call, with all registers including vector registers preserved, and decides how it continues
 * (accesses.h).
 */
#define ENTRY(name, ...)                                                                           \
	.globl name; .type name, @function;                                                        \
	name:                                                                                      \
	cmpb $0, mem_on(%rip);                                                                     \
	jne 1f;                                                                                    \
	2: jmp __VA_ARGS__;                                                                        \
	1: cmpl $0, ctl_inside(%rip);                                                              \
	jne 2b;                                                                                    \
	lea libc_##name(%rip), %r11;                                                               \
	jmp libc_entry;                                                                            \
	.size name, . - name;
#define DESCRIBED(name, ...) ENTRY(name, *real_##name(%rip))
#define UNSEEN(name) DESCRIBED(name)
#define SEEN(ret, name, args, ...) ENTRY(name, hook_##name)
#define MODEL(ret, name, args)
#define PASS(ret, name, args)
#define REFUSE(ret, name, args)

	.text
	.hidden	mem_on
	.hidden	ctl_inside
	.hidden	libc_before
	.hidden	libc_after

#define ARGS 0
#define XMM 48
#define RAX 176
#define STACK 184
#define PC 192
#define LIBC_AT 200
#define CALL_BYTES 256 /* bytes of struct libc_call */
#define PASSED 8 /* words of arguments on the stack that are passed on */

/* %r11: the description of the function. The stack is as the function expects it. */
	.type	libc_entry, @function
libc_entry:
	.cfi_startproc
	push	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	mov	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	sub	$CALL_BYTES, %rsp
	and	$-16, %rsp
	mov	%rdi, ARGS(%rsp)
	mov	%rsi, ARGS+8(%rsp)
	mov	%rdx, ARGS+16(%rsp)
	mov	%rcx, ARGS+24(%rsp)
	mov	%r8, ARGS+32(%rsp)
	mov	%r9, ARGS+40(%rsp)
	movups	%xmm0, XMM(%rsp)
	movups	%xmm1, XMM+16(%rsp)
	movups	%xmm2, XMM+32(%rsp)
	movups	%xmm3, XMM+48(%rsp)
	movups	%xmm4, XMM+64(%rsp)
	movups	%xmm5, XMM+80(%rsp)
	movups	%xmm6, XMM+96(%rsp)
	movups	%xmm7, XMM+112(%rsp)
	mov	%rax, RAX(%rsp)
	mov	%r11, LIBC_AT(%rsp)
	lea	16(%rbp), %rax
	mov	%rax, STACK(%rsp)
	mov	8(%rbp), %rax
	mov	%rax, PC(%rsp)
	mov	%rsp, %rdi
	call	libc_before
	cmp	$1, %eax
	jb	libc_go_on
	ja	libc_done

/* Calls the function, with a copy of the caller's arguments on the stack. */
	mov	%rsp, %r10
	sub	$(8 * PASSED), %rsp
	mov	$(PASSED - 1), %ecx
1:	mov	16(%rbp,%rcx,8), %rax
	mov	%rax, (%rsp,%rcx,8)
	sub	$1, %ecx
	jns	1b
	mov	LIBC_AT(%r10), %r11
	mov	(%r11), %r11
	mov	ARGS(%r10), %rdi
	mov	ARGS+8(%r10), %rsi
	mov	ARGS+16(%r10), %rdx
	mov	ARGS+24(%r10), %rcx
	mov	ARGS+32(%r10), %r8
	mov	ARGS+40(%r10), %r9
	movups	XMM(%r10), %xmm0
	movups	XMM+16(%r10), %xmm1
	movups	XMM+32(%r10), %xmm2
	movups	XMM+48(%r10), %xmm3
	mov	RAX(%r10), %rax
	call	*(%r11)
	add	$(8 * PASSED), %rsp
	mov	%rax, RAX(%rsp)
	movups	%xmm0, XMM(%rsp)
	mov	%rdx, ARGS+40(%rsp)
	mov	%rsp, %rdi
	call	libc_after
	mov	ARGS+40(%rsp), %rdx
	movups	XMM(%rsp), %xmm0
libc_done:
	mov	RAX(%rsp), %rax
	mov	%rbp, %rsp
	pop	%rbp
	.cfi_remember_state
	.cfi_def_cfa %rsp, 8
	ret
	.cfi_restore_state

libc_go_on:
	movups	XMM(%rsp), %xmm0
	movups	XMM+16(%rsp), %xmm1
	movups	XMM+32(%rsp), %xmm2
	movups	XMM+48(%rsp), %xmm3
	movups	XMM+64(%rsp), %xmm4
	movups	XMM+80(%rsp), %xmm5
	movups	XMM+96(%rsp), %xmm6
	movups	XMM+112(%rsp), %xmm7
	mov	ARGS(%rsp), %rdi
	mov	ARGS+8(%rsp), %rsi
	mov	ARGS+16(%rsp), %rdx
	mov	ARGS+24(%rsp), %rcx
	mov	ARGS+32(%rsp), %r8
	mov	ARGS+40(%rsp), %r9
	mov	RAX(%rsp), %rax
	mov	LIBC_AT(%rsp), %r11
	mov	(%r11), %r11
	mov	%rbp, %rsp
	pop	%rbp
	.cfi_def_cfa %rsp, 8
	jmp	*(%r11)
	.cfi_endproc
	.size	libc_entry, . - libc_entry

#include "preload/base/libc.def"
#include "preload/base/hooks.def"

	.section .note.GNU-stack,"",@progbits
