/*
 * The memory that several workers of one search share: the names of threads, and what explore/common.h keeps. A memfd, which each
 * target and the supervisor map behind the session segment of each worker (session_layout.common_off).
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
	uint64_t search, search_size;  /* memory of explore/common.h */
};

/* A memfd of that size, close-on-exec, which nobody who gets the descriptor can cut off: that would be a SIGBUS for all who map it.
   -1 with errno. */
int memory_of_size(const char *name, uint64_t bytes);

/* Makes it, zeroed: `memory` bytes for the search. false: *why says what is wrong. */
bool common_memory_open(struct common_memory *c, uint64_t memory, char *why, size_t size);
void common_memory_close(struct common_memory *c);

/* Fills in the layout where it lies when it is mapped behind a segment of l->size bytes. */
void common_memory_place(const struct common_memory *c, struct session_layout *l);

/* Maps `segment_fd` as l says, with the common memory behind it and in it. NULL with errno. */
void *common_memory_map(const struct common_memory *c, int segment_fd, const struct session_layout *l);

/* Makes the part of the search zero again, in all mappings. No target that shares it is alive. */
bool common_memory_clear(const struct common_memory *c);

#endif
