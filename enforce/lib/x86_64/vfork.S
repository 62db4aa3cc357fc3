/* vfork: its child returns on this stack frame, so no C function may call it. vfork_allowed (hook_process.c) returns libc's. */
	.text
	.globl vfork
	.p2align 4
	.type vfork, @function
vfork:
	.cfi_startproc
	endbr64
	sub $8, %rsp
	.cfi_def_cfa_offset 16
	call vfork_allowed
	add $8, %rsp
	.cfi_def_cfa_offset 8
	jmp *%rax
	.cfi_endproc
	.size vfork, . - vfork

	.section .note.GNU-stack, "", @progbits
