/* Spin locks. The word is 1 when free and 0 when taken, as glibc keeps it on x86-64. */
#include "preload/control/ctl.h"
#include "preload/base/real.h"
#include "preload/hooks/sync.h"
#include "preload/memory/child_reads.h"

#include "preload/base/rules.h"

#define FREE 1
#define TAKEN 0

static struct op spin_op(enum event_kind kind, pthread_spinlock_t *l, const void *pc)
{
	struct op op = ctl_op(kind, pc);

	op.obj[0] = sync_object(OBJ_SPIN, (const void *)l, *l == FREE);
	return op;
}

int pthread_spin_init(pthread_spinlock_t *l, int shared)
{
	if (!ctl_enter())
		return real_pthread_spin_init(l, shared);
	struct op op = ctl_op(EV_SPIN_INIT, HERE);

	op.obj[0] = ctl_object_new(OBJ_SPIN, (const void *)l);
	int r = (int)ctl_perform(&op);

	if (!r)
		*l = FREE;
	ctl_leave();
	return r;
}

/* pthread_spin_destroy leaves the word in the state "taken". If it is "free" later, the memory was initialised again and is a new lock. */
int pthread_spin_destroy(pthread_spinlock_t *l)
{
	if (!ctl_enter())
		return real_pthread_spin_destroy(l);
	struct op op = spin_op(EV_SPIN_DESTROY, l, HERE);
	int r = (int)ctl_perform(&op);

	if (!r)
		*l = TAKEN;
	ctl_leave();
	return r;
}

int pthread_spin_lock(pthread_spinlock_t *l)
{
	if (!ctl_enter()) {
		child_reads_object(l);
		return real_pthread_spin_lock(l);
	}
	struct op op = spin_op(EV_SPIN_LOCK, l, HERE);
	int r = (int)ctl_perform(&op);

	if (!r)
		*l = TAKEN;
	ctl_leave();
	return r;
}

/*
 * With store buffers: pthread_spin_unlock is a store, which may stay in the buffer behind others while its thread goes on. Here it waits for an empty
 * buffer. The difference cannot be seen while the buffer is empty and no other thread fails to get the lock.
 */
static void note_early(void)
{
	struct session_sensors *s = ctl_segment(ctl_session->layout.sensors_off);
	s->early_unlocks = 1;
}

int pthread_spin_trylock(pthread_spinlock_t *l)
{
	if (!ctl_enter()) {
		child_reads_object(l);
		return real_pthread_spin_trylock(l);
	}
	struct op op = spin_op(EV_SPIN_TRYLOCK, l, HERE);
	int r = (int)ctl_perform(&op);

	if (!r)
		*l = TAKEN;
	else if (ctl_session->config.settings.model != MODEL_SC)
		note_early();
	ctl_leave();
	return r;
}

int pthread_spin_unlock(pthread_spinlock_t *l)
{
	if (!ctl_enter())
		return real_pthread_spin_unlock(l);
	struct op op = spin_op(EV_SPIN_UNLOCK, l, HERE);

	if (ctl_has_stores() && ctl_threads() > 1)
		note_early();
	int r = (int)ctl_perform(&op);

	if (!r)
		*l = FREE;
	ctl_leave();
	return r;
}
