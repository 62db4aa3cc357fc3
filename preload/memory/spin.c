/* Spin loops; see spin.h. */
#include "preload/memory/spin.h"

#include "preload/base/running.h"
#include "preload/base/safe_read.h"
#include "preload/base/state.h"
#include "preload/base/thread.h"
#include "preload/memory/note.h"

#include <string.h>

#include "base/hash.h"
#include "explore/explore.h"
#include "preload/memory/constants.h"
#include "preload/memory/lock_sites.h"
#include "preload/memory/repeat.h"
#include "preload/memory/shadow.h"
#include "preload/memory/spin_probe.h"
#include "preload/memory/spin_state.h"
#include "preload/memory/window.h"
#include "sched/await.h"
#include "sched/memory.h"
#include "preload/base/operations.h"
#include "preload/base/rules.h"

#define RECENT 16   /* this many of the latest accesses are compared */
#define CHAIN 48    /* most states of a chain */
#define READS 8     /* most ranges of other memory that a chain reads */
#define WATCHED 256 /* most accesses that are recorded after one event */
#define POLLS 50    /* this many yields in a row count as polling */
/* After this many budgets (mem_budget) without an event, about a million accesses, a thread gives way. Its accesses do not show whether it
   calculates, or waits and counts meanwhile. If it waits, other threads will access the memory that it reads. The number doubles as long as
   no other thread has made an event. */
#define PATIENCE 50
#define PATIENCE_MOST 6400

struct range {
	uint64_t addr, size;
};

/* A state of a thread at a place, and what it found there. */
struct link {
	struct await_node node;
	uint32_t found;
};

struct spin {
	/* the latest accesses since the thread last changed anything */
	struct {
		uint64_t pc, addr;
		uint32_t found;
	} recent[RECENT];
	uint32_t recents;
	struct link *chain; /* the states of these accesses at places, in succession; NULL: none so far */
	uint32_t links;
	bool announced;    /* the thread's operation is announced and not yet performed */
	uint32_t landing;  /* the node from which the thread has just left the known loops; 0: none */
	/* the following fields describe the operation that was performed last */
	bool change;       /* the operation may change the bytes that it found */
	uint64_t addr;
	uint32_t size, found;
	uint64_t writes;   /* value of mem_writes after the operation */
	uint32_t events;   /* value of ctl_trace.n after the operation; after later events another thread may have unmapped the memory */
	/* memory whose reads are no events, read since the chain began */
	struct range read[READS];
	uint32_t reads;
	bool blind;        /* some of these reads did not fit into the list */
	bool round;        /* the latest accesses found the same values again and again */
	uint64_t last_pc, last_addr; /* the latest access, even if the thread has written since */
	uint32_t last_found, same;   /* the value that this access found, and how often in a row */
	uint32_t watched;
	uint32_t idle;     /* yields and sleeps in a row */
	struct probe *probe; /* NULL: none so far */
	uint32_t probe_events; /* value of ctl_trace.n during the probe, since its accesses have no event between them */
	uint32_t budgets;  /* number of budgets used up since the last event */
	uint32_t patience; /* the thread gives way after this many budgets; 0: PATIENCE */
	uint32_t others;   /* number of events when the thread last gave way */
	/* for an operation that was announced with a state: the stack and the value of mem_writes at the announcement */
	struct spin_stack stack;
	uint64_t seen_writes;
};

static struct spin *spins[MAX_THREADS];
static uint32_t gave_way; /* number of EV_GIVE_WAY events in this execution */

static struct await_table *table(void)
{
	return ctl_segment(ctl_session->layout.await_off);
}

static struct memory_table *memory(void)
{
	return ctl_segment(ctl_session->layout.memory_off);
}

static struct spin *mine(void)
{
	struct spin **s = &spins[fiber_cur->id];
	if (!*s)
		*s = ctl_alloc(sizeof **s);
	return *s;
}

static void end_chain(struct spin *s)
{
	s->links = 0;
	s->reads = 0;
	s->blind = false;
}

static void forget(struct spin *s)
{
	end_chain(s);
	s->recents = 0;
	s->idle = 0;
	s->round = false;
}

/* Called when the thread has not followed the known edge from its latest state. Removes this edge, if there is one. */
static void leave_loop(struct spin *s)
{
	if (!s->links || s->announced)
		return;
	uint32_t from = await_find(table(), s->chain[s->links - 1].node.state);
	if (from && await_next(table(), from, s->chain[s->links - 1].found))
		await_break(table(), from, s->chain[s->links - 1].found);
}

/* Returns whether the thread has left memory unchanged since its last event. `writes`: the number of writes counted by mem_writes that
   belong to the coming operation. */
static bool unchanged(const struct spin *s, uint64_t writes)
{
	return mem_writes - writes == s->writes &&
	       (!s->change || (s->events == ctl_trace.n && memory_fingerprint((const void *)s->addr, s->size) == s->found));
}

