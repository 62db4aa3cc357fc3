/*
 * A file that holds the state of a search: sections of bytes, and a checksum over all of them. It is written under another name, synced and
 * renamed, so a complete file exists even if a process is killed at any time.
 *
 * Functions return 0 or an errno.
 */
#ifndef SIMUL_STATE_FILE_H
#define SIMUL_STATE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STATE_FORMAT 4 /* of the file */

enum state_section {
	SECTION_END = 0,
	SECTION_IDENTITY, /* identity of the search: see state_identity.h */
	SECTION_TOTALS,   /* struct state_totals */
	SECTION_LAYOUT,   /* struct session_layout */
	SECTION_MEMORY,   /* struct state_memory, then the bytes there */
	SECTION_FINDING,  /* struct saved_finding, then the recording as text */
	SECTION_MAPS,     /* /proc/PID/maps of the target */
	SECTION_WORKERS,  /* struct state_workers */
};

struct state_writer {
	int fd, error; /* the first one; 0: none so far */
	uint64_t sum;
	char path[4096], temporary[4100];
};

/* Starts a file that will get the name `path`. An existing file of that name stays until state_commit, which must always be called. */
int state_begin(struct state_writer *w, const char *path);
/* Writes a section whose bytes come in two pieces. If there is a second piece, the size of the first must be a multiple of 8. Errors are
   kept for state_commit. */
void state_put(struct state_writer *w, enum state_section section, const void *a, size_t a_size, const void *b, size_t b_size);
/* Writes the end of the file. The data of the sections is not needed afterwards. */
void state_end(struct state_writer *w);
/* Waits until the file is on disk and renames it. After an error the old file still exists, and the new one does not. */
int state_commit(struct state_writer *w);

/* A file being read: mapped. */
struct state_reader {
	const char *data;
	size_t size, at;
};

enum state_trouble { STATE_GOOD = 0, STATE_MISSING, STATE_UNREADABLE, STATE_FOREIGN, STATE_OTHER_FORMAT, STATE_DAMAGED };

/* Reads the file and checks everything except the meaning of the sections. With STATE_UNREADABLE, errno holds the cause. */
enum state_trouble state_open(struct state_reader *r, const char *path);
/* Reads the next section; false at the end. *data is aligned to 8 bytes and valid until state_close. */
bool state_next(struct state_reader *r, enum state_section *section, const void **data, size_t *size);
/* Finds the first section of this kind; false if there is none. */
bool state_find(struct state_reader *r, enum state_section wanted, const void **data, size_t *size);
/* Returns the checksum of a file whose bytes before the end section are data[0 .. size); size is a multiple of 8. */
uint64_t state_checksum(const void *data, size_t size);
/* Restarts at the first section. */
void state_rewind(struct state_reader *r);
void state_close(struct state_reader *r);

#endif
