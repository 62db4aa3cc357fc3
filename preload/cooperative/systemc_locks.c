#include "preload/cooperative/systemc_locks.h"

#include "preload/control/ctl.h"
#include "preload/cooperative/systemc_hooks.h"
#include "preload/cooperative/systemc_kernel.h"
#include "preload/cooperative/systemc_steps.h"
#include "preload/memory/data_races.h"
#include "preload/memory/watched.h"
#include "preload/base/rules.h"

#define PC __builtin_return_address(0)

#define LOCKS 64 /* one bit each */

/* Private memory: each execution begins with the values at the checkpoint. */
static struct {
	unsigned n;
	bool full; /* the program has locked more mutexes than the table holds */
	struct {
		long mutex;
		const void *owner;
	} lock[LOCKS];
} locks;

uint64_t locks_held(const void *process)
{
	uint64_t held = 0;
	for (unsigned i = 0; i < locks.n; i++)
		if (locks.lock[i].owner == process)
			held |= UINT64_C(1) << i;
	return locks.full ? UINT64_MAX : held;
}

static void set_owner(long mutex, const void *owner)
{
	unsigned i = 0;
	while (i < locks.n && locks.lock[i].mutex != mutex)
		i++;
	if (i == LOCKS) {
		locks.full = true;
		races_miss(RACES_FULL);
		return;
	}
	locks.n += i == locks.n;
	locks.lock[i].mutex = mutex;
	locks.lock[i].owner = owner;
}

/* The running process has locked or unlocked the mutex. */
static void changed(long mutex, bool locked)
{
	const void *process = steps_wanted() && systemc_known() ? systemc_current() : NULL;
	if (!process)
		return;
	set_owner(mutex, locked ? process : NULL);
	watched_locks(locks_held(process));
}

/* The functions return an int, 0 if they succeed. */
#define LOCKS_OR_UNLOCKS(name, locks)                                                                                  \
	long systemc_##name(long mutex, long b, long c)                                                                \
	{                                                                                                              \
		systemc_look(PC);                                                                                      \
		long result = systemc_real_##name(mutex, b, c);                                                        \
		if (!(int)result)                                                                                      \
			changed(mutex, locks);                                                                         \
		return result;                                                                                         \
	}

LOCKS_OR_UNLOCKS(mutex_lock, true)
LOCKS_OR_UNLOCKS(mutex_trylock, true)
LOCKS_OR_UNLOCKS(mutex_unlock, false)
