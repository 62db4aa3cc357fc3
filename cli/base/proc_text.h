/* Reads files in /proc, and compares the memory addresses of two processes. */
#ifndef SIMUL_PROC_TEXT_H
#define SIMUL_PROC_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the whole text of a file in /proc, malloc()ed; "" if it cannot be read. */
char *proc_text_read(const char *path);

/* A named mapping of /proc/PID/maps. */
struct mapping {
	uint64_t low, high;
	bool code; /* code of a program or a library: executable now, or before simul made it inaccessible (preload/patch/lazy.h) */
	char path[4096];
};

/* Reads the next mapping of a file, or the stack, and advances *maps; false at the end. */
bool proc_text_mapping(const char **maps, struct mapping *m);

/* Returns whether two processes with these maps have the same addresses. false: `why` names a difference. */
bool proc_text_same_addresses(const char *before, const char *now, char *why, size_t size);

#endif
