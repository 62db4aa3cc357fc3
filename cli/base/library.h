/*
 * Shared libraries that simul loads only when it needs them. So commands that do not need them start faster, and run
 * without them installed.
 *
 * A file that uses a library lists the functions that it calls in a macro. From that it declares a structure of
 * pointers and the list of names:
 *
 *	#define FUNCTIONS(X) X(PQexec) X(PQclear)
 *	static struct {
 *		FUNCTIONS(LIBRARY_POINTER)
 *	} pq;
 *	static const char *const names[] = {FUNCTIONS(LIBRARY_NAME) NULL};
 *	static struct library library = {.soname = "libpq.so.5", .package = "libpq5", .name = names, .function = &pq};
 */
#ifndef SIMUL_LIBRARY_H
#define SIMUL_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

#define LIBRARY_POINTER(function) __typeof__(function) *function;
#define LIBRARY_NAME(function) #function,

struct library {
	const char *soname, *package; /* package: Debian's, which has the library */
	const char *const *name;      /* functions, up to NULL */
	void *function;               /* gets as many pointers, in this order */
	bool loaded;
};

/* Loads the library unless it is loaded. It stays until the process ends. false: it cannot be loaded, or lacks a
   function. Then `why` has the reason and the package, in one line, and no pointer may be used. */
bool library_load(struct library *l, char *why, size_t size);

#endif
