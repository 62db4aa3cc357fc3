/* What becomes of each system call that the program makes past libc: the table syscalls.def as numbers. */
#ifndef SIMUL_SYSCALLS_H
#define SIMUL_SYSCALLS_H

#include <stdbool.h>
#include <stdint.h>

enum syscall_way {
	SYSCALL_UNKNOWN = 0, /* newer than the table */
	SYSCALL_HOOK,
	SYSCALL_ASKS,
	SYSCALL_INSIDE,
	SYSCALL_OUTSIDE,
	SYSCALL_NOTED,
	SYSCALL_REFUSED,
};

/* The way of one system call. Constant. */
struct syscall_rule {
	uint8_t way;       /* enum syscall_way */
	bool names_thread; /* its first argument is the number of a thread or process */
	const char *name, *why; /* why: of NOTED and REFUSED, completes "the program calls NAME, which ..." */
};

/* The rule for system call n; of an unknown one name is NULL. Legal at any time. */
const struct syscall_rule *syscall_rule(long n);

#endif
