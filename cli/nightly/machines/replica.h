/*
 * Which pages of a search differ from those in the database: those of the worker's segment, and those of the memory that workers share
 * (cli/segment/segment_keep.h). A page has the number of its place in the segment.
 */
#ifndef SIMUL_MACHINES_REPLICA_H
#define SIMUL_MACHINES_REPLICA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/segment/segment.h"

#define REPLICA_PAGE 4096
#define REPLICA_ROW (REPLICA_PAGE + sizeof(uint64_t)) /* bytes of a page in the database: with a checksum */

struct replica {
	const struct segment *seg;
	char *stored; /* the pages in the database, at their places */
	size_t size;
	bool damaged; /* a page was read that is none */
};

/* Pages to store: numbers as an array literal of SQL, and their rows. */
struct replica_pages {
	char *numbers, *rows;
	size_t n;
	uint64_t *page;
};

/* Begins with nothing stored. false: no memory. */
bool replica_open(struct replica *r, const struct segment *seg);
void replica_close(struct replica *r);

/* Finds the pages that differ. `common`: of the shared memory instead of the segment. No process may write there. */
void replica_changed(const struct replica *r, bool common, struct replica_pages *out);
/* Records that they are stored. */
void replica_stored(struct replica *r, const struct replica_pages *pages);
void replica_free(struct replica_pages *pages);

/* Writes a page whose row was read from the database. false: there is no such page, or its row is damaged. */
bool replica_put(struct replica *r, bool common, uint64_t page, const void *row, size_t size);

#endif
