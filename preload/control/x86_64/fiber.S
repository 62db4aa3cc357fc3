/*
 * Switches between program threads on one kernel thread, and parks the kernel threads that created them.
 *
 * struct fiber_ctx (preload/control/fiber.h): 0 rsp, 8 fsbase, 16 rbx, 24 rbp, 32 r12, 40 r13, 48 r14, 56 r15, 64 rip, 72 mxcsr, 76 x87
 * control word. rsp is the stack pointer after the saving function has returned. Registers are kept in the structure, not on the stack, so
 * a context can be entered a second time. The kernel thread of an ended fiber continues in this way, and exits.
 */
	.text

/* Saves the caller's context in %rdi, as if this function returned `\ret`. Clobbers %rax, %rdx. */
.macro SAVE_CONTEXT
	lea 8(%rsp), %rax
	mov %rax, 0(%rdi)
	mov (%rsp), %rax
	mov %rax, 64(%rdi)
	mov %rbx, 16(%rdi)
	mov %rbp, 24(%rdi)
	mov %r12, 32(%rdi)
	mov %r13, 40(%rdi)
	mov %r14, 48(%rdi)
	mov %r15, 56(%rdi)
	stmxcsr 72(%rdi)
	fnstcw 76(%rdi)
.endm

/* Enters the context in %rsi; the function that saved it returns %eax. */
.macro LOAD_CONTEXT
	mov 16(%rsi), %rbx
	mov 24(%rsi), %rbp
	mov 32(%rsi), %r12
	mov 40(%rsi), %r13
	mov 48(%rsi), %r14
	mov 56(%rsi), %r15
	ldmxcsr 72(%rsi)
	fldcw 76(%rsi)
	mov 0(%rsi), %rsp
	jmp *64(%rsi)
.endm

/* void fiber_switch_fsgsbase(struct fiber_ctx *from, const struct fiber_ctx *to) */
	.globl fiber_switch_fsgsbase
	.hidden fiber_switch_fsgsbase
	.type fiber_switch_fsgsbase, @function
fiber_switch_fsgsbase:
	.cfi_startproc
	endbr64
	SAVE_CONTEXT
	mov 8(%rsi), %rdx
	wrfsbase %rdx
	xor %eax, %eax
	LOAD_CONTEXT
	.cfi_endproc
	.size fiber_switch_fsgsbase, .-fiber_switch_fsgsbase

/* Like fiber_switch_fsgsbase, but with arch_prctl(ARCH_SET_FS). */
	.globl fiber_switch_prctl
	.hidden fiber_switch_prctl
	.type fiber_switch_prctl, @function
fiber_switch_prctl:
	.cfi_startproc
	endbr64
	SAVE_CONTEXT
	mov %rsi, %r8
	mov 8(%rsi), %rsi
	mov $0x1002, %edi		/* ARCH_SET_FS */
	mov $158, %eax			/* SYS_arch_prctl */
	syscall
	mov %r8, %rsi
	xor %eax, %eax
	LOAD_CONTEXT
	.cfi_endproc
	.size fiber_switch_prctl, .-fiber_switch_prctl

/* Like fiber_switch_fsgsbase, but leaves the thread pointer as it is (thread_pointer.h). */
	.globl fiber_switch_lazy
	.hidden fiber_switch_lazy
	.type fiber_switch_lazy, @function
fiber_switch_lazy:
	.cfi_startproc
	endbr64
	SAVE_CONTEXT
	xor %eax, %eax
	LOAD_CONTEXT
	.cfi_endproc
	.size fiber_switch_lazy, .-fiber_switch_lazy

/*
 * int fiber_park(struct fiber_ctx *ctx, uint32_t *parked, uint32_t *leave)
 *
 * Called once on the kernel thread of a new program thread. Saves the context, sets *parked and wakes its futex, then waits until *leave is
 * not 0. The wait does not touch the stack: as soon as *parked is set, the stack belongs to the fiber. Returns twice: 0 on the carrier (by
 * fiber_switch), and 1 on the parked kernel thread itself when *leave is set because the fiber has ended.
 */
	.globl fiber_park
	.hidden fiber_park
	.type fiber_park, @function
fiber_park:
	.cfi_startproc
	endbr64
	SAVE_CONTEXT
	mov %rdi, %r13			/* ctx */
	mov %rdx, %r12			/* leave */
	movl $1, (%rsi)
	mov %rsi, %rdi
	mov $1, %esi			/* FUTEX_WAKE, not private: also wakes waiters in forked processes that share the mapping */
	mov $0x7fffffff, %edx
	xor %r10d, %r10d
	mov $202, %eax			/* SYS_futex */
	syscall
1:	cmpl $0, (%r12)
	jne 2f
	mov %r12, %rdi
	xor %esi, %esi			/* FUTEX_WAIT */
	xor %edx, %edx
	xor %r10d, %r10d
	mov $202, %eax
	syscall
	jmp 1b
2:	mov %r13, %rsi
	mov $1, %eax
	LOAD_CONTEXT
	.cfi_endproc
	.size fiber_park, .-fiber_park

/*
 * uint64_t fiber_call_clean(const void *routine, const uint64_t arg[3], uint64_t *own_hi)
 *
 * Calls a routine of the program with three arguments; all other registers are 0. The stack below this frame belongs to the program from
 * then on: its upper end goes into *own_hi and mem_stack_hi.
 */
	.globl fiber_call_clean
	.hidden fiber_call_clean
	.type fiber_call_clean, @function
fiber_call_clean:
	.cfi_startproc
	endbr64
.irp reg, rbp, rbx, r12, r13, r14, r15
	push %\reg
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset \reg, 0
.endr
	sub $8, %rsp
	.cfi_adjust_cfa_offset 8
	mov %rsp, (%rdx)
	mov %rsp, mem_stack_hi(%rip)
	cmpb $0, ctl_avx(%rip)
	je 1f
	vzeroall
1:
.irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	pxor %xmm\n, %xmm\n
.endr
	mov %rdi, %rax
	mov 16(%rsi), %rdx
	mov 0(%rsi), %rdi
	mov 8(%rsi), %rsi
.irp reg, ecx, ebx, ebp, r8d, r9d, r10d, r11d, r12d, r13d, r14d, r15d
	xor %\reg, %\reg
.endr
	call *%rax
	add $8, %rsp
	.cfi_adjust_cfa_offset -8
.irp reg, r15, r14, r13, r12, rbx, rbp
	pop %\reg
	.cfi_adjust_cfa_offset -8
	.cfi_restore \reg
.endr
	ret
	.cfi_endproc
	.size fiber_call_clean, .-fiber_call_clean

	.section .note.GNU-stack,"",@progbits
