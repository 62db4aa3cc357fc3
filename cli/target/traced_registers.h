/*
 * The registers of a stopped process that is traced, and the code that it executes for place.c. The functions are those of the processor
 * (x86_64/traced_registers.c).
 */
#ifndef SIMUL_TRACED_REGISTERS_H
#define SIMUL_TRACED_REGISTERS_H

#include <stdint.h>
#include <sys/user.h>

/*
 * Code that executes a list of calls (struct place_call). traced_set_list gives it the address of the first one. It stops at a breakpoint at
 * the end of the list, or at a failed call that must succeed; then traced_list has the address of that entry.
 */
extern const unsigned char place_code[], place_code_end[];
void traced_set_list(struct user_regs_struct *r, uint64_t at);
uint64_t traced_list(const struct user_regs_struct *r);

/* Returns `word` with its first bytes, in memory, replaced by instructions that make a system call and stop at a breakpoint. */
uint64_t traced_call_code(uint64_t word);

/* Sets the number and the arguments of the system call that comes next. */
void traced_set_call(struct user_regs_struct *r, uint64_t number, const uint64_t arg[6]);
/* Returns the result of the latest system call, or -errno. */
int64_t traced_result(const struct user_regs_struct *r);

uint64_t traced_pc(const struct user_regs_struct *r);
uint64_t traced_sp(const struct user_regs_struct *r);
void traced_set_sp(struct user_regs_struct *r, uint64_t sp);
void traced_set_pc(struct user_regs_struct *r, uint64_t pc);
/* The kernel will not restart the system call in which the process stopped. */
void traced_forget_call(struct user_regs_struct *r);

#endif
