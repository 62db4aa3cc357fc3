/* Reads that repeat; see repeat.h. */
#include "preload/memory/repeat.h"

#include <string.h>

#include "explore/explore.h"
#include "preload/base/operations.h"
#include "preload/base/running.h"
#include "preload/base/state.h"
#include "preload/base/thread.h"
#include "preload/memory/note.h"
#include "preload/memory/spin_state.h"
#include "sched/memory.h"
#include "sched/repeats.h"
#include "preload/base/rules.h"

#define MOST_LEFT_OUT 1000 /* a loop with more turns than this does not give up soon */
#define EACH_TURN 16       /* the checks try each of the first turns, then every second, fourth, eighth ... */
#define MOST_TURNS 1024
#define FEW_TURNS 2        /* after the first such check of an instruction */
#define UNLIKE 2           /* this many repetitions in a row, each in another state, show that a loop counts */

/* The latest event of a thread, if it is a read (fiber.read_pc), and what followed it. */
struct spell {
	uint64_t addr, size;
	uint64_t access_pc;      /* the pc of struct mem_access */
	uint64_t coming;   /* state before the announced read */
	uint64_t state;    /* state before the latest read that was an event; 0: unknown */
	uint64_t writes;   /* value of mem_writes after that read */
	uint32_t found;
	uint32_t left_out; /* reads since the latest event that were left out */
	uint32_t unlike;   /* repetitions in a row in another state than the one before */
};

static struct spell *spells[MAX_THREADS];

static struct await_table *table(void)
{
	return ctl_segment(ctl_session->layout.await_off);
}

static const struct memory_table *memory(void)
{
	return ctl_segment(ctl_session->layout.memory_off);
}

static struct spell *mine(void)
{
	struct spell **s = &spells[fiber_cur->id];
	if (!*s)
		*s = ctl_alloc(sizeof **s);
	return *s;
}

bool repeat_allowed(void)
{
	const struct session_config *c = &ctl_session->config;
	return c->settings.threads == THREADS_FIBER && c->settings.model == MODEL_SC && !c->certify && c->settings.known_locks &&
	       (c->mode != MODE_EXPLORE || !explore_samples(c->strategy));
}

/* Returns whether op is the read of the spell again, and the thread has written to nothing but its stack since. */
static bool is_again(const struct spell *s, const struct op *op)
{
	return fiber_cur->read_pc && op->kind == EV_LOAD && op->pc == fiber_cur->read_pc && op->arg[0] == s->addr && op->arg[1] == s->size && mem_writes == s->writes;
}

static bool leaves_out(uint64_t pc)
{
	return repeat_allowed() && repeats_left_out(table(), pc, ctl_session->ctl.execution.begun_nodes);
}

/* Records that a turn led to this state. */
static void note_turn(const struct spell *s, uint64_t to)
{
	if (s->state && to && repeats_seen(table(), fiber_cur->read_pc))
		repeats_check(table(), fiber_cur->read_pc, s->state, to);
}

/* Returns whether the state before the second turn differs from the one before the first, so that the loop counts. If it does not, the
   thread spins without an end (sched/await.h). */
static bool counts(const struct spell *s, const struct mem_access *a, const struct op *op)
{
	struct spin_stack stack;
	uint64_t state = s->left_out ? 0 : spin_state(a, op, memory(), table(), &stack);
	note_turn(s, state);
	return s->left_out || state != s->state;
}

bool repeat_looks(const struct mem_access *a, const struct op *op)
{
	struct spell *s = mine();
	if (!is_again(s, op) || !s->state || !leaves_out(fiber_cur->read_pc) || !counts(s, a, op))
		return false;
	if (++s->left_out > MOST_LEFT_OUT) {
		repeats_refuse(table(), fiber_cur->read_pc);
		return false;
	}
	return true;
}

