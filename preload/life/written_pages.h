/*
 * The pages that this process has written to since it was forked: those of private memory that it has for itself. Pages in which
 * nothing means anything between two executions are not told: those of simul's stack (aside.h), and those of simul's private memory (ctl_alloc)
 * that were not in use yet at written_begin, since what is allocated is cleared then.
 */
#ifndef SIMUL_WRITTEN_PAGES_H
#define SIMUL_WRITTEN_PAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "preload/base/maps.h"

struct written_tell {
	void *ctx;
	void (*mapping)(void *ctx, const struct mapping *m); /* each one; NULL: not wanted */
	void (*page)(void *ctx, uint64_t addr);              /* each page, in the order of addresses; NULL: not wanted */
	bool others; /* also pages that were not written to, and are in memory */
};

/* Before the first execution of this process. */
void written_begin(void);

/* Looks through the whole process. *layout becomes a number that stands for what is mapped where, the size of the first
   thread's stack left out. false: it cannot be seen (no /proc), or it is too much. */
bool written_look(const struct written_tell *t, uint64_t *layout);

#endif
