/* Random programs of lib_rc11.h with calls of the library. */
#include "tests/unit/lib_rc11.h"

#include <string.h>

#include "base/hash.h"

#define MUTEX 4 /* the first one, a place */
/* Items of a program, besides those that add_item has by number. */
enum {
	FUTEX_WAIT = 14,
	FUTEX_WAKE,
	WORD_ACCESS
};

static uint64_t seed_state;

static unsigned draw(unsigned n)
{
	seed_state += 0x9E3779B97F4A7C15ull;
	return (unsigned)(splitmix_output(seed_state) % n);
}

static struct rc_line line_of(enum rc_what what, int place)
{
	struct rc_line l = {.what = what, .reg = -1, .place = place, .cond = -1, .value.reg = -1, .expected.reg = -1};
	return l;
}

static struct rc_line call_of(enum rc_call call, int object)
{
	struct rc_line l = line_of(RC_CALL, object);
	l.call = call;
	return l;
}

/* Adds a line; false when there is no room. */
static bool add(struct rc_program *p, unsigned t, struct rc_line l)
{
	if (p->length[t] == RC_LENGTH)
		return false;
	p->line[t][p->length[t]++] = l;
	return true;
}

/* A load or store; most are relaxed. */
static struct rc_line access(unsigned *regs)
{
	struct rc_line l = line_of(draw(2) ? RC_LOAD : RC_STORE, (int)draw(2));
	if (!draw(3))
		l.order = l.what == RC_LOAD ? RC11_ACQUIRE : RC11_RELEASE;
	if (!draw(6))
		l.order = RC11_SEQ_CST;
	l.value.constant = 1 + (int)draw(2);
	if (l.what == RC_LOAD)
		l.reg = (int)(*regs)++;
	return l;
}

/* A section between two lines, with at most one access. If `tries`, the rest of it depends on what the first line
   found. */
static void add_section(
	struct rc_program *p, unsigned t, struct rc_line first, struct rc_line last, bool tries, unsigned *regs)
{
	if (p->length[t] + 3 > RC_LENGTH || *regs + 2 > RC_REGS)
		return;
	if (tries) {
		first.reg = last.cond = (int)(*regs)++;
		first.timed = first.call == RC_CLAIM || !draw(3);
	}
	add(p, t, first);
	if (draw(2)) {
		struct rc_line l = access(regs);
		l.cond = last.cond;
		add(p, t, l);
	}
	add(p, t, last);
}

static void add_wait(struct rc_program *p, unsigned t, int mutex, unsigned *regs)
{
	struct rc_line wait = call_of(RC_WAIT, RC_COND);
	if (p->length[t] + 3 > RC_LENGTH)
		return;
	wait.other = mutex;
	wait.timed = draw(2);
	if (wait.timed && *regs < RC_REGS)
		wait.reg = (int)(*regs)++;
	add(p, t, line_of(RC_LOCK, mutex));
	add(p, t, wait);
	add(p, t, line_of(RC_UNLOCK, mutex));
}

static void add_signal(struct rc_program *p, unsigned t, int mutex)
{
	struct rc_line signal = call_of(draw(3) ? RC_SIGNAL : RC_BROADCAST, RC_COND);
	bool locked = draw(2);
	if (p->length[t] + 3 > RC_LENGTH)
		return;
	if (locked)
		add(p, t, line_of(RC_LOCK, mutex));
	add(p, t, signal);
	if (locked)
		add(p, t, line_of(RC_UNLOCK, mutex));
}

static void add_try(struct rc_program *p, unsigned t, unsigned *regs)
{
	struct rc_line l = call_of(RC_SEMTRY, RC_SEM);
	if (*regs < RC_REGS)
		l.reg = (int)(*regs)++;
	l.timed = !draw(3);
	add(p, t, l);
}

/* The latest access of the word that a thread makes is often what others wait for. */
static struct rc_line word_access(unsigned *regs)
{
	static const enum rc_what kinds[] = {RC_LOAD, RC_STORE, RC_UPDATE, RC_CAS};
	struct rc_line l = line_of(kinds[draw(4)], RC_WORD);
	if (draw(2))
		l.order = l.what == RC_LOAD ? RC11_ACQUIRE : RC11_RELEASE;
	if (!draw(4))
		l.order = RC11_SEQ_CST;
	l.update = draw(2) ? RC11_EXCHANGE : RC11_ADD;
	l.value.constant = (int)draw(3);
	if (l.what != RC_STORE)
		l.reg = (int)(*regs)++;
	return l;
}

static void add_futex(struct rc_program *p, unsigned t, bool waits, unsigned *regs)
{
	struct rc_line l = call_of(waits ? RC_FUTEX_WAIT : RC_FUTEX_WAKE, RC_FUTEX);
	l.timed = waits && !draw(3);
	if (waits && draw(2) && *regs < RC_REGS)
		l.reg = (int)(*regs)++;
	add(p, t, l);
}

