/* See handlers.h. */
#include "cli/certify/handlers.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/xalloc.h"
#include "cli/certify/supported.h"

static void refuse(const char *what, const char *place, char *why, size_t size)
{
	if (!why[0])
		snprintf(why, size, "cannot be enforced yet: %s%s, among the events whose order must be kept", what,
			place);
}

static void refuse_step(const struct handlers *h, uint32_t i, const char *what, char *why, size_t size)
{
	char place[1024];

	supported_place(rec_stack_user_frame(&h->recording->steps[i].stack), place, sizeof(place));
	refuse(what, place, why, size);
}

/* Returns one more than the index of the last event of the execution that is in the prefix. */
static uint32_t end_of_prefix(const struct partial_order *o)
{
	uint32_t end = 0;

	for (uint32_t i = 0; i < o->certified; i++)
		if (o->event[i].place >= end)
			end = o->event[i].place + 1;
	return end;
}

/* Returns the kind of the k-th object of event i. */
static unsigned object_kind(const struct handlers *h, uint32_t i, unsigned k)
{
	object_id id = h->recording->steps[i].obj[k];

	return id ? h->recording->objects[id - 1].kind : OBJ_NONE;
}

/* Returns whether handler i begins just before or during a call that is no event, or may wait for something else than
   a semaphore: there the thread does not come to a hook of the library. */
static bool at_wait(const struct handlers *h, uint32_t i)
{
	unsigned first = object_kind(h, i, 0), second = object_kind(h, i, 1);

	if (first == OBJ_SEM)
		return second != OBJ_NONE && second != OBJ_THREAD;
	return h->event[i].alt != ALT_SIGNAL || h->event[i].mode[0] == M_DEQ || second != OBJ_NONE ||
	       (first != OBJ_NONE && first != OBJ_THREAD);
}

/* Returns whether the handler interrupts an operation that gives way. The certificate leaves that out. The thread's
   next event at that place in the code is the operation. */
static bool at_yield(const struct handlers *h, uint32_t i)
{
	const struct event *e = &h->event[i];

	for (uint32_t j = i + 1; j < h->n && e->pc; j++)
		if (h->event[j].thread == e->thread && h->event[j].pc == e->pc)
			return event_kind_flags(h->event[j].kind) & K_GIVES_WAY || h->event[j].kind == EV_GIVE_WAY;
	return false;
}

static void check_event(const struct handlers *h, uint32_t i, uint32_t sent, char *why, size_t size)
{
	static const char blocks[] = "a thread that was sent a signal blocks one, or removes a handler",
		raises[] = "a thread that was sent a signal raises one, or handles one right after another or when it "
			"unblocks it";
	const struct event *e = &h->event[i];

	if (e->kind == EV_SIGNAL_MASK && sent < i)
		refuse_step(h, i, e->pc ? blocks : raises, why, size);
	if (e->kind != EV_SIGNAL_HANDLER)
		return;
	if (sent >= i)
		refuse_step(h, i, "a handler of a signal that no other thread has sent", why, size);
	else if (at_wait(h, i))
		refuse_step(h, i, "a signal handler at a call that may wait", why, size);
	else if (at_yield(h, i))
		refuse_step(h, i, "a signal handler at a call that gives way (sched_yield)", why, size);
}

void handlers_check(const struct handlers *h, char *why, size_t size)
{
	static const char *const words[HANDLER_ODDITIES] = {
		[HANDLER_INTERRUPTS] = "a signal handler that interrupts a call",
		[HANDLER_JUMPS] = "a signal handler that leaves by longjmp",
		[HANDLER_EXITS] = "a signal handler that ends its thread",
	};
	uint32_t end = end_of_prefix(h->order), *sent = xcalloc(MAX_THREADS, sizeof(*sent));
	char place[1024];

	for (unsigned k = 0; k < HANDLER_ODDITIES; k++) {
		if (!h->sensors->handler[k].at || h->sensors->handler[k].at > end)
			continue;
		supported_place_of(h->maps, h->sensors->handler[k].place, place, sizeof(place));
		refuse(words[k], place, why, size);
	}
	for (thread_id t = 0; t < MAX_THREADS; t++)
		sent[t] = UINT32_MAX;
	for (uint32_t i = 0; i < end && i < h->n; i++) {
		const struct event *e = &h->event[i];

		if (e->thread < MAX_THREADS)
			check_event(h, i, sent[e->thread], why, size);
		if (e->kind == EV_SIGNAL_SEND && event_poked(e) < MAX_THREADS && sent[event_poked(e)] == UINT32_MAX)
			sent[event_poked(e)] = i;
	}
	free(sent);
}

/* Returns whether the bytes lie on the stack of the thread. */
static bool on_stack(const struct cert_range *r, uint32_t thread)
{
	return r->module == HEAP_MODULE && STACK_TOP(thread) - r->offset - 1 < STACK_BYTES;
}

void handlers_check_stacks(const struct certificate *c, char *why, size_t size)
{
	for (uint32_t i = 0; i < c->certified && !why[0]; i++) {
		const struct cert_event *e = &c->events[i];
		char path[256], what[512];

		for (size_t k = 0; e->kind == EV_SIGNAL_HANDLER && k < c->n_shared; k++) {
			if (!on_stack(&c->shared[k], e->thread))
				continue;
			snprintf(what, sizeof(what), "shared memory on the stack of %s, which runs a signal handler",
				certificate_path(c, e->thread, path, sizeof(path)));
			refuse(what, "", why, size);
			return;
		}
	}
}
