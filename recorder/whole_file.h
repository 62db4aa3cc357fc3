#ifndef SIMUL_WHOLE_FILE_H
#define SIMUL_WHOLE_FILE_H

#include <stddef.h>

/*
 * Writes `size` bytes of text to a temporary name in the directory of `path` and renames when they are complete and synced.
 * 0, or -errno; *why then points to a static text that says what failed ("cannot be created").
 */
int write_whole(const char *path, const char *text, size_t size, const char **why);

#endif