void repeat_read_announced(const struct mem_access *a, const struct op *op)
{
	struct spell *s = mine();
	bool again = is_again(s, op);
	if (again)
		note_turn(s, op->state);
	s->unlike = again && op->state && s->state && op->state != s->state ? s->unlike + 1 : 0;
	if (s->unlike >= UNLIKE && repeat_allowed())
		repeats_see(table(), op->pc);
	s->coming = op->arg[1] <= sizeof(uint64_t) ? op->state : 0;
	s->access_pc = a->pc;
	fiber_cur->read_pc = again ? fiber_cur->read_pc : 0;
}

/* ---- whether it matters at which turn the thread leaves ---- */

/* Tries whether the thread does the same when it finds q->leaving after some turns as when it finds it at the first one, which was tried just
   before. Returns true in the fork. */
static bool compare(struct what_if *q, const struct spell *s)
{
	uint32_t most = repeats_checked(table(), fiber_cur->read_pc) ? FEW_TURNS : MOST_TURNS;
	for (q->turns = 1; q->turns <= most; q->turns = q->turns < EACH_TURN ? q->turns + 1 : 2 * q->turns) {
		enum what_if_result r = operations.what_if(q);
		if (r == WHAT_IF_CHILD)
			return true;
		if (r == WHAT_IF_GIVES_UP && q->turns > 1)
			break;
		if (r != WHAT_IF_LEAVES) {
			repeats_refuse(table(), fiber_cur->read_pc);
			return false;
		}
	}
	repeats_note_checked(table(), fiber_cur->read_pc);
	return false;
}

/* Compares all pairs of the value and others that were found in the spell's state. Returns true in the fork. */
static bool compare_all(struct what_if *q, const struct spell *s, uint64_t value, bool stays)
{
	const struct await_found *f;
	for (uint32_t i = 0; (f = repeats_value(table(), s->state, i)); i++) {
		if (f->stays == stays)
			continue;
		q->staying = stays ? value : f->value;
		q->leaving = stays ? f->value : value;
		q->turns = 0;
		if (stays && operations.what_if(q) == WHAT_IF_CHILD)
			return true;
		if (compare(q, s))
			return true;
	}
	return false;
}

/* The thread is about to read the value in this state. If it never did so before, finds out whether it stays in the loop then, and whether
   it matters for others when it finds them. */
static void examine(const struct spell *s)
{
	struct what_if q = { .pc = s->access_pc, .addr = s->addr, .size = s->size };
	const struct await_found *f;
	uint64_t value = 0;
	memcpy(&value, (const void *)s->addr, s->size);
	for (uint32_t i = 0; (f = repeats_value(table(), s->state, i)); i++)
		if (f->value == value)
			return;
	q.leaving = value;
	enum what_if_result r = operations.what_if(&q);
	if (r == WHAT_IF_CHILD)
		return;
	if (r == WHAT_IF_UNKNOWN) {
		repeats_refuse(table(), fiber_cur->read_pc);
		return;
	}
	if (!compare_all(&q, s, value, r == WHAT_IF_STAYS))
		repeats_add(table(), fiber_cur->read_pc, s->state, value, r == WHAT_IF_STAYS);
}

void repeat_read_performed(const struct op *op, uint32_t found, bool disturbed)
{
	struct spell *s = mine();
	s->unlike = fiber_cur->read_pc && found != s->found ? 0 : s->unlike;
	fiber_cur->read_pc = op->pc;
	s->addr = op->arg[0];
	s->size = op->arg[1];
	s->state = disturbed ? 0 : s->coming;
	s->writes = mem_writes;
	s->found = found;
	s->left_out = 0;
	if (fiber_cur->read_pc && s->state && ctl_session->config.mode == MODE_EXPLORE && leaves_out(fiber_cur->read_pc))
		examine(s);
}

void repeat_read_followed(const struct op *op)
{
	if (op->kind != EV_YIELD || mem_writes != mine()->writes)
		fiber_cur->read_pc = 0;
}

void repeat_back(void)
{
	if (fiber_cur->read_pc)
		mine()->writes = mem_writes;
}

bool repeat_yields(void)
{
	uint64_t pc = mem_on ? fiber_cur->read_pc : 0;
	return pc && mem_writes == mine()->writes && leaves_out(pc);
}
