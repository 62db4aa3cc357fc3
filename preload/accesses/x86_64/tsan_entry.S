/*
 * The functions of tsan.def that code compiled with -fsanitize=thread calls at each access.
 *
 * They are assembly so that the slow path knows the caller's registers: a spin loop is recognized by the state of the thread (spin.h), and
 * a C function would have changed some of them. Each function puts a description of its access into scratch registers and jumps to `plain`
 * or `atomic` below.
 */
#include "preload/accesses/tsan.h"

/* enum mem_flags; tsan_abi.c checks the values */
#define MEM_READ 1
#define MEM_WRITE 2
#define MEM_ATOMIC 4
#define MEM_ACQUIRE 8
#define MEM_RELEASE 16
#define MEM_PLAIN 32
#define MEM_CAS 64
#define MEM_DRAIN 256
#define MEM_SEQ_CST 1048576
#define MEM_UPDATE 4194304
#define SEQ_CST 5 /* __ATOMIC_SEQ_CST */

	.text
	.hidden	mem_on
	.hidden	mem_note
	.hidden	tsan_perform

#define ENTRY(name) .globl name; .type name, @function; .balign 16; name:
#define END(name) .size name, . - name;

#define ACCESS(name, bytes, flags)                                                                 \
	ENTRY(name) mov $(bytes), %esi; mov $(flags), %edx; mov (%rsp), %rcx; jmp plain; END(name)
#define ACCESS_PC(name, bytes, flags)                                                              \
	ENTRY(name) mov %rsi, %rcx; mov $(bytes), %esi; mov $(flags), %edx; jmp plain; END(name)
#define RANGE(name, flags)                                                                         \
	ENTRY(name) mov $(flags), %edx; mov (%rsp), %rcx; jmp range; END(name)
#define RANGE_PC(name, flags)                                                                      \
	ENTRY(name) mov %rdx, %rcx; mov $(flags), %edx; jmp range; END(name)
#define ATOMIC(name, bytes, flags, mo)                                                             \
	.hidden do_##name;                                                                         \
	ENTRY(name) lea do_##name(%rip), %rax; mov %mo, %r11d;                                     \
	movabs $((bytes) | (flags) << 32), %r10; jmp atomic; END(name)
#define NOTHING(name) ENTRY(name) xor %eax, %eax; ret; END(name)
#define OTHER(name)

	.cfi_startproc
#include "preload/accesses/tsan.def"
	.cfi_endproc

/*
 * rdi, rsi: address and size; edx: flags; rcx: pc. Most accesses are not visible and return from here.
 */
	.balign	16
	.type	range, @function
range:
	.cfi_startproc
	test	%rsi, %rsi
	je	1f
plain:
	cmpb	$0, mem_on(%rip)
	je	1f
	push	%rcx
	.cfi_adjust_cfa_offset 8
	push	%rdx
	.cfi_adjust_cfa_offset 8
	push	%rsi
	.cfi_adjust_cfa_offset 8
	push	%rdi
	.cfi_adjust_cfa_offset 8
	sub	$8, %rsp
	.cfi_adjust_cfa_offset 8
	call	mem_note
	.cfi_remember_state
	test	%al, %al
	jne	2f
	add	$40, %rsp
	.cfi_adjust_cfa_offset -40
1:	ret
	.cfi_restore_state
	/* Builds the same frame as an atomic access, with a `make` that only returns. */
2:	sub	$32, %rsp
	.cfi_adjust_cfa_offset 32
	mov	40(%rsp), %rdi
	mov	48(%rsp), %rsi
	mov	%esi, 60(%rsp)
	rorq	$32, 56(%rsp)
	lea	1b(%rip), %rax
	mov	%rax, 48(%rsp)
	xor	%eax, %eax
	mov	%rdi, 0(%rsp)
	mov	%rax, 8(%rsp)
	mov	%rax, 16(%rsp)
	mov	%rax, 24(%rsp)
	mov	%rax, 32(%rsp)
	mov	%rax, 40(%rsp)
	jmp	visible
	.cfi_endproc
	.size	range, . - range

/*
 * rdi, rsi, rdx, rcx, r8, r9: the program's arguments; rax: code that makes the access and returns to the program; r10: size | flags << 32;
 * r11d: the memory order; hints may stand in its upper bits.
 */
	.balign	16
	.type	atomic, @function
