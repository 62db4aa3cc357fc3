/*
 * Memory allocation of the command. Running out of memory ends simul with a message instead of a wrong answer.
 */
#ifndef SIMUL_XALLOC_H
#define SIMUL_XALLOC_H

#include <stdarg.h>
#include <stdint.h>
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

/* Makes room for `more` bytes, at least 1, after the first n of a text. Like xgrow, it grows at powers of two: p has
   room for at least n bytes, rounded up to a power of two. */
static inline char *xgrow_text(char *p, size_t n, size_t more)
{
	size_t end, bytes = 1;

	INVARIANT(!__builtin_add_overflow(n, more, &end) && end <= SIZE_MAX / 2 + 1, "out of memory");
	while (bytes < end)
		bytes *= 2;
	if (p && n > bytes / 2)
		return p;
	p = realloc(p, bytes);
	INVARIANT(p, "out of memory (%zu bytes)", bytes);
	return p;
}

/* Appends `text`, which then belongs to the list, to a NULL-terminated list of *n strings. *list may be NULL while *n
   is 0. */
static inline void xappend(char ***list, size_t *n, char *text)
{
	*list = xgrow(*list, *n + 1, sizeof(**list));
	(*list)[(*n)++] = text;
	(*list)[*n] = NULL;
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
