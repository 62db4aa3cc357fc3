/*
 * The code that hooks call before an access. The address is in rdi, the site in rsi; above the return address lie the program's rsi and
 * rdi. All registers and flags are preserved.
 *
 * patch_stub_fast saves the registers that a C function may change, and calls patch_note. It keeps flags by lahf and seto, which cost much
 * less than pushf and popf. Only if the access must be announced, it also saves everything else (vector registers by XSAVE) and calls
 * patch_hook_slow. patch_stub_full is for sites whose range depends on registers, and for functions that set the direction flag.
 *
 * interrupted.c leads an interrupted stub back to its entry. For this it counts the bytes of push instructions (50..57, 6a, 9c) between the labels
 * and the interrupted place, so no other instruction there may contain such a byte. It counts pops (58..5f, 9d) in the same way.
 */
#include "preload/patch/x86_64/site.h"

/* When the stack is exhausted, the fault must happen in the stub and not in the C functions that it calls, because interrupted.c can lead only the
   stub back to the program's instruction. So the stub first reads the stack that these functions need, in steps of at most a page, to hit
   the guard page. */
#define PROBE 1536
#define PROBE_SLOW 4096

	.text
	.globl patch_stub_begin, patch_stub_fast, patch_fast_body, patch_fast_leave, patch_fast_leave_slow
	.globl patch_slow_begin, patch_stub_full, patch_full_body, patch_full_leave, patch_stub_end
	.hidden patch_stub_begin, patch_stub_fast, patch_fast_body, patch_fast_leave, patch_fast_leave_slow
	.hidden patch_slow_begin, patch_stub_full, patch_full_body, patch_full_leave, patch_stub_end
	.hidden patch_note, patch_hook_full, patch_hook_slow, patch_xsave_mask, patch_xsave_size, patch_xsave_compact

	.p2align 6
	.type patch_stub_fast, @function
patch_stub_begin:
patch_stub_fast:
	.cfi_startproc
	push %rax
	lahf
	seto %al
	push %rax
	push %rcx
	push %rdx
	push %r8
	push %r9
	push %r10
	push %r11
	push %rdi
	push %rsi
	push %rbp
	mov %rsp, %rbp
	.cfi_def_cfa %rbp, 96
	.cfi_offset %rbp, -96
	/* lets a debugger find the program's frame */
	.cfi_offset %rax, -16
	.cfi_offset %rcx, -32
	.cfi_offset %rdx, -40
	.cfi_offset %r8, -48
	.cfi_offset %r9, -56
	.cfi_offset %r10, -64
	.cfi_offset %r11, -72
patch_fast_body:
	mov -PROBE(%rsp), %eax
	and $-16, %rsp
	movzwl SITE_FLAGS(%rsi), %edx
	mov SITE_SIZE(%rsi), %esi
	call *patch_note(%rip)
	test %al, %al
	mov %rbp, %rsp
	jnz patch_fast_leave_slow
patch_fast_leave:
	pop %rbp
	.cfi_def_cfa %rsp, 88
	pop %rsi
	pop %rdi
	pop %r11
	pop %r10
	pop %r9
	pop %r8
	pop %rdx
	pop %rcx
	pop %rax
	add $0x7f, %al
	sahf
	pop %rax
	ret
patch_fast_leave_slow:
	pop %rbp
	pop %rsi
	pop %rdi
	pop %r11
	pop %r10
	pop %r9
	pop %r8
	pop %rdx
	pop %rcx
	pop %rax
	add $0x7f, %al
	sahf
	pop %rax
	jmp patch_slow_begin
	.cfi_endproc
	.size patch_stub_fast, . - patch_stub_fast

/* Offsets in struct patch_frame. */
#define REGS_RSP 32
#define REGS_RSI 48
#define REGS_RDI 56
#define REGS_EXTENDED 144
#define FRAME_SIZE 168
#define XSAVE_HEADER 512

	.p2align 4
	.type patch_stub_full, @function
	.cfi_startproc
	.cfi_signal_frame