/* Called when the chain has come back to a state. Returns whether the thread has read only visible bytes and its own stack in between. If
   not, makes the other bytes shared and ends the chain. */
static bool all_seen(struct spin *s)
{
	bool seen = !s->blind && !s->reads;
	for (uint32_t i = 0; i < s->reads; i++)
		shadow_share(s->read[i].addr, s->read[i].size);
	if (!seen)
		end_chain(s);
	return seen;
}

/* Makes all steps of the chain edges; the last one leads to `node`. */
static void add_edges(struct spin *s, const struct await_node *node)
{
	uint32_t to = await_node(table(), node);
	for (uint32_t i = s->links; i-- > 0;) {
		uint32_t from = await_node(table(), &s->chain[i].node);
		await_discover(table(), from, s->chain[i].found, to);
		to = from;
	}
}

/* Called when the thread comes from the last state of its chain to `node`. */
static void arrive(struct spin *s, const struct await_node *node)
{
	unsigned before = 0;
	uint32_t known = await_find(table(), node->state);
	uint32_t from = await_find(table(), s->chain[s->links - 1].node.state);
	uint32_t promised = from ? await_next(table(), from, s->chain[s->links - 1].found) : 0;
	if (promised && promised != known) {
		leave_loop(s);
		end_chain(s);
		return;
	}
	if (promised)
		return;
	for (uint32_t i = 0; i < s->links; i++)
		before += s->chain[i].node.state == node->state;
	if ((known || from || before >= 2) && all_seen(s))
		add_edges(s, node);
}

/* Makes the instructions of all recent accesses places. Returns true when one of them is new. */
static bool make_places(const struct spin *s)
{
	bool news = false;
	for (unsigned i = 0; i < RECENT && i < s->recents; i++)
		news |= await_add_place(table(), s->recent[i].pc);
	return news;
}

/* Called when the thread has left the known loops and has come to `state` (0: unknown). Its writes on the way count as part of the state. */
static void land(struct spin *s, uint64_t state)
{
	uint64_t wrote = hash_spread(memory_fingerprint((const void *)s->addr, s->size));
	struct await_node node = { .state = (state ^ wrote) | 1 };
	if (state)
		await_land(table(), s->landing, s->found, await_node(table(), &node));
	s->landing = 0;
}

/* Called when the thread is about to announce an operation at a place. */
static void note_place(struct spin *s, struct await_node *node)
{
	if (s->links)
		arrive(s, node);
	if (!s->chain)
		s->chain = ctl_alloc(CHAIN * sizeof *s->chain);
	if (s->links == CHAIN) /* no state was repeated: something changes in each iteration */
		end_chain(s);
	s->chain[s->links].node = *node;
	s->chain[s->links++].found = 0;
}

static bool is_rc11(void)
{
	return ctl_session->config.settings.model == MODEL_RC11;
}

/* Returns whether each execution graph is searched, and executions are no samples. */
static bool graphs_searched(void)
{
	const struct session_config *c = &ctl_session->config;
	return c->mode == MODE_EXPLORE && c->strategy == STRATEGY_GRAPHS &&
	       !explore_stats(ctl_segment(ctl_session->layout.explore_off))->graphs_left;
}

/* Returns whether nothing is recorded: waiting loops are not looked for where accesses that end them may be no events. */
static bool off(void)
{
	return !mem_on || window_used() || (is_rc11() && !graphs_searched());
}

/* Under RC11: the world looks for states that come again (sched/live.h). wrote: memory may differ from what it was
   after the thread's last event. */
static void announce_state(struct spin *s, const struct mem_access *a, bool wrote, struct op *op)
{
	op->wrote = wrote;
	if (wrote)
		forget(s);
	if (op->kind != EV_STORE && op->arg[1] == a->size && await_is_place(table(), op->pc))
		op->state = spin_state(a, op, memory(), table(), &s->stack);
	s->seen_writes = mem_writes;
	s->announced = true;
}