atomic:
	.cfi_startproc
	cmpb	$0, mem_on(%rip)
	je	4f
	sub	$72, %rsp /* struct tsan_call */
	.cfi_adjust_cfa_offset 72
	mov	%rdi, 0(%rsp)
	mov	%rsi, 8(%rsp)
	mov	%rdx, 16(%rsp)
	mov	%rcx, 24(%rsp)
	mov	%r8, 32(%rsp)
	mov	%r9, 40(%rsp)
	mov	%rax, 48(%rsp)
	mov	72(%rsp), %rax
	mov	%rax, 64(%rsp)
	/* Bit positions: MEM_ACQUIRE is MEM_READ << 3, MEM_RELEASE is MEM_WRITE << 3, and MEM_DRAIN is MEM_WRITE << 7. So shifts yield the
	   flags that a read (acquire) or a write (release, drain) can have. */
	mov	%r10d, %esi
	shr	$32, %r10
	mov	%r10d, %edx
	and	$(MEM_READ | MEM_WRITE), %r10d
	imul	$(1 << 3 | 1 << 7), %r10d, %r10d
	and	$7, %r11d
	lea	orders(%rip), %rax
	movzwl	(%rax, %r11, 2), %eax
	and	%r10d, %eax
	or	%eax, %edx
	xor	%eax, %eax
	mov	$MEM_SEQ_CST, %r10d
	cmp	$SEQ_CST, %r11d
	cmove	%r10d, %eax
	or	%eax, %edx
	mov	%esi, 56(%rsp)
	mov	%edx, 60(%rsp)
	and	$(TSAN_VALUE - 1), %edx
	call	mem_note
	test	%al, %al
	jne	visible
3:	mov	0(%rsp), %rdi
	mov	8(%rsp), %rsi
	mov	16(%rsp), %rdx
	mov	24(%rsp), %rcx
	mov	32(%rsp), %r8
	mov	40(%rsp), %r9
	mov	48(%rsp), %rax
	add	$72, %rsp
	.cfi_adjust_cfa_offset -72
4:	jmp	*%rax
	.cfi_adjust_cfa_offset 72

	/* Other threads run during this. tsan_abi.c checks the offsets of struct mem_regs. */
visible:
	sub	$160, %rsp
	.cfi_adjust_cfa_offset 160
	xor	%eax, %eax
	mov	%rax, 0(%rsp)   /* rax */
	mov	%rax, 8(%rsp)   /* rcx */
	mov	%rax, 16(%rsp)  /* rdx */
	mov	%rbx, 24(%rsp)
	lea	240(%rsp), %rcx
	mov	%rcx, 32(%rsp)  /* rsp after the return */
	mov	%rbp, 40(%rsp)
	mov	%rax, 48(%rsp)  /* rsi */
	mov	%rax, 56(%rsp)  /* rdi */
	mov	%rax, 64(%rsp)  /* r8 */
	mov	%rax, 72(%rsp)
	mov	%rax, 80(%rsp)
	mov	%rax, 88(%rsp)
	mov	%r12, 96(%rsp)
	mov	%r13, 104(%rsp)
	mov	%r14, 112(%rsp)
	mov	%r15, 120(%rsp)
	mov	232(%rsp), %rcx
	mov	%rcx, 128(%rsp) /* rip */
	mov	%rax, 136(%rsp) /* rflags */
	mov	%rax, 144(%rsp) /* extended */
	mov	%rax, 152(%rsp)
	lea	160(%rsp), %rdi
	mov	%rsp, %rsi
	call	tsan_perform
	add	$160, %rsp
	.cfi_adjust_cfa_offset -160
	jmp	3b
	.cfi_endproc
	.size	atomic, . - atomic

	/* by memory order: relaxed, consume, acquire, release, acq_rel, seq_cst */
	.section .rodata
orders:	.short	0, MEM_ACQUIRE, MEM_ACQUIRE, MEM_RELEASE
	.short	MEM_ACQUIRE | MEM_RELEASE, MEM_ACQUIRE | MEM_RELEASE | MEM_DRAIN
	.short	MEM_ACQUIRE | MEM_RELEASE, MEM_ACQUIRE | MEM_RELEASE

	.section .note.GNU-stack,"",@progbits
