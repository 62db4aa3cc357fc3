/* Accesses to ranges of bytes that libc or the kernel makes for a call; see ranges.h. */
#ifndef SIMUL_LANDING_H
#define SIMUL_LANDING_H

#include <sys/types.h>
#include <sys/uio.h>

#include "preload/accesses/ranges.h"

/* Reports an access with these MEM_* flags, which the caller or libc makes right after. MEM_PLAIN is added unless
   MEM_ATOMIC is set. */
void range_touch(const void *p, size_t n, unsigned flags, uintptr_t pc);
/* Returns whether some of these bytes are visible to the search. */
bool range_is_shared(const void *p, size_t n);

/* Report the accesses to n pieces of memory and to the array that describes them. _read: the pieces are read. _write:
   they will be written; reports those that are visible. _written: `got` bytes were written; reports the others. */
void range_vectors_read(const struct iovec *v, size_t n, uintptr_t pc);
void range_vectors_write(const struct iovec *v, size_t n, uintptr_t pc);
void range_vectors_written(const struct iovec *v, size_t n, ssize_t got, uintptr_t pc);

/* For a call that is an event itself and also writes to memory of the program. If that memory is visible, the call
   writes to a buffer of simul (`at`); landing_end then reports the write and copies the bytes. */
struct landing {
	void *to, *at;
	size_t n;
	bool reported;
	char bytes[KEPT];
};
/* Returns the address that the call must write to. */
void *landing_begin(struct landing *l, void *to, size_t n, uintptr_t pc);
/* Call it when the call has written `got` bytes (0 or less: none). Not called inside simul. */
void landing_end(struct landing *l, ssize_t got, uintptr_t pc);

/* Like struct landing, for calls that write to several pieces of memory (readv, recvmsg). If some of the pieces are
   visible, the call gets one buffer of simul that is as large as all pieces together. */
struct vector_landing {
	const struct iovec *to;
	size_t n;
	struct iovec buffer; /* iov_base NULL: the call writes to the pieces */
};
/* Reports the read of the array, and returns the array that the call must use. Sets *n to its length. */
const struct iovec *vector_landing_begin(struct vector_landing *l, const struct iovec *to, size_t *n, uintptr_t pc);
/* Like landing_end. */
void vector_landing_end(struct vector_landing *l, ssize_t got, uintptr_t pc);

#endif
