/* Reads a segment written by a target: copies and checks the data before using it. */
#include <stdlib.h>
#include <string.h>

#include "base/lock_owners.h"
#include "base/printable.h"
#include "base/xalloc.h"
#include "cli/base/say.h"
#include "cli/segment/segment.h"
#include "sched/await.h"
#include "sched/endless.h"
#include "sched/lock_words.h"
#include "sched/memory.h"
#include "sched/repeats.h"
#include "sched/rounds.h"

static const char *part(const struct segment *seg, uint64_t off)
{
	return (const char *)seg->session + off;
}

static bool is_agent_of(const struct thread_names *names, uint32_t agent, thread_id owner)
{
	return agent >= MAX_THREADS && agent - MAX_THREADS < names->agents &&
	       agent_name_owner(&names->agent[agent - MAX_THREADS]) == owner;
}

/* Returns whether e is a valid event of the trace, or a valid pending operation. */
static bool event_valid(const struct event *e, const struct thread_names *names)
{
	if (e->kind >= EV_COUNT || !alternative_exists(e->alt) || e->mode[0] >= M_COUNT || e->mode[1] >= M_COUNT)
		return false;
	if (e->kind == EV_UPDATE)
		return is_agent_of(names, e->thread, update_owner(e)) && update_owner(e) < names->count;
	return e->thread < names->count &&
	       (!event_buffered(e) || is_agent_of(names, (uint32_t)e->result, e->thread));
}

bool segment_events_valid(const struct event *events, uint32_t n, const struct thread_names *names)
{
	for (uint32_t i = 0; i < n; i++)
		if (!event_valid(&events[i], names))
			return false;
	return true;
}

/* Returns whether every store that reached memory had been issued into a buffer. */
static bool updates_valid(const struct execution *e)
{
	uint32_t *buffered = xcalloc(MAX_AGENTS, sizeof(*buffered)); /* by agent */
	bool ok = true;

	for (uint32_t i = 0; i < e->n && ok; i++) {
		if (event_buffered(&e->events[i]))
			buffered[e->events[i].result - MAX_THREADS]++;
		else if (e->events[i].kind == EV_UPDATE)
			ok = buffered[e->events[i].thread - MAX_THREADS]-- > 0;
	}
	free(buffered);
	return ok;
}

bool segment_names(const struct segment *seg, struct thread_names *out)
{
	memcpy(out, part(seg, seg->layout.names_off), sizeof(*out));
	if (out->count < 1 || out->count > MAX_THREADS || out->agents > MAX_AGENTS)
		return false;
	for (uint32_t i = 1; i < out->count; i++)
		if (out->name[i].parent >= i)
			return false;
	for (uint32_t k = 0; k < out->agents; k++)
		if (agent_name_owner(&out->agent[k]) >= out->count)
			return false;
	return true;
}

static void copy_bug(const struct segment *seg, struct session_bug *out)
{
	memcpy(out, &seg->session->bug, sizeof(*out));
	out->message[SESSION_MESSAGE - 1] = 0;
	out->process[SESSION_LABEL_TEXT - 1] = 0;
	printable_in_place(out->process, sizeof(out->process), PRINTABLE_LINE);
	printable_in_place(out->message, sizeof(out->message), PRINTABLE_LINE);
	if (out->kind >= BUG_KINDS)
		out->kind = BUG_CRASH;
	if (out->stack.n > SESSION_STACK)
		out->stack.n = SESSION_STACK;
	for (unsigned i = 0; i < 2; i++)
		if (out->memory.stack[i].n > SESSION_STACK)
			out->memory.stack[i].n = SESSION_STACK;
	if (out->memory.error >= MEMORY_ERRORS)
		out->memory.error = MEMORY_NONE;
	if (out->cycle_n > SESSION_CYCLE)
		out->cycle_n = SESSION_CYCLE;
}

static bool copy_events(const struct segment *seg, struct execution *out, char *why, size_t size)
{
	out->events = xcalloc(out->n + 1u, sizeof(struct event));
	memcpy(out->events, part(seg, seg->layout.events_off), sizeof(struct event) * out->n);
	for (uint32_t i = 0; i < out->n; i++) {
		if (event_valid(&out->events[i], &out->names))
			continue;
		text_set(why, size, "the program overwrote simul's memory (event %u is damaged)", i);
		return false;
	}
	if (!updates_valid(out)) {
		text_set(why, size, "the program overwrote simul's memory (a store that was never issued reaches memory)");
		return false;
	}
	out->pending = xcalloc(out->threads + 1u, sizeof(struct event));
	memcpy(out->pending, part(seg, seg->layout.pending_off), sizeof(struct event) * out->threads);
	for (uint32_t t = 0; t < out->threads; t++)
		if (!event_valid(&out->pending[t], &out->names) || out->pending[t].kind == EV_UPDATE)
			memset(&out->pending[t], 0, sizeof(struct event));
	return true;
}

