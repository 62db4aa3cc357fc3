#ifndef SIMUL_WHOLE_FILE_H
#define SIMUL_WHOLE_FILE_H

#include <stddef.h>
#include <sys/types.h>

/*
 * Writes `size` bytes of text to a temporary name in the directory of `path` and renames when they are complete and synced.
 * Its mode is `mode` less the umask, for the owner only if that cannot be set.
 * What whole_file_refuses says something of is left alone: -EINVAL. 0, or -errno; *why then points to a static text that says what failed ("cannot be created").
 */
int write_whole(const char *path, const char *text, size_t size, mode_t mode, const char **why);

/* What is wrong with writing there; NULL: nothing that is known before. A device or a folder must not be replaced by a file. */
const char *whole_file_refuses(const char *path);

#endif
