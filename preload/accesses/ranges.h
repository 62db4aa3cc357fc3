/*
 * Accesses to ranges of bytes: what the hooks of functions on bytes and strings report (mem.h).
 *
 * A range is reported before it is read or written. Where some of it is visible to the search, that is a scheduling point: other threads
 * run there and may change what the function is about to read. This has two consequences:
 *  - How far a function reads must not depend on visible bytes that it has not reported. So a string with visible bytes is read piece by
 *    piece (struct reader). Each piece has its value at the time of its report.
 *  - Bytes that were read are kept as a copy while something else is reported (struct kept). More than KEPT bytes are processed in pieces,
 *    or read again.
 */
#ifndef SIMUL_RANGES_H
#define SIMUL_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "preload/control/ctl.h"
#include "preload/accesses/mem.h"

#define KEPT 256u

/* Returns whether the caller is program code whose accesses count. */
static inline bool watched(void)
{
	return __builtin_expect(mem_on, 0) && !ctl_inside;
}

/* Reports a read of p[0..n). Returns true when other threads may have run. */
bool range_read(const void *p, size_t n, uintptr_t pc);

/* Bytes that were read, for use after another scheduling point. */
struct kept {
	char bytes[KEPT];
};
/* Returns p[0..n) as it is now: a copy, or p itself when n > KEPT. */
const void *range_keep(struct kept *k, const void *p, size_t n);

/* Copies n bytes, which may overlap, and reports both accesses. Returns `to`, like memcpy. */
void *range_copy(void *to, const void *from, size_t n, uintptr_t pc);
/* Like range_copy, with further MEM_* flags for the accesses. */
void *range_copy_as(void *to, const void *from, size_t n, unsigned flags, uintptr_t pc);
/* Like range_copy, for bytes whose read has been reported already. */
void range_put(void *to, const void *from, size_t n, uintptr_t pc);
/* Sets n bytes to c, and reports that. Returns `to`, like memset. */
void *range_set(void *to, int c, size_t n, uintptr_t pc);
/* Like range_set, with further MEM_* flags for the access. */
void *range_set_as(void *to, int c, size_t n, unsigned flags, uintptr_t pc);

/* Reports a read of p[0..n), where n was found by looking at these bytes. Returns false when the bytes cannot have changed since. Returns
   true when some are visible: then nothing may have been reported, and the caller must read all of them by a reader. */
bool range_peeked(const void *p, size_t n, uintptr_t pc);

/* Reads p[0..limit) byte by byte. */
struct reader {
	const char *p;
	size_t limit;
	uintptr_t pc;
	size_t lo, hi; /* bytes [lo, hi) were reported together */
	char bytes[16]; /* their values at that time */
};
struct reader range_reader(const void *p, size_t limit, uintptr_t pc);
/* Returns byte k, and reports its read. Bytes are read in order, each once. */
unsigned char reader_byte(struct reader *r, size_t k);

/* Returns the length of a string of at most n units of `unit` bytes (1 or 4), and reports all that is read, including the terminator. Sets
   *data to the bytes that were read: s itself, or a copy in *k if the bytes may change afterwards. k and data may be NULL. */
size_t range_string(const void *s, size_t n, size_t unit, uintptr_t pc, struct kept *k, const void **data);

/* Reports an access with these MEM_* flags, which the caller or libc makes right after. MEM_PLAIN is added unless MEM_ATOMIC is set. */
void range_touch(const void *p, size_t n, unsigned flags, uintptr_t pc);
/* Returns whether some of these bytes are visible to the search. */
bool range_is_shared(const void *p, size_t n);

/* Report the accesses to n pieces of memory and to the array that describes them. _read: the pieces are read. _write: they will be written;
   reports those that are visible. _written: `got` bytes of them were written; reports the others. */
void range_vectors_read(const struct iovec *v, size_t n, uintptr_t pc);
void range_vectors_write(const struct iovec *v, size_t n, uintptr_t pc);
void range_vectors_written(const struct iovec *v, size_t n, ssize_t got, uintptr_t pc);

/* For a call that is an event itself and also writes to memory of the program. If that memory is visible, the call writes to a buffer of
   simul (`at`); landing_end then reports the write and copies the bytes. */
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

/* Like struct landing, for calls that write to several pieces of memory (readv, recvmsg). If some of the pieces are visible, the call gets
   one buffer of simul that is as large as all pieces together. */
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
