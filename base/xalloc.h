/*
 * Memory allocation of the command. Running out of memory ends simul with a message instead of a wrong answer.
 */
#ifndef SIMUL_XALLOC_H
#define SIMUL_XALLOC_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"

/* Returns n zeroed elements of `size` bytes; never NULL. */
static inline void *xcalloc(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size ? size : 1);
	INVARIANT(p, "out of memory (%zu x %zu bytes)", n, size);
	return p;
}

/*
 * Makes room for one more element after the first n. Grows at powers of two and zeroes nothing. Use as `v = xgrow(v, n, sizeof(*v)); v[n++]
 * = ...`.
 */
static inline void *xgrow(void *p, size_t n, size_t size)
{
	size_t bytes;

	if (n & (n - 1) || (n == 0 && p))
		return p;
	INVARIANT(!__builtin_mul_overflow(n ? n * 2 : 1, size, &bytes), "out of memory");
	p = realloc(p, bytes);
	INVARIANT(p, "out of memory (%zu bytes)", bytes);
	return p;
}

/* Returns a copy of text; NULL for NULL. */
static inline char *xstrdup(const char *text)
{
	char *p;

	if (!text)
		return NULL;
	p = strdup(text);
	INVARIANT(p, "out of memory");
	return p;
}

/* Returns a new string, like asprintf. */
__attribute__((format(printf, 1, 2))) static inline char *xasprintf(const char *fmt, ...)
{
	char *p = NULL;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&p, fmt, ap);
	va_end(ap);
	INVARIANT(n >= 0, "out of memory");
	return p;
}

#endif
