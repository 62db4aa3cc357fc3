/* Bytes that stand for the state that libc keeps between calls, and for streams. */
#ifndef SIMUL_LIBC_STATE_H
#define SIMUL_LIBC_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum libc_object {
#define OBJECT(id, name) LIBC_##id,
#include "preload/base/libc.def"
	LIBC_OBJECTS
};

/* Reports an access to the bytes that stand for state of libc, or for a stream. at: 0 for the existence of the stream and its use without
   the lock, 8 for its position, STREAM_LOCK for flockfile. flags: MEM_*. */
void libc_touch_object(enum libc_object object, unsigned flags, uintptr_t pc);
/* Returns an address that stands for the lock of this state in the model; NULL: no access to the state is an event, so
   the lock is not needed. */
const char *libc_object_lock(enum libc_object object);
#define STREAM_LOCK 16
void libc_touch_stream(uint64_t stream, size_t at, unsigned flags, uintptr_t pc);
/* Returns whether accesses to this byte of a stream are events. */
bool libc_stream_visible(uint64_t stream, size_t at);

/* Records a call, with this return address, of a function whose accesses are not seen. If the program has several threads, the verdict says so. */
void libc_unseen(const char *name, uint64_t pc);

/* Creates the objects, and writes their addresses and names to the session. Called once. */
void libc_init(void);

/* Returns the variable in which strtok keeps its position. */
char **libc_strtok_place(void);

#endif
