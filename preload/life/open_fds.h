/*
 * The descriptors that are open at the checkpoint of a process that rewinds (rewind.h), and making them so again
 * after an execution. fd_restore makes pipes and the like again. At a window, other descriptors that executions close
 * are put back from duplicates; at the checkpoint of the search no execution closes another one, or it is not rewound.
 *
 * This data must survive a rewind, so it lies in shared memory. Functions write to no other memory.
 */
#ifndef SIMUL_OPEN_FDS_H
#define SIMUL_OPEN_FDS_H

#include <poll.h>
#include <stdbool.h>

#include "preload/base/page_watch.h"

#define NOTED_FDS 256    /* at most this many descriptors are checked after executions */
#define NOTED_BELOW 1024 /* descriptors from here on are not looked at */

struct held_fd {
	int fd, far; /* far: the duplicate */
	int flags;   /* O_CLOEXEC or 0 */
};

struct open_fds {
	unsigned n, n_expected, n_held;
	bool closed; /* an execution has closed a descriptor that fd_restore makes again */
	int fd[NOTED_FDS];
	struct held_fd held[NOTED_FDS / 2];
	struct pollfd all[NOTED_BELOW];        /* for asking which ones are open */
	struct pollfd expected[NOTED_FDS + 1]; /* those that must be open after an execution, and one that must not */
};

/* Notes which descriptors are open. Those of `w` may be opened and closed later; NULL: there are none. */
void open_fds_note(struct open_fds *o, const struct watch *w);
/* Duplicates each open descriptor that is not among those of `known`, and that fd_restore does not make again, so that
   it can be put back after an execution has closed it. Call it before open_fds_note. Returns false, without duplicates,
   if that is not possible: there are too many, or a duplicate would change what closing it does, as for sockets and
   locked files. */
bool open_fds_hold(struct open_fds *o, const struct open_fds *known);

/* Makes the descriptors those that were noted. made: it may have opened some. Returns NULL, or why they are not,
   which completes "executions ...". */
const char *open_fds_put_back(struct open_fds *o, bool made);
/* Returns whether no descriptor is open that was not noted, as far as they are looked at. */
bool open_fds_no_other(struct open_fds *o);

#endif
