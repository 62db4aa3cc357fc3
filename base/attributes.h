/* The extended attributes of a file, as one block of bytes. The functions call libc, like those of base/journal.h. */
#ifndef SIMUL_ATTRIBUTES_H
#define SIMUL_ATTRIBUTES_H

#include <stdbool.h>
#include <stdint.h>

/* Returns whether the file has extended attributes. No function of this file follows a final symbolic link. */
bool attributes_any(const char *path);

/* Writes all attributes of the file to `to`. Returns the number of bytes written, or -1 if they do not fit into `room` bytes or cannot be
   read. */
int64_t attributes_read(const char *path, char *to, uint64_t room);

/* Gives the file exactly the attributes in a block that attributes_read wrote. A damaged block is safe: its malformed rest is ignored.
   Returns NULL, or the reason why it failed. */
const char *attributes_put(const char *path, const char *from, uint64_t size);

#endif