static void add_item(struct rc_program *p, unsigned t, unsigned what, unsigned *regs)
{
	int mutex = MUTEX + (int)draw(2);
	switch (what) {
	case 0:
		add_section(p, t, line_of(RC_LOCK, mutex), line_of(RC_UNLOCK, mutex), false, regs);
		break;
	case 1:
		add_section(p, t, call_of(RC_TRYLOCK, mutex), line_of(RC_UNLOCK, mutex), true, regs);
		break;
	case 2:
		add_wait(p, t, mutex, regs);
		break;
	case 3:
		add_signal(p, t, mutex);
		break;
	case 4:
		add(p, t, call_of(draw(2) ? RC_POST : RC_SEMWAIT, RC_SEM));
		break;
	case 5:
		add_try(p, t, regs);
		break;
	case 6:
		add_section(p, t, call_of(RC_RDLOCK, RC_RWLOCK), call_of(RC_RDUNLOCK, RC_RWLOCK), false, regs);
		break;
	case 7:
		add_section(p, t, call_of(draw(3) ? RC_WRLOCK : RC_CLAIM, RC_RWLOCK), call_of(RC_WRUNLOCK, RC_RWLOCK),
			false, regs);
		break;
	case 8:
		if (!draw(3))
			add_section(p, t, call_of(RC_CLAIM, RC_RWLOCK), call_of(RC_WRUNLOCK, RC_RWLOCK), true, regs);
		else if (draw(2))
			add_section(p, t, call_of(RC_TRYRD, RC_RWLOCK), call_of(RC_RDUNLOCK, RC_RWLOCK), true, regs);
		else
			add_section(p, t, call_of(RC_TRYWR, RC_RWLOCK), call_of(RC_WRUNLOCK, RC_RWLOCK), true, regs);
		break;
	case 9:
		add(p, t, call_of(RC_BARRIER, RC_BARRIERS));
		break;
	case 10:
		add(p, t, call_of(RC_ONCE, RC_ONCES));
		break;
	case FUTEX_WAIT:
	case FUTEX_WAKE:
		add_futex(p, t, what == FUTEX_WAIT, regs);
		break;
	case WORD_ACCESS:
		if (*regs < RC_REGS)
			add(p, t, word_access(regs));
		break;
	default:
		if (*regs < RC_REGS)
			add(p, t, access(regs));
	}
}

void rc_draw_futex(struct rc_program *p, uint64_t *state)
{
	static const uint8_t items[] = {FUTEX_WAIT, FUTEX_WAKE, WORD_ACCESS, WORD_ACCESS, WORD_ACCESS, 11};
	seed_state = *state;
	memset(p, 0, sizeof *p);
	p->calls = p->futex = true;
	p->threads = 2 + draw(2);
	p->places = RC_PLACES;
	unsigned total = p->threads + 1 + draw(4), regs[RC_THREADS] = {0};
	for (unsigned i = 0; i < total; i++) {
		unsigned t = i < p->threads ? i : draw(p->threads);
		/* one thread waits at once, so that each search finds out about the word */
		add_item(p, t, i ? items[draw(6)] : FUTEX_WAIT, &regs[t]);
		if (!draw(8) && p->length[t] < RC_LENGTH) {
			struct rc_line fence = line_of(RC_FENCE, -1);
			static const enum rc11_order orders[] = {RC11_ACQUIRE, RC11_RELEASE, RC11_SEQ_CST};
			fence.order = orders[draw(3)];
			add(p, t, fence);
		}
	}
	*state = seed_state;
}

void rc_draw_calls(struct rc_program *p, uint64_t *state)
{
	/* kinds of calls that belong together; more than 10 is an access */
	static const uint8_t group[][4] = {{0, 1, 11, 11}, {0, 2, 3, 11}, {2, 3, 3, 11}, {4, 5, 11, 11}, {6, 7, 11, 8},
		{9, 11, 11, 0}, {10, 11, 0, 11}, {9, 4, 5, 11}};
	seed_state = *state;
	memset(p, 0, sizeof *p);
	p->calls = true;
	p->threads = 2 + draw(2);
	p->places = RC_PLACES;
	unsigned kind = draw(9), total = p->threads + 1 + draw(3);
	unsigned regs[RC_THREADS] = {0};
	for (unsigned i = 0; i < total; i++) {
		unsigned t = i < p->threads ? i : draw(p->threads);
		add_item(p, t, kind < 8 && draw(6) ? group[kind][draw(4)] : draw(14), &regs[t]);
	}
	*state = seed_state;
}