static const struct memory_table *memory_table(const struct segment *seg)
{
	return (const struct memory_table *)part(seg, seg->layout.memory_off);
}

static const struct await_table *await_table(const struct segment *seg)
{
	return (const struct await_table *)part(seg, seg->layout.await_off);
}

/* What was known of spin loops when the running execution began. A replay begins with that and finds the rest where the execution found
   it: a loop that is known earlier leaves out iterations that the schedule has. */
static bool copy_await(const struct segment *seg, struct rec_memory *out)
{
	const struct await_table *t = await_table(seg);
	const struct session_control *ctl = &seg->session->ctl;
	uint32_t nodes = shared_load(&ctl->execution.begun_nodes), edges = shared_load(&ctl->execution.begun_edges);

	if (nodes > AWAIT_NODES || edges > AWAIT_EDGES || nodes > shared_load(&t->nodes) || edges > shared_load(&t->edges))
		return false;
	out->n_nodes = nodes;
	out->node = xcalloc(nodes + 1u, sizeof(*out->node));
	memcpy(out->node, t->node, sizeof(*out->node) * nodes);
	out->n_edges = edges;
	out->edge = xcalloc(edges + 1u, sizeof(*out->edge));
	memcpy(out->edge, t->edge, sizeof(*out->edge) * edges);
	return true;
}

static bool copy_memory(const struct segment *seg, struct rec_memory *out)
{
	const struct memory_table *t = memory_table(seg);
	uint32_t n = shared_load(&t->n);

	if (n > MEMORY_PAGES)
		return false;
	out->n_pages = n;
	out->page = xcalloc(n + 1u, sizeof(*out->page));
	for (uint32_t i = 0; i < n; i++) {
		out->page[i].base = t->page[i].base;
		memcpy(out->page[i].shared, t->page[i].shared, sizeof(out->page[i].shared));
		for (unsigned k = 0; k < MEMORY_PAGE / 64; k++)
			out->page[i].late[k] = out->page[i].shared[k] & t->page[i].discovered[k];
	}
	if (seg->session->bug.kind == BUG_RACE)
		out->raced = seg->session->bug.fault_addr & ~UINT64_C(7);
	return copy_await(seg, out);
}

struct session_sensors *segment_sensors(const struct segment *seg)
{
	struct session_sensors *s = xcalloc(1, sizeof(*s));

	memcpy(s, part(seg, seg->layout.sensors_off), sizeof(*s));
	for (unsigned i = 0; i < SESSION_MODULES; i++) {
		s->module[i].path[sizeof(s->module[i].path) - 1] = 0;
		s->module[i].refused[sizeof(s->module[i].refused) - 1] = 0;
		printable_in_place(s->module[i].path, sizeof(s->module[i].path), PRINTABLE_LINE);
		printable_in_place(s->module[i].refused, sizeof(s->module[i].refused), PRINTABLE_LINE);
	}
	for (unsigned i = 0; i < SESSION_OBJECTS; i++) {
		s->object[i].name[sizeof(s->object[i].name) - 1] = 0;
		printable_in_place(s->object[i].name, sizeof(s->object[i].name), PRINTABLE_LINE);
	}
	return s;
}

struct session_races *segment_races(const struct segment *seg)
{
	struct session_races *r = xcalloc(1, sizeof(*r));

	memcpy(r, part(seg, seg->layout.races_off), sizeof(*r));
	if (r->kernel.stack.n > SESSION_STACK)
		r->kernel.stack.n = SESSION_STACK;
	for (unsigned i = 0; i < SESSION_RACES; i++)
		for (unsigned k = 0; k < 2; k++) {
			if (r->race[i].stack[k].n > SESSION_STACK)
				r->race[i].stack[k].n = SESSION_STACK;
			r->race[i].process[k][SESSION_LABEL_TEXT - 1] = 0;
		}
	return r;
}

struct lock_words *segment_lock_words(const struct segment *seg)
{
	struct lock_words *l = xcalloc(1, sizeof(*l));

