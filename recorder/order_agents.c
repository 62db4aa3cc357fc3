/* The agent of each step of a recording, how the step accesses its objects, and the thread that an object represents. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "recorder/order.h"
#include "recorder/xalloc.h"

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

/* The access mode of the second object. */
static unsigned second_mode(const struct recording *r, const struct rec_step *s)
{
	switch ((int)s->kind) {
	case EV_COND_WAIT:
	case EV_SIGNAL_SEND:
	case EV_THREAD_EXIT: /* gives up a robust mutex */
		return M_REL;
	case EV_COND_WAKE:
	case EV_SIGNAL_WAIT:
		return M_ACQ;
	case EV_FUTEX_WAIT:
		return M_READ;
	case EV_FD_READ:
	case EV_FD_WRITE:
	case EV_FD_POLL:
		return order_mode(r, s, 0);
	default:
		return M_WRITE;
	}
}

unsigned order_mode(const struct recording *r, const struct rec_step *s, int k)
{
	object_id o = s->obj[k];

	if (!o || o > r->n_objects || s->buffered || rec_step_forwarded(s))
		return M_NONE; /* only its own thread sees a buffer */
	if (s->kind == EV_THREAD_JOIN && s->result == EDEADLK)
		return M_POKE; /* the result depends on the other thread's pending operation */
	if (s->kind == EV_LOAD || rec_step_failed(s))
		return M_READ;
	if (k == 1)
		return second_mode(r, s);
	switch ((int)s->kind) {
	case EV_THREAD_EXIT:
	case EV_MUTEX_UNLOCK:
	case EV_SPIN_UNLOCK:
	case EV_RW_WRUNLOCK:
	case EV_ONCE_DONE:
	case EV_ONCE_ABORT:
	case EV_FD_WRITE:
		return M_REL;
	case EV_THREAD_JOIN:
	case EV_THREAD_TRYJOIN:
	case EV_MUTEX_LOCK:
	case EV_MUTEX_TRYLOCK:
	case EV_SPIN_LOCK:
	case EV_SPIN_TRYLOCK:
	case EV_RW_WRLOCK:
	case EV_RW_TRYWRLOCK:
	case EV_COND_RELOCK:
	case EV_FD_READ:
	case EV_PROCESS_WAIT:
		return M_ACQ;
	case EV_RW_RDLOCK:
	case EV_RW_TRYRDLOCK:
		return M_RDACQ;
	case EV_RW_RDUNLOCK:
		return M_RDREL;
	case EV_SEM_POST:
		return M_SEND;
	case EV_SEM_WAIT:
	case EV_SEM_TRYWAIT:
		return s->result ? M_READ : M_RECV;
	case EV_SEM_GETVALUE:
	case EV_FD_POLL:
	case EV_SIGNAL_HANDLER:
	case EV_SIGNAL_WAIT:
		return M_READ;
	case EV_THREAD_CANCELLED: /* cancelled in a wait, or elsewhere */
		return r->objects[o - 1].kind == OBJ_THREAD ? M_READ : M_DEQ;
	case EV_ONCE_ENTER:
		return s->result ? M_ACQ : M_READ; /* whether this thread runs the initialization */
	case EV_BARRIER_ARRIVE:
		return s->result == -1 ? M_LAST : M_ARRIVE;
	case EV_BARRIER_PASS:
		return M_PASS;
	case EV_COND_WAIT:
	case EV_FUTEX_WAIT:
		return M_ENQ;
	case EV_COND_SIGNAL:
	case EV_COND_BROADCAST:
	case EV_FUTEX_WAKE:
		return M_SIG;
	case EV_COND_WAKE:
	case EV_COND_WOKEN:
	case EV_FUTEX_WOKEN:
		return M_TAKE;
	case EV_COND_TIMEOUT:
	case EV_COND_SPURIOUS:
	case EV_FUTEX_TIMEOUT:
		return M_DEQ;
	case EV_SIGNAL_SEND:
	case EV_THREAD_CANCEL:
		return M_POKE;
	default:
		return M_WRITE;
	}
}
