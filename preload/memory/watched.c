#include "preload/memory/watched.h"

#include "preload/base/access.h"
#include "preload/base/state.h"
#include "preload/base/thread.h"
#include "preload/failure/stack.h"
#include "preload/memory/data_races.h"
#include "preload/base/rules.h"

#define ACCESSES 256 /* kept of one phase; later ones are left out */

/* Private memory: each execution begins with the values at the checkpoint. */
static struct {
	unsigned step;
	uint64_t locks; /* that the running step holds */
	uint32_t n;
	struct watched_access access[ACCESSES];
} record;

/* ---- the words ---- */

static struct session_races *races(void)
{
	return ctl_segment(ctl_session->layout.races_off);
}

void watched_add(uint64_t word)
{
	session_watch(races(), word);
}

/* ---- the accesses ---- */

void watched_forget(void)
{
	record.n = 0;
}

void watched_step(unsigned step, uint64_t locks)
{
	record.step = step;
	record.locks = locks;
}

void watched_locks(uint64_t locks)
{
	record.locks = locks;
}

void watched_drop(unsigned step)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < record.n; i++)
		if (record.access[i].step != step)
			record.access[n++] = record.access[i];
	record.n = n;
}

/* Returns whether the step has made such an access before, with no other locks than now. */
static bool recorded(uint64_t word, unsigned bytes, bool write)
{
	for (uint32_t i = 0; i < record.n; i++) {
		const struct watched_access *a = &record.access[i];
		if (a->step == record.step && a->word == word && a->write == write && !(bytes & ~a->bytes) &&
			!(a->locks & ~record.locks))
			return true;
	}
	return false;
}

bool watched_lacks(uint64_t word, unsigned bytes, bool write)
{
	struct session_races *r = races();
	return r->watched && r->watched_word[session_watched_slot(r, word)] && !recorded(word, bytes, write);
}

void watched_record(const struct mem_access *a, uint64_t word, unsigned bytes, bool write)
{
	struct fiber *me = fiber_cur;
	const struct mem_regs *before = me->access;
	if (record.n == ACCESSES) {
		races_miss(RACES_FULL);
		return;
	}
	struct watched_access *w = &record.access[record.n++];
	*w = (struct watched_access){
		.word = word,
		.bytes = (uint8_t)bytes,
		.write = write,
		.addr = a->addr,
		.size = a->size,
		.flags = a->flags,
		.step = (uint8_t)record.step,
		.locks = record.locks,
	};
	me->access = a->regs;
	w->n = (uint8_t)stack_here(w->pc, WATCHED_FRAMES);
	me->access = before;
}

void watched_conflicts(unsigned a, unsigned b,
	void (*f)(const struct watched_access *of_a, const struct watched_access *of_b))
{
	for (uint32_t i = 0; i < record.n; i++)
		for (uint32_t k = 0; record.access[i].step == a && k < record.n; k++) {
			const struct watched_access *x = &record.access[i], *y = &record.access[k];
			if (y->step == b && x->word == y->word && (x->bytes & y->bytes) && (x->write || y->write) &&
				!(x->flags & y->flags & MEM_ATOMIC) && !(x->locks & y->locks))
				f(x, y);
		}
}
