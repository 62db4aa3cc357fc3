/*
 * Recordings as files: the `.simul` text format, which docs/format.md specifies.
 */
#ifndef SIMUL_RECORDING_FILE_H
#define SIMUL_RECORDING_FILE_H

#include <stddef.h>

#include "recorder/recording.h"

/* Writes to a temporary name in the same directory, and renames it when the file is complete and synced.
   Returns 0 or -errno; then *why (if not NULL) points to a static or thread-local text. */
int recording_write(const struct recording *r, const char *path, const char **why);

enum recording_error {
	RECORDING_OK = 0,
	RECORDING_MISSING,   /* the file does not exist or cannot be read */
	RECORDING_NOT_ONE,   /* the file is not a recording */
	RECORDING_INCOMPLETE, /* truncated */
	RECORDING_TOO_NEW,   /* written in a later version of the format */
	RECORDING_CORRUPT,   /* wrong checksum or syntax */
};
/* Reads and checks a recording. On failure returns NULL, sets *err, and writes one sentence for the user into message (size bytes)
   that names the file, the line and a remedy. */
struct recording *recording_read(const char *path, enum recording_error *err, char *message, size_t size);

/* Like recording_write and recording_read, to and from memory. recording_format returns *size malloc()ed bytes without a terminator; *r
   must be in range, as recording_write checks. `name` is used in the message. */
char *recording_format(const struct recording *r, size_t *size);
struct recording *recording_parse(const char *text, size_t size, const char *name, enum recording_error *err,
	char *message, size_t message_size);

#endif
