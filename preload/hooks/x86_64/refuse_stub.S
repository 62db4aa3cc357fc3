/*
 * The hooks of all REFUSE lines of hooks.def. Under control a stub jumps to hook_refused(name), which ends the session. Otherwise it jumps
 * to the real function and changes no register.
 */
#define REFUSE(ret, name, args)                                                                    \
	.globl name; .type name, @function;                                                        \
	name:                                                                                      \
	cmpl $1, ctl_state(%rip);                                                                  \
	jne 1f;                                                                                    \
	cmpl $0, ctl_inside(%rip);                                                                 \
	jne 1f;                                                                                    \
	lea 2f(%rip), %rdi;                                                                        \
	jmp hook_refused;                                                                          \
	1: jmp *real_##name(%rip);                                                                 \
	.size name, . - name;                                                                      \
	.pushsection .rodata.str1.1, "aMS", @progbits, 1;                                          \
	2: .string #name;                                                                          \
	.popsection;
#define MODEL(ret, name, args)
#define PASS(ret, name, args)

	.text
	.hidden	ctl_state
	.hidden	ctl_inside
	.hidden	hook_refused
#include "preload/base/hooks.def"

	.section .note.GNU-stack,"",@progbits
