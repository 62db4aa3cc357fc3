/*
 * flockfile and its variants: a recursive mutex of the model for each stream. The hooks do not lock the stream itself. Otherwise a thread
 * that prints would wait for that lock in the kernel, which would stop all fibers.
 *
 * Other calls on the stream (printf, fputs, ...) wait while another thread holds it (stream_await). They are no events of this mutex: their order
 * among each other has no effect. The byte STREAM_LOCK stands for the lock instead. flockfile writes it when it has the lock, and funlockfile before it
 * gives the lock up; the other calls read it. So that what they find depends on nothing else, the lock is noted right
 * after these events.
 */
#include "preload/accesses/libc_state.h"
#include "preload/accesses/mem.h"
#include "preload/control/ctl.h"
#include "preload/base/real.h"
#include "preload/control/fiber.h"
#include "preload/hooks/stdio_lock.h"
#include "preload/hooks/sync.h"

#include "preload/base/rules.h"

/* Which thread holds which stream. */
static struct {
	const void *stream;
	uint32_t thread, depth;
} held[16];
static uint32_t not_noted; /* number of held locks for which the table had no room */

static void note_lock(const void *stream)
{
	unsigned i = 0;

	while (i < 16 && held[i].depth && held[i].stream != stream)
		i++;
	if (i == 16) {
		not_noted++;
		return;
	}
	held[i].stream = stream;
	held[i].thread = fiber_cur->id;
	held[i].depth++;
}

static void note_unlock(const void *stream)
{
	for (unsigned i = 0; i < 16; i++)
		if (held[i].depth && held[i].stream == stream) {
			held[i].depth--;
			return;
		}
	not_noted -= not_noted > 0;
}

bool stream_is_mine(const void *stream)
{
	for (unsigned i = 0; i < 16; i++)
		if (held[i].depth && held[i].stream == stream)
			return held[i].thread == fiber_cur->id;
	return not_noted > 0;
}

static bool held_by_another(const void *stream)
{
	for (unsigned i = 0; i < 16; i++)
		if (held[i].depth && held[i].stream == stream)
			return held[i].thread != fiber_cur->id;
	return false;
}

/* Reports that the lock of the stream changes. Not inside simul. */
static void changes(const FILE *f, const void *pc)
{
	libc_touch_stream((uint64_t)f, STREAM_LOCK, MEM_READ | MEM_WRITE | MEM_ATOMIC, (uintptr_t)pc);
}

static struct op stream_op(enum event_kind kind, FILE *f, const void *pc)
{
	struct op op = ctl_op(kind, pc);

	op.obj[0] = ctl_object(OBJ_MUTEX, f);
	op.type = MUTEX_RECURSIVE;
	return op;
}

static void lock(FILE *f, const void *pc)
{
	if (!ctl_enter()) {
		real_flockfile(f);
		return;
	}
	struct op op = stream_op(EV_MUTEX_LOCK, f, pc);

	ctl_perform(&op);
	ctl_leave();
	changes(f, pc);
	note_lock(f);
}

/* Returns 0, or nonzero when another thread holds the stream. */
static int trylock(FILE *f, const void *pc)
{
	if (!ctl_enter())
		return real_ftrylockfile(f);
	struct op op = stream_op(EV_MUTEX_TRYLOCK, f, pc);
	int r = (int)ctl_perform(&op);

	ctl_leave();
	if (!r) {
		changes(f, pc);
		note_lock(f);
	}
	return r;
}

static void unlock(FILE *f, const void *pc)
{
	changes(f, pc);
	if (!ctl_enter()) {
		real_funlockfile(f);
		return;
	}
	struct op op = stream_op(EV_MUTEX_UNLOCK, f, pc);

	note_unlock(f);
	ctl_perform(&op);
	ctl_leave();
}

void stream_await(FILE *f, const void *pc)
{
	if (!held_by_another(f) || !ctl_enter_event())
		return;
	struct op op = stream_op(EV_MUTEX_LOCK, f, pc);

	ctl_perform(&op);
	op = stream_op(EV_MUTEX_UNLOCK, f, pc);
	ctl_perform(&op);
	ctl_leave();
}

void flockfile(FILE *f)
{
	lock(f, HERE);
}

int ftrylockfile(FILE *f)
{
	return trylock(f, HERE);
}

void funlockfile(FILE *f)
{
	unlock(f, HERE);
}

void _IO_flockfile(FILE *f)
{
	lock(f, HERE);
}

int _IO_ftrylockfile(FILE *f)
{
	return trylock(f, HERE);
}

void _IO_funlockfile(FILE *f)
{
	unlock(f, HERE);
}
