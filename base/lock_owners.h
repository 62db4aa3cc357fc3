/* Who declares a lock (struct await_node.owner). */
#ifndef SIMUL_LOCK_OWNERS_H
#define SIMUL_LOCK_OWNERS_H

#define LOCK_PATTERN "lock:" /* begins a pattern of --lock among those of --patch, in the session */

enum lock_owner {
	LOCK_OF_NOBODY,
#define RUNTIME(id, words, test) LOCK_OF_##id,
#define WAITS(id, pattern)
#define LOCKS(id, pattern)
#include "base/runtimes.def"
	LOCK_OF_USER, /* --lock */
	LOCK_OWNERS
};

#endif
