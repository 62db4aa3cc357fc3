/* Searches in memory and strings of the program that report what they read. Call them where watched() holds (accesses/ranges.h). */
#ifndef SIMUL_SEARCH_H
#define SIMUL_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reports a read of p[0..n) up to the first c, and with `string` at most up to the first 0. Returns the index of that c; n when there is
   none. n is SIZE_MAX for a string, and where the caller knows that there is a c. */
size_t search_byte(const char *p, int c, size_t n, bool string, uintptr_t pc);

/* Converts an index k that search_byte returned to the result of a function that searches: p + k, or NULL if k is n. */
void *search_found(const void *p, size_t k, size_t n);

/* Reports a read of s, and returns the length of its first part that has only bytes of the string `set` (inside), or none of them. Does not
   report the read of `set`. Sets *end, unless it is NULL, to the byte after that part. */
size_t search_span(const char *s, const char *set, bool inside, char *end, uintptr_t pc);

#endif