void spin_announce(const struct mem_access *a, struct op *op)
{
	if (off())
		return;
	struct spin *s = mine();
	bool nested = s->announced; /* a signal handler runs between the announcement of an operation and the operation */
	uint64_t own = (a->flags & MEM_WRITE) && !mem_on_own_stack(a->addr);
	bool wrote = nested || !unchanged(s, own);
	s->idle = s->budgets = s->patience = 0;
	s->stack.from = 0;
	if (is_rc11()) {
		announce_state(s, a, wrote, op);
		return;
	}
	if (!nested && s->landing)
		land(s, spin_state_landing(a, memory(), table()));
	if (wrote) {
		if (!nested)
			leave_loop(s);
		forget(s);
	}
	s->announced = true;
	op->state = lock_state(a, op);
	if (op->state) { /* not a place in a loop */
		s->announced = false;
		leave_loop(s);
		forget(s);
		op->flags |= OPF_AWAIT;
		return;
	}
	if (op->kind != EV_STORE && op->arg[1] == a->size && await_is_place(table(), op->pc))
		op->state = spin_state(a, op, memory(), table(), &s->stack);
	s->seen_writes = mem_writes;
	if (!op->state) {
		s->announced = false;
		leave_loop(s);
		end_chain(s);
		s->announced = true;
		if (op->kind == EV_STORE)
			forget(s);
		return;
	}
	op->flags |= OPF_AWAIT;
	struct await_node node = { .state = op->state, .addr = op->arg[0], .pc = op->pc, .size = (uint32_t)op->arg[1],
		.expected = op->type, .what = await_what(op) };
	s->announced = false;
	if (await_find(table(), op->state) && make_places(s))
		table()->changes++; /* the next search adds the edges that lead here from these places */
	note_place(s, &node);
	s->announced = true;
}

/* Adds the access to the recent ones. When it is among them for the third time, the instructions of all of them become places. */
static void note_recent(struct spin *s, const struct op *op, uint32_t found)
{
	unsigned before = 0, n = s->recents < RECENT ? s->recents : RECENT;
	for (unsigned i = 0; i < n; i++)
		before += s->recent[i].pc == op->pc && s->recent[i].addr == op->arg[0] && s->recent[i].found == found;
	unsigned at = s->recents++ % RECENT;
	s->recent[at].pc = op->pc;
	s->recent[at].addr = op->arg[0];
	s->recent[at].found = found;
	bool again = op->pc == s->last_pc && op->arg[0] == s->last_addr && found == s->last_found;
	s->same = again ? s->same + 1 : 0;
	s->last_pc = op->pc;
	s->last_addr = op->arg[0];
	s->last_found = found;
	s->round = before >= 2 || s->same >= 2;
	if (before >= 2 && make_places(s) && is_rc11())
		table()->changes++; /* the states at these places decide from now on which threads wait */
}

/* Makes mem_note pass the thread's accesses to spin_probe until the next event. */
static void watch(struct spin *s)
{
	s->watched = 0;
	mem_budget = 0;
}

/* Returns whether another thread has changed the stack of thread t since t announced its operation. If so, makes the changed bytes shared. */
static bool disturbed(const struct spin *s, thread_id t)
{
	if (!s->announced || !s->stack.from || s->seen_writes == mem_writes || spin_stack_now(&s->stack, memory()) == s->stack.hash)
		return false;
	shadow_discover_foreign(t, s->stack.from, s->stack.hi);
	return true;
}

bool spin_disturbed(void)
{
	bool some = false;
	for (struct fiber *f = mem_on ? fiber_first : NULL; f; f = f->next)
		if (f->id != NO_THREAD && world_alive(ctl_world, f->id) && spins[f->id])
			some |= disturbed(spins[f->id], f->id);
	return some;
}

static bool takes_lock(const struct op *op)
{
	uint32_t node = op->flags & OPF_AWAIT ? await_find(table(), op->state) : 0;
	return node && await_is_lock(await_at(table(), node));
}

void spin_performed(const struct op *op)
{
	if (off())
		return;
	struct spin *s = mine();
	bool broken_off = !s->announced || disturbed(s, fiber_cur->id); /* a signal handler ran, or the state has changed */
	s->announced = false;
	s->landing = 0;
	if (broken_off)
		forget(s);
	s->addr = op->arg[0];
	s->size = (uint32_t)op->arg[1];
	char byte;
	bool gone = ctl_pages_changed && !safe_read(s->addr, &byte, 1); /* then the access will crash */
	s->found = gone ? 0 : memory_fingerprint((const void *)s->addr, s->size);
	s->change = op->kind == EV_RMW;
	s->writes = mem_writes;
	s->events = ctl_trace.n;
	repeat_performed(op, s->found, broken_off);
	if (op->kind == EV_STORE || takes_lock(op))
		return;
	note_recent(s, op, s->found);
	if (s->links && (op->flags & OPF_AWAIT) && s->chain[s->links - 1].node.state == op->state) {
		uint32_t node = await_find(table(), op->state);
		s->chain[s->links - 1].found = s->found;
		s->landing = node && !await_next(table(), node, s->found) ? node : 0;
		watch(s);
	}
}

void spin_fence(const struct mem_access *a)
{
	struct spin *s = mine();
	if (s->landing)
		land(s, spin_state_landing(a, memory(), table()));
}

/* Returns whether such an event can lie between two accesses of a thread that waits. A fence can under RC11, where no
   step is elided: an execution without this iteration and its fence is consistent, too. */
static bool keeps_state(unsigned kind)
{
	return kind == EV_YIELD || kind == EV_SLEEP || (kind == EV_FENCE && is_rc11());
}

