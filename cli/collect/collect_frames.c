#include "cli/collect/collect_frames.h"

/* Finds the thread whose stack contains addr: the one whose stack ends at the lowest address above it. Returns NO_THREAD if there is none.
   *hi becomes the end of the stack. */
static thread_id owner_of(const struct collecting *c, uint64_t addr, uint64_t *hi)
{
	thread_id owner = NO_THREAD;
	struct session_thread t;

	for (uint32_t i = 0; i < c->e->threads; i++) {
		segment_thread(c->in->seg, (thread_id)i, &t);
		if (t.stack_hi > addr && (owner == NO_THREAD || t.stack_hi < *hi)) {
			owner = (thread_id)i;
			*hi = t.stack_hi;
		}
	}
	return owner;
}

/* Gets the thread's frames at the step. The stack of an event was taken when the thread announced it, so a thread that waits has the stack of
   its next event. */
static void frames_at(const struct collecting *c, thread_id thread, uint32_t step, struct session_frames *out)
{
	struct session_thread t;

	for (; step < c->e->n; step++)
		if (event_owner(&c->e->events[step]) == thread) {
			segment_frames(c->in->seg, step, out);
			return;
		}
	segment_thread(c->in->seg, thread, &t);
	*out = t.frames;
}

struct symbols_frame frames_find(const struct session_frames *f, uint64_t hi, uint64_t addr)
{
	for (uint32_t i = 0; i < f->stack.n && f->above[i]; i++) /* an unknown end hides which frame comes next */
		if (addr < hi - f->above[i])
			return (struct symbols_frame){f->stack.pc[i], hi - f->above[i]};
	return (struct symbols_frame){0};
}

struct symbols_frame collect_frame(const struct collecting *c, uint32_t step, uint64_t addr)
{
	struct session_frames f;
	uint64_t hi = 0;
	thread_id owner = owner_of(c, addr, &hi);

	if (owner == NO_THREAD)
		return (struct symbols_frame){0};
	frames_at(c, owner, step, &f);
	return frames_find(&f, hi, addr);
}