	memcpy(l, seg->session->lock_words, sizeof(*l));
	l->n = l->n < LOCK_WORDS ? l->n : LOCK_WORDS;
	l->sites = l->sites < LOCK_SITES ? l->sites : LOCK_SITES;
	l->stacks = l->stacks < LOCK_STACKS ? l->stacks : LOCK_STACKS;
	return l;
}

bool segment_knows_bug(const struct segment *seg, uint64_t signature)
{
	const struct session *s = seg->session;

	for (uint32_t i = 0; i < s->signatures && i < SESSION_SIGNATURES; i++)
		if (s->seen[i].signature == signature)
			return true;
	return false;
}

static const struct rounds_limits *limits(const struct segment *seg)
{
	return (const struct rounds_limits *)seg->session->ctl.discoveries.limits;
}

bool segment_loops_limited(const struct segment *seg)
{
	return shared_load(&limits(seg)->used) != 0;
}

static const struct endless_limits *endless(const struct segment *seg)
{
	return (const struct endless_limits *)seg->session->ctl.discoveries.endless_limits;
}

bool segment_threads_stopped(const struct segment *seg)
{
	return shared_load(&endless(seg)->used) != 0;
}

uint64_t segment_limited_loop(const struct segment *seg)
{
	const struct rounds_limits *l = limits(seg);
	uint64_t limited = l->limited;

	for (unsigned i = 0; i < ROUNDS_PLACES; i++)
		if (limited >> i & 1)
			return l->place[i] >> 8;
	for (unsigned i = 0; i < ENDLESS_LIMITS; i++)
		if (endless(seg)->at[i].place)
			return endless(seg)->at[i].place >> 8;
	return 0;
}

static bool has_unapplied_words(const struct segment *seg)
{
	const struct session_races *r = (const struct session_races *)part(seg, seg->layout.races_off);

	return seg->session->config.settings.fail_on_race &&
	       shared_load(&r->watched) != shared_load(&seg->session->ctl.discoveries.applied_watched);
}

bool segment_has_unapplied(const struct segment *seg)
{
	const struct session_discoveries *d = &seg->session->ctl.discoveries;

	return has_unapplied_words(seg) ||
	       shared_load(&memory_table(seg)->changes) != shared_load(&d->applied_memory) ||
	       shared_load(&await_table(seg)->changes) != shared_load(&d->applied_awaits) ||
	       shared_load(&limits(seg)->changes) != shared_load(&limits(seg)->applied) ||
	       shared_load(&d->calls_refused) != shared_load(&d->applied_calls_refused) ||
	       shared_load(&d->children_listed) != shared_load(&d->applied_children_listed) ||
	       shared_load(&d->regions) != shared_load(&d->applied_regions);
}

bool segment_memory_full(const struct segment *seg)
{
	return shared_load(&memory_table(seg)->full) != 0;
}

/* Those whose locks are explored as code once calls were refused (TAKES_AFTER_LOAD). The nodes from before remain in the table. */
static const uint32_t paired_owners = 0
#define TAKES_AFTER_LOAD(id, pattern) | 1u << LOCK_OF_##id
#include "base/runtimes.def"
	;

uint32_t segment_locks(const struct segment *seg, uint32_t owner)
{
	const struct await_table *t = await_table(seg);
	uint32_t nodes = shared_load(&t->nodes), n = 0;

	if (paired_owners >> owner & 1 && shared_load(&seg->session->ctl.discoveries.applied_calls_refused))
		return 0;
	for (uint32_t i = 0; i < nodes && i < AWAIT_NODES; i++) {
		bool again = false;

		for (uint32_t k = 0; k < i && !again; k++)
			again = await_is_lock(&t->node[k]) && t->node[k].addr == t->node[i].addr && t->node[k].owner == owner;
		n += await_is_lock(&t->node[i]) && !(t->node[i].what & AWAIT_PARKS) && t->node[i].owner == owner && !again;
	}
	return n;
}

uint32_t segment_repeats(const struct segment *seg)
{
	const struct await_table *t = await_table(seg);
	uint32_t nodes = shared_load(&t->nodes), n = 0;

	for (uint32_t i = 0; i < nodes && i < AWAIT_NODES; i++)
		n += repeats_is_left_out(&t->node[i]) && repeats_left_out(t, t->node[i].pc, nodes);
	return n;
}

uint32_t segment_await_doubts(const struct segment *seg)
{
	return shared_load(&await_table(seg)->doubts);
}

bool segment_agents_full(const struct segment *seg)
{
	return shared_load(&((const struct thread_names *)part(seg, seg->layout.names_off))->agents) >= MAX_AGENTS;
}