void spin_other(const struct op *op)
{
	unsigned kind = op->kind;
	if (off())
		return;
	struct spin *s = mine();
	repeat_other(op);
	gave_way += kind == EV_GIVE_WAY;
	if (kind == EV_THREAD_EXIT && s->landing) /* only the result of the thread remains, so this is its state */
		land(s, (uintptr_t)fiber_cur->value * 2 + 1);
	s->landing = 0;
	s->budgets = 0;
	s->patience = kind == EV_GIVE_WAY ? s->patience : 0;
	if (!keeps_state(kind) || s->announced || !unchanged(s, 0)) {
		spin_impure();
	} else if (kind != EV_FENCE) {
		s->idle++;
		uint64_t caller = s->recents ? spin_function(operations.original_pc(op->pc) - 1) : 0;
		table()->changes += caller && await_add_place(table(), caller); /* states leave out its red zone from now on */
	}
}

void spin_back(unsigned kind)
{
	if (off() || !keeps_state(kind))
		return;
	struct spin *s = mine();
	repeat_back();
	s->writes = mem_writes; /* mem_writes includes writes of other threads */
	s->change = false;
	if (s->links)
		watch(s);
	else if (s->idle >= POLLS)
		mem_budget = 0;
}

bool spin_goes_round(void)
{
	return mem_on && spins[fiber_cur->id] && spins[fiber_cur->id]->round;
}

void spin_impure(void)
{
	if (off())
		return;
	struct spin *s = mine();
	repeat_impure();
	leave_loop(s);
	forget(s);
	s->landing = 0;
}

/* Records an access within a chain that is no event. */
static void note_read(struct spin *s, const struct mem_access *a)
{
	if (mem_on_own_stack(a->addr) || constants_has(a->addr))
		return;
	if (++s->watched > WATCHED || s->reads == READS) {
		s->blind = true;
		mem_budget = MEM_BUDGET;
		return;
	}
	for (uint32_t i = 0; i < s->reads; i++)
		if (s->read[i].addr == a->addr && s->read[i].size == a->size)
			return;
	s->read[s->reads++] = (struct range){ a->addr, a->size };
}

/* Called when the thread has used up another budget and its accesses have an effect. */
static enum spin_advice go_on(struct spin *s)
{
	uint32_t others = ctl_trace.n - gave_way;
	if (world_endless_computes(ctl_world, fiber_cur->id)) /* what it does is known */
		return SPIN_GIVE_WAY;
	if (!s->patience)
		s->patience = PATIENCE;
	if (++s->budgets < s->patience)
		return SPIN_GO_ON;
	s->patience = others != s->others ? PATIENCE : s->patience < PATIENCE_MOST ? 2 * s->patience : PATIENCE_MOST;
	s->others = others;
	return SPIN_GIVE_WAY;
}

enum spin_advice spin_probe(const struct mem_access *a)
{
	if (window_used())
		return SPIN_GIVE_WAY;
	struct spin *s = mine();
	if (s->landing && !mem_on_own_stack(a->addr)) /* its own stack is a part of its state */
		land(s, spin_state_landing(a, memory(), table()));
	if (fiber_cur->rounds.reveals) {
		if ((a->flags & MEM_WRITE) && !mem_on_own_stack(a->addr))
			shadow_share_next(a->addr, a->size);
		if (mem_budget < -MEM_BUDGET) { /* it may be in a loop and never come back to where the round began */
			fiber_cur->rounds.reveals = false;
			mem_budget = MEM_BUDGET;
		}
		return SPIN_GO_ON;
	}
	if (s->links && !s->blind) {
		note_read(s, a);
		return SPIN_GO_ON;
	}
	if (!s->probe)
		s->probe = ctl_alloc(sizeof *s->probe);
	if (s->probe_events != ctl_trace.n)
		probe_reset(s->probe);
	s->probe_events = ctl_trace.n;
	enum probe_result found = probe_access(s->probe, a);
	if (found == PROBE_STATE)
		found = probe_state(s->probe, spin_state_landing(a, memory(), table()));
	if (found == PROBE_MORE)
		return SPIN_GO_ON;
	for (unsigned i = 0; found == PROBE_ROUND && i < s->probe->period; i++)
		if (probe_reads_only(s->probe, i))
			shadow_share(s->probe->at[i].addr, s->probe->at[i].size);
	probe_reset(s->probe);
	mem_budget = MEM_BUDGET;
	return found == PROBE_NONE ? go_on(s) : SPIN_GO_ON;
}

void spin_unmaps(void)
{
	if (!mem_on)
		return;
	struct spin *s = mine();
	s->change = false;
	s->landing = 0;
	s->writes = ~UINT64_C(0); /* makes the next comparison find a change of memory */
	if (s->probe)
		probe_reset(s->probe);
}
