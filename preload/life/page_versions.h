/*
 * Later versions of the copied pages (page_copies.h): for each level, the pages that differ from their newest version below it, and pieces of
 * memory that are saved as they are. Levels form a stack: removing one removes all above it.
 *
 * The data lies in memory that a restore leaves alone. No function makes a system call.
 */
#ifndef SIMUL_PAGE_VERSIONS_H
#define SIMUL_PAGE_VERSIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "preload/base/maps.h"

#define VERSION_SLOTS 2048u /* pages in all levels together */

struct version {
	uint32_t page;  /* index of the copied page */
	uint32_t older; /* slot of the next older version, from 1; 0: the copy of the checkpoint */
};

struct versions {
	uint32_t used;      /* slots in use; also the mark to which versions_drop returns */
	uint32_t *newest;   /* by index of the copied page: slot of its newest version, from 1; 0: none */
	struct version *of; /* by slot; page NO_PAGE: part of a piece */
	char *data;         /* by slot: PAGE_BYTES */
};

/* Returns the bytes that the versions of `pages` copied pages take. */
size_t versions_bytes(uint32_t pages);
/* Makes an empty stack in versions_bytes(pages) bytes of memory, which must be zero and aligned to a page. */
void versions_at(struct versions *v, void *memory, uint32_t pages);

/* Adds a version of copied page i with the content of `page`. Returns false if there is no room. */
bool versions_add(struct versions *v, uint32_t i, const void *page);
/* Returns room for `bytes` bytes; NULL if there is none. */
void *versions_piece(struct versions *v, size_t bytes);
/* Removes everything that was added since v->used was `mark`. */
void versions_drop(struct versions *v, uint32_t mark);

/* Returns the data of slot `at`. */
static inline char *versions_slot(const struct versions *v, uint32_t at)
{
	return v->data + (uint64_t)at * PAGE_BYTES;
}

/* Returns the newest version of copied page i; `copy` if there is none. */
static inline const char *versions_newest(const struct versions *v, uint32_t i, const char *copy)
{
	return v->newest[i] ? versions_slot(v, v->newest[i] - 1) : copy;
}

#endif
