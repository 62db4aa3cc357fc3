/*
 * flockfile and its variants: a reader-writer lock of the model for each stream, which flockfile takes for writing. It
 * is recursive. The hooks do not lock the stream itself. Otherwise a thread that prints would wait for that lock in the
 * kernel, which would stop all fibers.
 *
 * Each other call on a stream (printf, fputs, ...) holds the stream's own lock, too. It takes the model's lock for
 * reading, because the order of such calls among each other has no effect; what they do to the file is an event of its
 * own. But that is only necessary if threads use flockfile on this stream. The byte STREAM_LOCK is for that: flockfile
 * writes it when it has the lock, and funlockfile before it gives the lock up; the other calls read it. Once the byte
 * is visible, the events are those of the lock.
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
#define HELD 256u
static struct {
	const void *stream;
	uint32_t thread, depth;
} held[HELD];
static uint32_t most; /* places of the table that were used */

static void note_lock(const void *stream)
{
	unsigned i = 0;

	while (i < HELD && held[i].depth && held[i].stream != stream)
		i++;
	if (i == HELD)
		ctl_refuse("threads hold more than 256 streams by flockfile at one time");
	if (i == most)
		most++;
	held[i].stream = stream;
	held[i].thread = fiber_cur->id;
	held[i].depth++;
}

/* Returns the place of a stream that a thread holds; NULL: none does. */
static uint32_t *depth_of(const void *stream, bool by_another)
{
	for (unsigned i = 0; i < most; i++)
		if (held[i].depth && held[i].stream == stream)
			return (held[i].thread != fiber_cur->id) == by_another ? &held[i].depth : NULL;
	return NULL;
}

bool stream_is_mine(const void *stream)
{
	return depth_of(stream, false);
}

/* Returns whether calls on the stream must take its lock, since threads use flockfile. */
static bool contended(const FILE *f)
{
	return libc_stream_visible((uint64_t)f, STREAM_LOCK);
}

/* Reports that the lock of the stream changes. Not inside simul. */
static void changes(const FILE *f, const void *pc)
{
	if (!contended(f))
		libc_touch_stream((uint64_t)f, STREAM_LOCK, MEM_READ | MEM_WRITE | MEM_ATOMIC, (uintptr_t)pc);
}

static struct op stream_op(enum event_kind kind, FILE *f, const void *pc)
{
	struct op op = ctl_op(kind, pc);

	op.obj[0] = ctl_object(OBJ_RWLOCK, f);
	op.type = RWLOCK_PREFERS_READERS;
	return op;
}

/* Takes the lock once more if the thread has it. */
static bool again(const FILE *f)
{
	uint32_t *depth = depth_of(f, false);

	if (depth)
		++*depth;
	return depth;
}

static void lock(FILE *f, const void *pc)
{
	if (!ctl_enter()) {
		real_flockfile(f);
		return;
	}
	if (again(f)) {
		ctl_leave();
		return;
	}
	struct op op = stream_op(EV_RW_WRLOCK, f, pc);

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
	if (again(f)) {
		ctl_leave();
		return 0;
	}
	struct op op = stream_op(EV_RW_TRYWRLOCK, f, pc);
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
	uint32_t *depth = depth_of(f, false);

	if (depth && *depth > 1) {
		--*depth;
		return;
	}
	changes(f, pc);
	if (!ctl_enter()) {
		real_funlockfile(f);
		return;
	}
	struct op op = stream_op(EV_RW_WRUNLOCK, f, pc);

	if (depth)
		*depth = 0;
	ctl_perform(&op);
	ctl_leave();
}

static void share(enum event_kind kind, FILE *f, const void *pc)
{
	struct op op = stream_op(kind, f, pc);

	ctl_perform(&op);
	ctl_leave();
}

bool stream_share(FILE *f, const void *pc)
{
	if (stream_is_mine(f))
		return false;
	if (!contended(f)) {
		libc_touch_stream((uint64_t)f, STREAM_LOCK, MEM_READ | MEM_ATOMIC, (uintptr_t)pc);
		if (!depth_of(f, true))
			return false;
	}
	if (!ctl_enter_event())
		return false;
	share(EV_RW_RDLOCK, f, pc);
	return true;
}

void stream_release(FILE *f, const void *pc)
{
	if (ctl_enter_event())
		share(EV_RW_RDUNLOCK, f, pc);
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