patch_slow_begin:
	push $1 /* 1: patch_note was called */
	jmp 1f
patch_stub_full:
	push $0
1:	push $0
	push $0
	pushfq
	push $0
	push %r15
	push %r14
	push %r13
	push %r12
	push %r11
	push %r10
	push %r9
	push %r8
	push %rdi
	push %rsi
	push %rbp
	push %rsp
	push %rbx
	push %rdx
	push %rcx
	push %rax
	mov %rsp, %rbx
patch_full_body:
	/* To an unwinder this looks like the frame of a signal whose caller is the original instruction, with the registers of struct
	   mem_regs (rbx). So stacks leave out the new code, which has no unwind information. */
	.macro at_regs reg, offset
	.cfi_escape 0x10, \reg, 3, 0x73, ((\offset) & 0x7f) | 0x80, (\offset) >> 7
	.endm
	.cfi_escape 0x0f, 3, 0x73, REGS_RSP, 0x06
	at_regs 0, 0
	at_regs 2, 8
	at_regs 1, 16
	at_regs 3, 24
	at_regs 6, 40
	at_regs 4, REGS_RSI
	at_regs 5, REGS_RDI
	at_regs 8, 64
	at_regs 9, 72
	at_regs 10, 80
	at_regs 11, 88
	at_regs 12, 96
	at_regs 13, 104
	at_regs 14, 112
	at_regs 15, 120
	at_regs 16, 128
	mov -PROBE_SLOW(%rsp), %al
	mov -2*PROBE_SLOW(%rsp), %al
	cld
	mov %rdi, %r12
	mov %rsi, %r13
	mov FRAME_SIZE+8(%rbx), %rax
	mov %rax, REGS_RSI(%rbx)
	mov FRAME_SIZE+16(%rbx), %rax
	mov %rax, REGS_RDI(%rbx)
	lea FRAME_SIZE+24(%rbx), %rax
	mov %rax, REGS_RSP(%rbx)
	and $-16, %rsp
	mov %rsi, %rdi
	mov %rbx, %rsi
	mov %r12, %rdx
	call patch_hook_full
	test %al, %al
	jz 2f
	mov patch_xsave_size(%rip), %rcx
	sub %rcx, %rsp
	and $-64, %rsp
	mov %rsp, REGS_EXTENDED(%rbx)
	mov %ecx, REGS_EXTENDED+8(%rbx)
	/* The header must be 0 before the save. The rest needs no initial value: a compact save writes only the parts that are not in their
	   initial state, and the header says which these are, so no other part is read. */
	xor %eax, %eax
	.irp at, 0, 8, 16, 24, 32, 40, 48, 56
	mov %rax, XSAVE_HEADER+\at(%rsp)
	.endr
	mov patch_xsave_mask(%rip), %eax
	mov patch_xsave_mask+4(%rip), %edx
	cmpb $0, patch_xsave_compact(%rip)
	jne 3f
	xsave64 (%rsp)
	jmp 4f
3:	xsavec64 (%rsp)
4:	mov %r13, %rdi
	mov %rbx, %rsi
	mov %r12, %rdx
	call patch_hook_slow
	mov patch_xsave_mask(%rip), %eax
	mov patch_xsave_mask+4(%rip), %edx
	xrstor64 (%rsp)
2:	mov %rbx, %rsp
patch_full_leave:
	pop %rax
	pop %rcx
	pop %rdx
	pop %rbx
	pop %rbp /* skips the field of rsp */
	pop %rbp
	pop %rsi
	pop %rdi
	pop %r8
	pop %r9
	pop %r10
	pop %r11
	pop %r12
	pop %r13
	pop %r14
	pop %r15
	pop %rdi /* skips the field of rip */
	popfq
	pop %rdi
	pop %rdi
	pop %rdi
	ret
	.cfi_endproc
	.size patch_stub_full, . - patch_slow_begin
patch_stub_end:

	.section .note.GNU-stack, "", @progbits
