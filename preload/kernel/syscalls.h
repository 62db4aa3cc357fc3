/* How simul handles each system call that the program makes without libc's function, from the table syscalls.def. */
#ifndef SIMUL_SYSCALLS_H
#define SIMUL_SYSCALLS_H

#include <stdbool.h>
#include <stdint.h>

enum syscall_way { /* syscalls.def explains them */
	SYSCALL_UNKNOWN = 0, /* the table does not list the call, which is newer */
	SYSCALL_HOOK,
	SYSCALL_ASKS,
	SYSCALL_INSIDE,
	SYSCALL_THREAD,
	SYSCALL_SETS_THREAD,
	SYSCALL_ASKS_THREAD,
	SYSCALL_OUTSIDE,
	SYSCALL_NOTED,
	SYSCALL_REFUSED,
};

/* The handling of one system call. */
struct syscall_rule {
	uint8_t way;       /* enum syscall_way */
	bool names_thread; /* its first argument is the id of a thread or process */
	const struct effect_of_call *effects; /* what it shares with other threads besides memory (effects.def); NULL: nothing */
	const char *name, *why; /* why: for NOTED and REFUSED, completes "the program calls NAME, which ..." */
};

/* Returns the rule for system call n. The name of an unknown one is NULL. Legal at any time. */
const struct syscall_rule *syscall_rule(long n);

#endif
