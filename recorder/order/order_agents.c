/* The agent of each step of a recording, how the step accesses its objects, and the thread that an object represents. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "recorder/order/order.h"

struct agent {
	thread_id owner;
	uint64_t place;
};

size_t order_agents(const struct recording *r, size_t *agent)
{
	struct agent *list = NULL;
	size_t n = 0;

	for (size_t i = 0; i < r->n_steps; i++) {
		const struct rec_step *s = &r->steps[i];
		size_t k = 0;

		agent[i] = s->thread;
		if (s->kind != EV_UPDATE)
			continue;
		while (k < n && (list[k].owner != s->thread || list[k].place != s->place))
			k++;
		if (k == n) {
			list = xgrow(list, n, sizeof(*list));
			list[n++] = (struct agent){ s->thread, s->place };
		}
		agent[i] = r->n_threads + k;
	}
	free(list);
	return r->n_threads + n;
}

static thread_id thread_by_path(const struct recording *r, const char *path)
{
	for (size_t t = 0; t < r->n_threads; t++)
		if (strcmp(r->threads[t].path, path) == 0)
			return (thread_id)t;
	return NO_THREAD;
}

void order_children(const struct recording *r, thread_id *child)
{
	unsigned *children = xcalloc(r->n_threads, sizeof(*children));

	for (size_t o = 0; o < r->n_objects; o++)
		child[o] = NO_THREAD;
	for (size_t i = 0; i < r->n_steps; i++) {
		const struct rec_step *s = &r->steps[i];
		char *path;
		if (s->kind == EV_THREAD_EXIT && s->obj[0])
			child[s->obj[0] - 1] = s->thread;
		if (s->kind != EV_THREAD_CREATE || rec_step_failed(s))
			continue;
		children[s->thread]++;
		if (!s->obj[0])
			continue;
		path = xasprintf("%s.%u", r->threads[s->thread].path, children[s->thread]);
		child[s->obj[0] - 1] = thread_by_path(r, path);
		free(path);
	}
	for (size_t o = 0; o < r->n_objects; o++) /* T0 has no creator */
		if (r->objects[o].kind == OBJ_THREAD && child[o] == NO_THREAD)
			child[o] = 0;
	free(children);
}

unsigned order_mode(const struct recording *r, const struct rec_step *s, int k)
{
	object_id o = s->obj[k];
	enum access_mode mode = event_kind_mode(s->kind, (unsigned)k);

	if (!o || o > r->n_objects || s->buffered || rec_step_forwarded(s))
		return M_NONE; /* only its own thread sees a buffer */
	if (s->kind == EV_THREAD_JOIN && s->result == EDEADLK)
		return M_POKE; /* the result depends on the other thread's pending operation */
	if (rec_step_failed(s))
		return M_READ;
	switch (mode) {
	case M_RECV:
		return s->result ? M_READ : M_RECV;
	case M_ARRIVE:
		return s->result == -1 ? M_LAST : M_ARRIVE; /* PTHREAD_BARRIER_SERIAL_THREAD */
	case M_ACQ:
		return event_kind_result(s->kind) == RESULT_RUNS && !s->result ? M_READ : M_ACQ; /* M_READ: the initialization has already run */
	case M_READ: /* THREAD_CANCELLED and SIGNAL_HANDLER: in such a wait, or elsewhere */
		return (s->kind == EV_THREAD_CANCELLED || s->kind == EV_SIGNAL_HANDLER) &&
		       (r->objects[o - 1].kind == OBJ_COND || r->objects[o - 1].kind == OBJ_FUTEX) ? M_DEQ : M_READ;
	case M_NONE:
	case M_WRITE:
	case M_REL:
	case M_RDACQ:
	case M_RDREL:
	case M_SEND:
	case M_LAST:
	case M_PASS:
	case M_ENQ:
	case M_SIG:
	case M_TAKE:
	case M_DEQ:
	case M_POKE:
	case M_BUFFER:
	case M_MEET:
	case M_SECT:
	case M_CLAIM:
	case M_ADD:
	case M_COUNT:
		break;
	}
	return mode;
}
