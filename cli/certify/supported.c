/* Lists the kinds of events and objects that can be enforced. See supported.h. */
#include "cli/certify/supported.h"

#include <stdio.h>
#include <string.h>

#include "base/base_name.h"
#include "sched/event.h"

static const uint8_t supported[] = {EV_THREAD_CREATE, EV_THREAD_START, EV_THREAD_EXIT, EV_THREAD_JOIN, EV_THREAD_TRYJOIN, EV_THREAD_DETACH,
	EV_MUTEX_INIT, EV_MUTEX_DESTROY, EV_MUTEX_LOCK, EV_MUTEX_TRYLOCK, EV_MUTEX_UNLOCK,
	EV_COND_INIT, EV_COND_DESTROY, EV_COND_WAIT, EV_COND_WAKE, EV_COND_WOKEN, EV_COND_TIMEOUT, EV_COND_RELOCK,
	EV_COND_SIGNAL, EV_COND_BROADCAST,
	EV_RW_INIT, EV_RW_DESTROY, EV_RW_RDLOCK, EV_RW_TRYRDLOCK, EV_RW_WRLOCK, EV_RW_TRYWRLOCK, EV_RW_RDUNLOCK, EV_RW_WRUNLOCK,
	EV_SEM_INIT, EV_SEM_DESTROY, EV_SEM_POST, EV_SEM_WAIT, EV_SEM_TRYWAIT, EV_SEM_GETVALUE,
	EV_BARRIER_INIT, EV_BARRIER_DESTROY, EV_BARRIER_ARRIVE, EV_BARRIER_PASS,
	EV_ONCE_ENTER, EV_ONCE_DONE, EV_ONCE_ABORT,
	EV_FUTEX_WAIT, EV_FUTEX_WOKEN, EV_FUTEX_TIMEOUT, EV_FUTEX_WAKE,
	EV_SPIN_INIT, EV_SPIN_DESTROY, EV_SPIN_LOCK, EV_SPIN_TRYLOCK, EV_SPIN_UNLOCK,
	EV_LOAD, EV_STORE, EV_RMW, EV_UPDATE, EV_FENCE, EV_SLEEP, EV_YIELD, EV_GIVE_WAY, EV_SIGNAL_MASK, EV_EXIT, EV_DEATH};

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
		if (event_kind_object(k) == OBJ_NONE)
			snprintf(why, size, "cannot be enforced yet: %s", event_kind_text(k));
		else
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
	if (!strncmp(base_name(module), "libc.so", 7) && !why[0])
		snprintf(why, size, "cannot be enforced yet: %s of the C library's own (flockfile)", object_kind_text(kind));
}
