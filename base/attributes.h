/* Extended attributes of a file as one block of bytes. Calls libc, as base/journal.h does. */
#ifndef SIMUL_ATTRIBUTES_H
#define SIMUL_ATTRIBUTES_H

#include <stdbool.h>
#include <stdint.h>

/* Whether the file has any. A final symbolic link is not followed, here and below. */
bool attributes_any(const char *path);

/* Writes them to `to`. Returns how many bytes they take, 0 when there are none; negative: they do not fit, or cannot be read. */
int64_t attributes_read(const char *path, char *to, uint64_t room);

/* Gives the file exactly those that attributes_read wrote. The bytes need not be in order: what makes no sense is not applied. Returns NULL,
   or why it could not. */
const char *attributes_put(const char *path, const char *from, uint64_t size);

#endif
