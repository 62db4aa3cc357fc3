/* See supported.h. */
#include "cli/certify/supported.h"

#include <stdio.h>
#include <string.h>

#include "sched/event.h"

static const uint8_t supported[] = {EV_THREAD_CREATE, EV_THREAD_START, EV_THREAD_EXIT, EV_THREAD_JOIN, EV_THREAD_TRYJOIN, EV_THREAD_DETACH,
	EV_MUTEX_INIT, EV_MUTEX_DESTROY, EV_MUTEX_LOCK, EV_MUTEX_TRYLOCK, EV_MUTEX_UNLOCK,
	EV_SPIN_INIT, EV_SPIN_DESTROY, EV_SPIN_LOCK, EV_SPIN_TRYLOCK, EV_SPIN_UNLOCK,
	EV_LOAD, EV_STORE, EV_RMW, EV_UPDATE, EV_FENCE, EV_SLEEP, EV_YIELD, EV_GIVE_WAY, EV_EXIT, EV_DEATH};

static bool has(const uint64_t kinds[2], unsigned kind)
{
	return kinds[kind / 64] >> kind % 64 & 1;
}

bool supported_kinds(const uint64_t kinds[2], unsigned model, const char *program, char *why, size_t size)
{
	for (unsigned k = 1; k < EV_COUNT; k++) {
		bool known = false;

		for (size_t i = 0; i < sizeof(supported); i++)
			known |= supported[i] == k;
		if (known || !has(kinds, k))
			continue;
		snprintf(why, size, "cannot be enforced yet: %s (%s)", object_kind_text(event_kind_object(k)), event_kind_text(k));
		return false;
	}
	if (model == MODEL_SC && has(kinds, EV_STORE)) {
		snprintf(why, size, "threads race for memory with plain stores, and the processor may delay these, which a search with --model sc does "
			"not cover: simul certify --model tso -o FILE -- %s", program);
		return false;
	}
	return true;
}

void supported_object(unsigned kind, const char *module, char *why, size_t size)
{
	const char *name = strrchr(module, '/');

	if (!strncmp(name ? name + 1 : module, "libc.so", 7) && !why[0])
		snprintf(why, size, "cannot be enforced yet: %s of the C library's own (flockfile)", object_kind_text(kind));
}
