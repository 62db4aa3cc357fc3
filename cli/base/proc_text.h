/* Reads /proc/PID/maps, and compares the memory addresses of two processes. */
#ifndef SIMUL_PROC_TEXT_H
#define SIMUL_PROC_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Returns the text of /proc/PID/maps, malloc()ed; "" if it cannot be read. */
char *proc_text_maps(pid_t pid);

/* A mapping of /proc/PID/maps. */
struct mapping {
	uint64_t low, high;
	bool code; /* code of a program or a library: executable now, or before simul made it inaccessible (preload/patch/lazy.h) */
	char path[4096]; /* of the file, or the kernel's name such as [heap]; "": none, or too long */
};

/* Reads the line at *maps, which is not the end of the text, and advances *maps. Returns whether it is a mapping. */
bool proc_text_line(const char **maps, struct mapping *m);

/* Reads the next mapping of a file, or the stack, and advances *maps; false at the end. */
bool proc_text_mapping(const char **maps, struct mapping *m);

/* Returns whether two processes with these maps have the same addresses. false: `why` names a difference. */
bool proc_text_same_addresses(const char *before, const char *now, char *why, size_t size);

#endif
