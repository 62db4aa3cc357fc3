#ifndef SIMUL_WHOLE_FILE_H
#define SIMUL_WHOLE_FILE_H

#include <stddef.h>
#include <sys/types.h>

/*
 * Writes `size` bytes of text to a temporary name in the directory of `path`, and renames it when they are complete and synced.
 * The file's mode is `mode` less the umask, or private to the owner if that cannot be set.
 * A path that whole_file_refuses objects to is left alone; the result is -EINVAL. Returns 0 or -errno; then *why points to a static text
 * that says what failed ("cannot be created").
 */
int write_whole(const char *path, const char *text, size_t size, mode_t mode, const char **why);

/* Returns why a file must not be written there, or NULL if no reason is known in advance. A device or directory must not be replaced by a file. */
const char *whole_file_refuses(const char *path);

#endif
