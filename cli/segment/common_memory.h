/*
 * The memory shared by several workers of one search: the thread names, the table of sections, and the data of
 * explore/shared/common.h. It is a memfd, which each target and the supervisor map after the session segment of each
 * worker (session_layout.common_off).
 */
#ifndef SIMUL_COMMON_MEMORY_H
#define SIMUL_COMMON_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/session.h"

struct common_memory {
	int fd;                        /* close-on-exec */
	uint64_t size;
	uint64_t names, names_size;    /* struct thread_names */
	uint64_t sections;             /* struct section_table */
	uint64_t search, search_size;  /* memory of explore/shared/common.h */
};

/* Creates a close-on-exec memfd of that size which no receiver of the descriptor can truncate, since that would cause SIGBUS in every
   process that maps it. -1 with errno. */
int memory_of_size(const char *name, uint64_t bytes);

/* Creates it, zeroed, with `memory` bytes for the search. false: *why gives the reason. */
bool common_memory_open(struct common_memory *c, uint64_t memory, char *why, size_t size);
void common_memory_close(struct common_memory *c);

/* Adds its position to the layout: after a segment of l->size bytes. */
void common_memory_place(const struct common_memory *c, struct session_layout *l);

/* Maps `segment_fd` with the common memory after it, as l says. NULL with errno. */
void *common_memory_map(const struct common_memory *c, int segment_fd, const struct session_layout *l);

/* Zeroes the search part, in all mappings. No target that shares it may be alive. */
bool common_memory_clear(const struct common_memory *c);

#endif
