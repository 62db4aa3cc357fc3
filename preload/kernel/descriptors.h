/*
 * Descriptors as resources (resources.h): the numbers, and the files behind them.
 *
 * The kernel looks a number up when a call begins, and works on the open file from then on, whatever becomes of the number. So where the table of
 * descriptors is visible, the lookup is an event of its own. The hook then works on a duplicate, which keeps the file open: a thread that
 * already waits in read is not woken by close.
 *
 * Functions are called inside simul.
 */
#ifndef SIMUL_DESCRIPTORS_H
#define SIMUL_DESCRIPTORS_H

#include "preload/kernel/descriptors.h"
#include "preload/kernel/resource_files.h"

/* Looks fd up. Returns the descriptor that the call must use: fd itself, or a duplicate. Give it back with descriptor_release. */
int descriptor_hold(int fd, const void *pc);
/* Makes a call with the descriptor that `held` names in it, and has its result. */
#define WITH_DESCRIPTOR(fd, held, pc, call)                                                        \
	({                                                                                         \
		int held = descriptor_hold(fd, pc);                                                \
		__typeof__(call) r_##held = call;                                                        \
		descriptor_release(fd, held);                                                      \
		r_##held;                                                                              \
	})
/* Looks fd up, for a call that does not wait. */
void descriptor_looked_up(int fd, const void *pc);
/* Like descriptor_hold without looking fd up: no event. */
int descriptor_duplicate(int fd);
/* Keeps errno. May be called outside of simul. */
void descriptor_release(int fd, int held);

/* Call it right before a call that closes fd: an event, if the table is visible, or what processes inherit. */
void descriptor_closing(int fd, const void *pc);
/* The same before other events of the call. */
void descriptor_closing_later(int fd, const void *pc);
/* The same for a call that makes fd a duplicate of `by`, for which it looks `by` up in the same step. */
void descriptor_replacing(int fd, int by, const void *pc);
/* Call it right before a call that closes many descriptors, or says that exec closes them. */
void descriptors_changing(const void *pc);
/* Call it right after a call that has made fd, and that effects.def does not list. */
void descriptor_came(int fd, const void *pc);
/* Returns whether closing a descriptor takes two events: the number is free before the file is closed. */
bool descriptors_close_in_steps(void);
/* Call it right before a call that uses fd and changes what processes inherit of descriptors. by_exec: also what programs do that they start;
   false: only children of fork. */
void descriptor_inherited(int fd, bool by_exec, const void *pc);
/* Call it right before a call that sets or asks for settings of the open file, or of the descriptor. */
void descriptor_settings(int fd, enum settings_of of, enum resource_use use, const void *pc);
/* The same for seals: they say which calls may change the contents. */
void descriptor_sealed(int fd, enum resource_use use, const void *pc);
/* In a child of fork: closes the descriptors that are simul's or that the program has closed. */
void descriptors_become_native(void);
/* Call it right before a call that changes how calls on fd behave (O_NONBLOCK). */
void descriptor_changing(int fd, const void *pc);
/* Call it when a call has made fd, and the number is the kernel's choice. Returns the number that the program gets: fd, or another one to which
   fd was moved (resources.h). */
int descriptor_opened(int fd);
/* The same for a call that has also made the file. */
int descriptor_made(int fd);

/* Call it right before a call on a regular file or a directory, that uses it like this. */
void descriptor_file_used(int fd, const struct file_use *how, const void *pc);
/* The same for output that a stream of fd keeps in its buffer. */
void descriptor_output(int fd, const void *pc);
/* For calls that read, or write. `at`: the call says where in the file, and leaves the position alone. */
void descriptor_reads(int fd, bool at, const void *pc);
void descriptor_writes(int fd, bool at, const void *pc);

#endif