void segment_needs(const struct segment *seg, uint32_t *least, uint32_t *enough)
{
	*least = shared_load(&seg->session->bug.needs);
	*enough = shared_load(&seg->session->bug.enough);
	if (!*least || *least > *enough)
		*least = *enough = 0;
}

bool segment_execution(const struct segment *seg, struct execution *out, char *why, size_t size)
{
	const struct session_control *ctl = &seg->session->ctl;

	memset(out, 0, sizeof(*out));
	if (!segment_names(seg, &out->names)) {
		text_set(why, size, "the program overwrote simul's memory (thread names are damaged)");
		return false;
	}
	out->n = shared_load(&ctl->execution.trace_n);
	out->threads = shared_load(&ctl->execution.trace_threads);
	if (out->threads > out->names.count)
		out->threads = out->names.count;
	if (out->n > seg->layout.events_cap) {
		text_set(why, size, "the program overwrote simul's memory (%u events in the trace)", out->n);
		return false;
	}
	copy_bug(seg, &out->bug);
	if (out->bug.thread >= out->names.count)
		out->bug.thread = NO_THREAD;
	memcpy(&out->pool, &seg->session->pool, sizeof(out->pool));
	if (out->pool.n > SESSION_POOL)
		out->pool.n = SESSION_POOL;
	for (uint32_t i = 0; i < out->pool.n; i++)
		out->pool.thread[i].path[SESSION_PATH - 1] = 0;
	if (!copy_memory(seg, &out->memory))
		text_set(why, size, "the program overwrote simul's memory (the table of memory is damaged)");
	else if (copy_events(seg, out, why, size))
		return true;
	execution_free(out);
	return false;
}

void execution_free(struct execution *e)
{
	free(e->events);
	free(e->pending);
	rec_memory_free(&e->memory);
	e->events = e->pending = NULL;
}

void segment_frames(const struct segment *seg, uint32_t i, struct session_frames *out)
{
	out->stack.n = 0;
	if (i >= seg->layout.stacks_cap)
		return;
	memcpy(out, part(seg, seg->layout.stacks_off + i * sizeof(*out)), sizeof(*out));
	if (out->stack.n > SESSION_STACK)
		out->stack.n = SESSION_STACK;
}

bool segment_label(const struct segment *seg, uint32_t i, struct session_label *out)
{
	if (i >= seg->session->labels || i >= SESSION_LABELS)
		return false;
	memcpy(out, &seg->session->label[i], sizeof(*out));
	out->text[sizeof(out->text) - 1] = 0;
	if (out->kind >= LABEL_KINDS)
		out->kind = LABEL_PROGRAM;
	return true;
}

void segment_value(const struct segment *seg, uint32_t i, struct session_value *out)
{
	memset(out, 0, sizeof(*out));
	if (i >= seg->layout.values_cap)
		return;
	memcpy(out, part(seg, seg->layout.values_off + i * sizeof(*out)), sizeof(*out));
	if (out->size > SESSION_VALUE)
		memset(out, 0, sizeof(*out));
}

void segment_object(const struct segment *seg, object_id o, struct session_object *out)
{
	memset(out, 0, sizeof(*out));
	if (o == 0 || o > seg->layout.objects_cap)
		return;
	memcpy(out, part(seg, seg->layout.objects_off + (o - 1) * sizeof(*out)), sizeof(*out));
	if (out->kind >= OBJ_COUNT)
		memset(out, 0, sizeof(*out));
}

void segment_thread(const struct segment *seg, thread_id t, struct session_thread *out)
{
	memset(out, 0, sizeof(*out));
	if (t >= seg->layout.threads_cap)
		return;
	memcpy(out, part(seg, seg->layout.threads_off + t * sizeof(*out)), sizeof(*out));
	if (out->frames.stack.n > SESSION_STACK)
		out->frames.stack.n = SESSION_STACK;
}

void segment_stats(const struct segment *seg, struct explore_stats *out)
{
	const struct explore_stats *stats;

	memset(out, 0, sizeof(*out));
	if (seg->session->config.mode != MODE_EXPLORE || !seg->layout.explore_size)
		return;
	stats = explore_stats_within((char *)seg->session + seg->layout.explore_off, seg->layout.explore_size);
	if (stats)
		memcpy(out, stats, sizeof(*out));
}

void segment_text(const char field[SESSION_MESSAGE], char out[SESSION_MESSAGE])
{
	memcpy(out, field, SESSION_MESSAGE);
	out[SESSION_MESSAGE - 1] = 0;
	printable_in_place(out, SESSION_MESSAGE, PRINTABLE_LINES);
}
