/* Notes of executables and libraries. */
#ifndef SIMUL_ELF_NOTE_H
#define SIMUL_ELF_NOTE_H

#include <stddef.h>
#include <stdint.h>

/* Returns the value of the first note of this name and type in the file's segments, malloc()ed, and sets *size. NULL:
   it has none, or is no ELF file. Moves the position of fd. */
void *elf_note(int fd, const char *name, uint32_t type, size_t *size);

#endif
