/* A loaded library whose scheduler simul steers, and which build of it that is. */
#ifndef SIMUL_COOPERATIVE_LIBRARY_H
#define SIMUL_COOPERATIVE_LIBRARY_H

#include <stdbool.h>
#include <stdint.h>

#define LIBRARY_BUILD_ID 20

struct library {
	const char *path; /* NULL: it is not loaded */
	uintptr_t code, code_end;
	bool has_build_id;
	unsigned char build_id[LIBRARY_BUILD_ID];
};

/* Finds the module that contains the code at `pc`. With `pc` NULL, finds the one whose file name begins with `name`. */
struct library library_find(const char *name, const void *pc);
/* Returns whether the library has this build-id. */
bool library_is(const struct library *l, const unsigned char build_id[LIBRARY_BUILD_ID]);

#endif
