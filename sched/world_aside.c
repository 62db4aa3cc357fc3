/* Operations that a thread sets aside for a while, as for a signal handler, or gives up; see world.h. */
#include "base/check.h"
#include "sched/endless_step.h"
#include "sched/membuf.h"
#include "sched/world_internal.h"

void world_suspend(struct world *w, thread_id id)
{
	struct wthread *t = w->thread[id];
	struct suspended *s = world_alloc(w, sizeof *s);
	*s = (struct suspended){ .next = t->suspended, .has_op = t->has_op, .op = t->op, .waiter = t->waiter,
		.may_pass = t->may_pass, .pass_stamp = t->pass_stamp, .began = t->began, .late = t->late, .late_since = t->late_since };
	t->suspended = s;
	t->has_op = false;
	t->waiter = NULL;
	world_note_pending(w, t);
}

void world_resume(struct world *w, thread_id id)
{
	struct wthread *t = w->thread[id];
	struct suspended *s = t->suspended;
	t->suspended = s->next;
	t->has_op = s->has_op;
	t->op = s->op;
	t->waiter = s->waiter;
	t->may_pass = s->may_pass;
	t->pass_stamp = s->pass_stamp;
	t->began = s->began;
	t->late = s->late;
	t->late_since = s->late_since;
	t->waited = false;
	if (t->has_op && t->op.kind == EV_THREAD_CREATE)
		world_name_child(w, t); /* the handler may have created threads */
	world_free(w, s, sizeof *s);
	if (t->has_op)
		await_announced(w, t);
	if (t->has_op)
		endless_step_announced(w, t);
	if (t->has_op)
		membuf_announced(w, t); /* the handler may have stored */
	world_note_pending(w, t);
}

bool world_queued(const struct world *w, thread_id t)
{
	return w->thread[t]->waiter;
}

void world_withdraw(struct world *w, thread_id id)
{
	struct wthread *t = w->thread[id];
	INVARIANT(!t->waiter, "an operation that has begun is withdrawn");
	t->has_op = false;
	world_note_pending(w, t);
}

void world_pass(struct world *w, thread_id id)
{
	struct wthread *t = w->thread[id];
	await_passed(w, t);
	t->has_op = false;
	world_note_pending(w, t);
}
