/*
 * The thread pointer of the kernel thread that runs all fibers.
 *
 * Each fiber has its own value. Where the kernel lets programs set the register by an instruction (FSGSBASE), a
 * switch does so. Elsewhere that takes a system call, which may cost more than the rest of the switch. But most code
 * between two scheduling points does not use the thread pointer. So the register normally points into the middle of
 * memory that nothing may access. The first use faults, the handler of SIGSEGV sets the register, and the instruction
 * is executed again. A switch only ensures that the register does not keep the value of another fiber.
 *
 * A fault costs more than a system call. So simul records after which operations of the program a fault followed, and
 * sets the register at once after these. A wrong guess costs time; the value is never wrong.
 *
 * The kernel ends a process that faults while SIGSEGV is blocked. So thread_pointer_need comes before code that
 * blocks signals, or calls functions of libc that do. With kernel threads each thread has a register of its own, and
 * these functions do nothing.
 */
#ifndef SIMUL_THREAD_POINTER_H
#define SIMUL_THREAD_POINTER_H

#include <stdbool.h>
#include <stdint.h>

struct fiber;

/* How a switch sets the thread pointer. */
enum thread_pointer_way {
	THREAD_POINTER_INSTRUCTION,
	THREAD_POINTER_CALL, /* by a system call */
	THREAD_POINTER_LAZY, /* see above */
};

/* Chooses the way, and prepares it. For tests, SIMUL_TEST_FS names another one; if that is not possible, the session
   ends with a message. Once, in the constructor. */
enum thread_pointer_way thread_pointer_init(bool kernel_threads);

/* Call it when `to` is about to run, just after fiber_cur was set to it. Inside simul. */
void thread_pointer_switch(const struct fiber *to);
/* Call it when the running fiber may have changed because memory was put back. Inside simul. */
void thread_pointer_jump(void);
/* Sets the thread pointer of the running fiber if it is not set. */
void thread_pointer_need(void);
/* Call it when the program has set the register itself. */
void thread_pointer_changed(uint64_t value);
/* Handles a fault at addr. Returns false if it is no use of a thread pointer that was not set. For the handler of
   SIGSEGV, inside simul. */
bool thread_pointer_fault(uint64_t addr);

/* Sets *lo .. *hi to the memory that says what the register holds. No rewind may restore it, since none restores the
   register. */
void thread_pointer_memory(uint64_t *lo, uint64_t *hi);

#endif
