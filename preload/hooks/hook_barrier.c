/* Barriers. A wait makes two events: the arrival, and the passing. */
#include "preload/control/ctl.h"
#include "preload/control/object_key.h"
#include "preload/base/real.h"
#include "preload/hooks/sync.h"
#include "preload/memory/child_reads.h"

#include "preload/base/rules.h"

static struct op barrier_op(enum event_kind kind, pthread_barrier_t *b, const void *pc)
{
	struct op op = ctl_op(kind, pc);

	op.obj[0] = kind == EV_BARRIER_INIT ? ctl_object_new(OBJ_BARRIER, b) : ctl_object(OBJ_BARRIER, b);
	return op;
}

/* For an init of a barrier that was not destroyed and has no waiters: makes the operation name the old object and a new one
   (sched/model_barrier.c). */
static void make_another(struct op *op, pthread_barrier_t *b)
{
	struct object_info info;

	if (!world_object_info(ctl_world, op->obj[0], &info) || !info.idle)
		return;
	op->obj[1] = op->obj[0];
	op->obj[0] = world_renew(ctl_world, OBJ_BARRIER, object_key(OBJ_BARRIER, b));
}

int pthread_barrier_init(pthread_barrier_t *b, const pthread_barrierattr_t *attr, unsigned int count)
{
	pthread_barrier_t fresh;
	int r = real_pthread_barrier_init(&fresh, attr, count);

	if (r)
		return r;
	if (!ctl_enter())
		return real_pthread_barrier_init(b, attr, count);
	struct op op = barrier_op(EV_BARRIER_INIT, b, HERE);

	op.arg[0] = count;
	make_another(&op, b);
	r = (int)ctl_perform(&op);
	if (!r)
		real_pthread_barrier_init(b, attr, count);
	ctl_leave();
	return r;
}

/* Never calls the real function, which would wait for threads that only the model knows. */
int pthread_barrier_destroy(pthread_barrier_t *b)
{
	if (!ctl_enter())
		return real_pthread_barrier_destroy(b);
	struct op op = barrier_op(EV_BARRIER_DESTROY, b, HERE);
	int r = (int)ctl_perform(&op);

	ctl_leave();
	return r;
}

/* Returns PTHREAD_BARRIER_SERIAL_THREAD in the thread that completed the round, 0 in the others. */
int pthread_barrier_wait(pthread_barrier_t *b)
{
	if (!ctl_enter()) {
		child_reads_object(b);
		return real_pthread_barrier_wait(b);
	}
	struct op op = barrier_op(EV_BARRIER_ARRIVE, b, HERE);
	int r = (int)ctl_perform(&op);

	ctl_leave();
	return r;
}
