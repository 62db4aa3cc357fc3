/* Who declares a lock (struct await_node.owner). */
#ifndef SIMUL_LOCK_OWNERS_H
#define SIMUL_LOCK_OWNERS_H

/* These begin the patterns of --lock and --leave-out among those of --patch, in the session. */
#define LOCK_PATTERN "lock:"
#define LEAVE_PATTERN "leave:"

enum lock_owner {
	LOCK_OF_NOBODY,
#define RUNTIME(id, words, test) LOCK_OF_##id,
#include "base/runtimes.def"
	LOCK_OF_USER, /* --lock */
	LOCK_OWNERS
};

#endif
