/* Locks of libc in the model; see accesses.h. */
#include "preload/libc/accesses.h"

#include "preload/accesses/libc_state.h"
#include "preload/control/ctl.h"
#include "preload/base/rules.h"

static void perform(enum event_kind kind, const char *lock, uintptr_t pc)
{
	struct op op = ctl_op(kind, (const void *)pc);

	op.obj[0] = ctl_object(OBJ_MUTEX, lock);
	ctl_perform(&op);
	ctl_leave();
}

const char *libc_lock(enum libc_object object, uintptr_t pc)
{
	const char *lock = libc_object_lock(object);

	if (!lock || !ctl_enter_event())
		return NULL;
	perform(EV_MUTEX_LOCK, lock, pc);
	return lock;
}

void libc_unlock(const char *lock, uintptr_t pc)
{
	if (ctl_enter_event())
		perform(EV_MUTEX_UNLOCK, lock, pc);
}
