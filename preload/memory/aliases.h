/*
 * Memory that is mapped at several addresses. A page of a file, of a memfd or of a System V segment is one memory, whatever its address. The search
 * knows it by one address, its key: the address at which it was mapped first. Accesses are recorded in the shadow and named in events by their keys.
 * The world asks for keys, too, since a load sees buffered stores of its thread to the same memory. The memory itself is accessed by the address that
 * the program uses, because the first mapping may be gone, or may not be writable.
 *
 * The table holds the ranges whose key is another address. Programs without such memory pay for one comparison in mem_note. kernel/mapped_files.c
 * finds the ranges. The table is private memory.
 */
#ifndef SIMUL_ALIASES_H
#define SIMUL_ALIASES_H

#include <stdbool.h>
#include <stdint.h>

/* All ranges lie in [alias_lo, alias_hi). Both are 0 if there is no range. */
extern uint64_t alias_lo, alias_hi;
/* The table was full at some time, so it does not have everything. */
extern bool alias_lost;

/* Adds a range; `key` is the key of its first byte. */
void alias_add(uint64_t lo, uint64_t hi, uint64_t key);
/* Removes all bytes of [lo, hi) from the table. Returns whether it had any of them. */
bool alias_remove(uint64_t lo, uint64_t hi);
struct alias {
	uint64_t lo, hi, key;
};
/* Removes a range, or a part of one, whose keys lie in [lo, hi), and sets *out to it. Returns false if there is none. */
bool alias_take(uint64_t lo, uint64_t hi, struct alias *out);
/* Returns whether some range has keys in [lo, hi). */
bool alias_has_keys(uint64_t lo, uint64_t hi);
/* Returns an address at which the memory with this key can be read; `key` itself if there is no other one. */
uint64_t alias_readable(uint64_t key);

/* For alias_key and alias_run. */
uint64_t alias_find(uint64_t addr, uint64_t end, uint64_t *key);

/* Returns whether the table may have some of these bytes. */
static inline bool alias_touches(uint64_t addr, uint64_t size)
{
	return __builtin_expect(addr < alias_hi && addr + size > alias_lo, 0);
}

/* Sets *key to the key of `at`. Returns the end of the bytes from there on, at most `end`, whose keys follow it without a gap. */
static inline uint64_t alias_run(uint64_t at, uint64_t end, uint64_t *key)
{
	if (alias_touches(at, end - at))
		return alias_find(at, end, key);
	*key = at;
	return end;
}

/* Returns the key of a byte. */
static inline uint64_t alias_key(uint64_t addr)
{
	uint64_t key;
	alias_run(addr, addr + 1, &key);
	return key;
}

#endif
