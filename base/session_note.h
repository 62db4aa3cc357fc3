/*
 * A note in libsimul.so with the version of the session that it was built for (SESSION_VERSION). The supervisor reads
 * it before it starts a program: a library of another version would do nothing, and the program would run without
 * simul.
 */
#ifndef SIMUL_SESSION_NOTE_H
#define SIMUL_SESSION_NOTE_H

#include <stdint.h>

#define SESSION_NOTE_SECTION ".note.simul"
#define SESSION_NOTE_NAME "simul"
#define SESSION_NOTE_TYPE 1

struct session_note {
	uint32_t name_size, value_size, type; /* as in Elf64_Nhdr */
	char name[8]; /* with padding to a multiple of 4 */
	uint32_t version;
};

#endif
