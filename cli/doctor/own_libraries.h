/* The libraries that are in the process only because libsimul.so needs them. */
#ifndef SIMUL_OWN_LIBRARIES_H
#define SIMUL_OWN_LIBRARIES_H

#include <stdbool.h>
#include <stddef.h>

struct own_libraries {
	size_t n;
	char **path;
};

/* Finds them among the files of the process with these maps: those that `library` needs, directly or through others, and `program` does not. */
void own_libraries_find(struct own_libraries *own, const char *maps, const char *program, const char *library);
bool own_libraries_have(const struct own_libraries *own, const char *path);
void own_libraries_free(struct own_libraries *own);

#endif
