/* The text of files in /proc: reading it, and comparing where memory lies in two processes. */
#ifndef SIMUL_PROC_TEXT_H
#define SIMUL_PROC_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The whole text of a file of /proc, malloc()ed; "" when it cannot be read. */
char *proc_text_read(const char *path);

/* A line of /proc/PID/maps: something that has a name. */
struct mapping {
	uint64_t low, high;
	bool code; /* of a program or a library: it can be executed, or could before simul closed it (preload/patch/lazy.h) */
	char path[4096];
};

/* The next mapping of a file, or the stack, in the text of maps, which moves on; false at the end. */
bool proc_text_mapping(const char **maps, struct mapping *m);

/* Does memory lie in a process with these maps as in one with those? false: `why` names what lies elsewhere. */
bool proc_text_same_addresses(const char *before, const char *now, char *why, size_t size);

#endif
