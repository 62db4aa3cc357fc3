/*
 * A file that holds the state of a search: sections of bytes and a checksum over all of them. It is written under
 * another name, synced and renamed, so that there is always one whole file, whoever is killed when.
 *
 * Functions return 0 or an errno.
 */
#ifndef SIMUL_STATE_FILE_H
#define SIMUL_STATE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STATE_FORMAT 3 /* of the file */

enum state_section {
	SECTION_END = 0,
	SECTION_IDENTITY, /* what the search is of: see state_identity.h */
	SECTION_TOTALS,   /* struct state_totals */
	SECTION_LAYOUT,   /* struct session_layout */
	SECTION_MEMORY,   /* struct state_memory, then the bytes there */
	SECTION_FINDING,  /* struct state_finding, then the recording as text */
	SECTION_MAPS,     /* /proc/PID/maps of the target */
	SECTION_WORKERS,  /* struct state_workers */
};

struct state_writer {
	int fd, error; /* the first one; 0: none so far */
	uint64_t sum;
	char path[4096], temporary[4100];
};

/* Begins a file that will be called `path`; what has that name stays until state_commit, which is called in any case. */
int state_begin(struct state_writer *w, const char *path);
/* A section whose bytes come in two pieces; the first is a multiple of 8 when there is a second. Errors are kept for
   state_commit. */
void state_put(struct state_writer *w, enum state_section section, const void *a, size_t a_size, const void *b, size_t b_size);
/* The last bytes. Nothing of what was put is needed afterwards. */
void state_end(struct state_writer *w);
/* Waits until it is on the disk and gives it its name. After an error the old file is still there, and the new one is not. */
int state_commit(struct state_writer *w);

/* A file as it was read: mapped. */
struct state_reader {
	const char *data;
	size_t size, at;
};

enum state_trouble { STATE_GOOD = 0, STATE_MISSING, STATE_UNREADABLE, STATE_FOREIGN, STATE_OTHER_FORMAT, STATE_DAMAGED };

/* Reads and checks everything but the meaning of the sections. errno says more with STATE_UNREADABLE. */
enum state_trouble state_open(struct state_reader *r, const char *path);
/* The next section; false at the end. *data is aligned to 8 bytes and lives until state_close. */
bool state_next(struct state_reader *r, enum state_section *section, const void **data, size_t *size);
/* The first one of this kind; false when there is none. */
bool state_find(struct state_reader *r, enum state_section wanted, const void **data, size_t *size);
/* Again from the first one. */
void state_rewind(struct state_reader *r);
void state_close(struct state_reader *r);

#endif
