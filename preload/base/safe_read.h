/* Reads the program's memory where it may not exist or may not be readable. */
#ifndef SIMUL_SAFE_READ_H
#define SIMUL_SAFE_READ_H

#include <stddef.h>
#include <stdint.h>

/*
 * Copies up to `size` bytes at addr to `to`, and stops at the first page that cannot be read. Returns the number of bytes copied. Never
 * faults. Uses system calls. No other thread of the program may unmap the memory meanwhile.
 */
size_t safe_read(uint64_t addr, void *to, size_t size);

#endif
