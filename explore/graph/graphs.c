/*
 * The strategy `graphs`: each execution graph of the program under RC11 exactly once (graph.h).
 *
 * Every event of the trace is an event of the graph, in the same order; those that neither access a place nor order
 * threads are RC11_OTHER. What calls of the library order comes from happens-before (sched/hb.h). Where the program
 * does what the search does not know (enum graphs_left), the strategy goes on with random samples.
 */
#include "explore/graph/graphs.h"
#include "explore/graph/graphs_internal.h"
#include "explore/graph/graphs_sharing.h"
#include "explore/shared/work_sharing.h"
#include "explore/trace/account.h"

static struct graph_config limits_of(const struct search *s)
{
	struct graph_config config = {.shuffle = s->core.config.shuffle};
	config.limits.threads = RC11_THREADS;
	config.limits.events = GRAPHS_EVENTS;
	config.limits.places = GRAPHS_PLACES;
	return config;
}

void graphs_leave(struct search *s, uint32_t why)
{
	if (!s->core.stats.graphs_left)
		s->core.stats.graphs_left = why;
}

/* ---- places ---- */

static bool overlap(const struct graphs_place *p, uint64_t lo, uint64_t hi)
{
	return p->hi != GRAPHS_CHAIN && hi != GRAPHS_CHAIN && graphs_overlap(lo, hi, p->lo, p->hi);
}

uint32_t graphs_place_of(struct search *s, uint64_t lo, uint64_t hi)
{
	struct vec *v = &s->graphs.places;
	for (uint32_t i = 0; i < v->n; i++) {
		const struct graphs_place *p = graphs_place_at(s, i);
		if (p->lo == lo && p->hi == hi)
			return i;
		if (overlap(p, lo, hi))
			graphs_leave(s, GRAPHS_SIZES);
	}
	uint32_t id = rc11_place(graph_model(graphs_graph(s)), 0);
	struct graphs_place *p = id == UINT32_MAX ? NULL : vec_push(&s->core, v, sizeof *p);
	if (!p) {
		s->core.failed = s->core.stats.out_of_memory = 1;
		return UINT32_MAX;
	}
	p->lo = lo;
	p->hi = hi;
	p->id = id;
	return v->n - 1;
}

/* ---- operations ---- */

static bool is_access(const struct event *e)
{
	return event_kind_object(e->kind) == OBJ_MEMORY;
}

/* The parent of a thread, which its START names. */
static uint32_t creator_of(const struct trace *trace, thread_id t)
{
	for (uint32_t i = trace->n; i-- > 0;)
		if (trace->event[i].kind == EV_THREAD_CREATE && event_child(&trace->event[i]) == t)
			return trace->event[i].thread;
	return 0;
}

/* Returns whether this execution has accessed a place that the bytes overlap. */
static bool overlaps_used(struct search *s, uint64_t lo, uint64_t hi)
{
	for (uint32_t i = 0; i < s->graphs.places.n; i++)
		if (graphs_place_at(s, i)->used == s->graphs.execution && overlap(graphs_place_at(s, i), lo, hi))
			return true;
	return false;
}

static void describe_access(struct search *s, const struct event *e, const struct access_order *how)
{
	struct rc11_op *op = &s->graphs.next;
	uint64_t lo = 0, hi = 0;
	bool known = !how->frees && event_bytes(e, &lo, &hi);
	bool ordered = e->flags & (EVF_PLAIN | EVF_ATOMIC) && (e->kind != EV_RMW || how->compares || how->update);
	if (known && !ordered)
		graphs_note_word(s, lo, hi);
	if (known && graphs_word_access(s, e, lo, hi))
		return;
	op->order = e->flags & EVF_PLAIN ? RC11_PLAIN : how->order;
	if (how->size > 8 && !(e->flags & EVF_PLAIN))
		graphs_leave(s, GRAPHS_SIZES);
	if (!known)
		return;
	if (how->size > 8) { /* certainly not atomic, so it has no choice */
		if (e->kind != EV_LOAD && overlaps_used(s, lo, hi))
			graphs_leave(s, GRAPHS_SIZES); /* the graph would not have the new values */
		return;
	}
	s->graphs.place = graphs_place_of(s, lo, hi);
	if (s->graphs.place == UINT32_MAX)
		return;
	struct graphs_place *p = graphs_place_at(s, s->graphs.place);
	if (p->used != s->graphs.execution) { /* nothing has been stored there yet */
		rc11_place_at(graph_model(graphs_graph(s)), p->id)->value = how->now;
		p->first = graphs_graph(s)->at;
	}
	p->used = s->graphs.execution;
	op->kind = e->kind == EV_LOAD ? RC11_LOAD : e->kind == EV_STORE ? RC11_STORE
		: how->compares                                         ? RC11_CAS
									: RC11_UPDATE;
	op->fail = how->fail;
	op->update = how->update ? (uint8_t)(how->update - 1) : RC11_EXCHANGE;
	op->operand = e->kind == EV_LOAD ? 0 : how->operand;
	op->expected = how->compares ? how->expected : 0;
	op->size = (uint8_t)how->size;
	op->place = p->id;
	s->graphs.unknown = e->kind != EV_LOAD && (e->flags & EVF_PLAIN);
}

/* Sets `next` to what thread t is about to do. choice: of a call that can do two things. */
static void describe(struct search *s, const struct sched_view *view, thread_id t, enum graph_choice choice)
{
	const struct event *e = &view->trace->pending[t];
	struct rc11_op *op = &s->graphs.next;
	struct access_order how = {0};
	if (view->access)
		view->access(view->world, t, &how);
	*op = (struct rc11_op){.kind = RC11_OTHER, .thread = t};
	s->graphs.place = UINT32_MAX;
	s->graphs.picked = 1;
	s->graphs.unknown = 0;
	s->graphs.epoch = how.epoch;
	bool unlocks = e->kind == EV_THREAD_EXIT && e->obj[1]; /* a robust mutex */
	bool late = e->kind == EV_SLEEP && s->core.config.patience; /* what other threads do decides when it ends */
	if (graphs_role(e->kind) == GRAPHS_UNKNOWN || unlocks || late)
		graphs_leave(s, e->kind + 1u);
	if (is_access(e)) {
		describe_access(s, e, &how);
	} else if (graphs_role(e->kind) > GRAPHS_OTHER) {
		graphs_call(s, view, e, how.timed);
		op->expected = op->kind == RC11_CALL ? choice : 0;
	} else if (e->kind == EV_FENCE) {
		op->kind = RC11_FENCE;
		op->order = how.order;
	} else if (e->kind == EV_THREAD_CREATE || e->kind == EV_THREAD_JOIN) {
		op->kind = e->kind == EV_THREAD_CREATE ? RC11_CREATE : RC11_JOIN;
		op->other = how.other;
	} else if (e->kind == EV_THREAD_START) {
		op->kind = RC11_START;
		op->other = creator_of(view->trace, t);
	} else if (e->kind == EV_THREAD_EXIT) {
		op->kind = RC11_END;
	}
}

/* ---- the strategy ---- */

bool graphs_fresh(struct search *s)
{
	struct graph_config config = limits_of(s);
	if (!s->graphs.graph)
		s->graphs.graph = core_alloc(&s->core, graph_bytes(&config));
	if (!s->graphs.graph)
		return false;
	graph_init(graphs_graph(s), &config);
	s->graphs.places.n = 0;
	return true;
}

uint32_t graphs_prefix(struct search *s)
{
	uint32_t n = s->graphs.graph && !s->graphs.samples ? graph_model(graphs_graph(s))->n : 0;
	return n ? n - 1 : 0; /* the next one has another choice for the newest event, or for one that is added */
}

uint32_t graphs_repeats(struct search *s)
{
	return s->graphs.graph && !s->graphs.samples ? graphs_graph(s)->same : 0;
}

void graphs_resume(struct search *s, uint32_t n)
{
	struct graphs_known *known = vec_data(&s->core, &s->graphs.known);
	if (s->graphs.samples)
		return;
	s->graphs.begun = 1;
	graphs_graph(s)->at = s->graphs.epochs.n = n;
	for (uint32_t i = 0; i < s->graphs.known.n; i++)
		if (known[i].first >= n)
			known[i] = (struct graphs_known){0};
	for (uint32_t i = 0; i < s->graphs.places.n; i++) {
		struct graphs_place *p = graphs_place_at(s, i);
		if (p->used == s->graphs.execution - 1 && p->first < n)
			p->used = s->graphs.execution;
	}
}

static bool graphs_begin(void *self)
{
	struct search *s = self;
	if (s->share.worker)
		graphs_follow(s);
	s->graphs.samples = s->core.stats.graphs_left != 0;
	if (s->graphs.samples)
		return random_ops.begin(self);
	if (!s->core.failed && (s->graphs.graph || graphs_fresh(s)) && (!s->share.worker || graphs_work(s)) &&
		graph_begin(graphs_graph(s))) {
		s->graphs.execution++;
		s->graphs.picked = s->graphs.written = s->graphs.called = 0;
		s->graphs.begun = 0;
		s->core.running = 1;
		return true;
	}
	if (!s->share.worker)
		s->core.stats.finished = s->graphs.graph && !s->core.failed && graphs_graph(s)->stats.finished;
	else if (s->core.failed)
		share_end(s); /* no worker will explore what this one has */
	return false;
}

/* Sets the value of the latest store, which its thread has made by now, if only memory has it. */
static void settle(struct search *s, uint64_t stored)
{
	uint32_t i = s->graphs.written;
	s->graphs.written = 0;
	if (!i)
		return;
	struct rc11_event *e = rc11_event(graph_model(graphs_graph(s)), i - 1);
	e->written = e->op.operand = stored;
}

/* The number of events with which thread t last gave way to others, one after the other. */
static unsigned gave_way(const struct rc11 *m, const struct trace *trace, uint32_t t)
{
	unsigned n = 0;
	for (uint32_t i = rc11_last(m)[t]; i; i = rc11_event(m, i - 1)->before) {
		unsigned kind = trace->event[i - 1].kind;
		if (kind != EV_GIVE_WAY && kind != EV_YIELD && kind != EV_SLEEP)
			break;
		n++;
	}
	return n;
}

/* Of the enabled threads, leaves those that have given way least. That depends on the graph only, as the choice of the
   next thread must. */
static void give_way(struct search *s, const struct trace *trace, uint8_t *enabled)
{
	const struct rc11 *m = graph_model(graphs_graph(s));
	unsigned least = UINT32_MAX, n[RC11_THREADS] = {0};
	for (uint32_t t = 0; t < RC11_THREADS; t++) {
		n[t] = enabled[t] ? gave_way(m, trace, t) : UINT32_MAX;
		least = n[t] < least ? n[t] : least;
	}
	for (uint32_t t = 0; t < RC11_THREADS; t++)
		enabled[t] = enabled[t] && n[t] == least;
}

/* A thread may do something else than its pending operation. The search knows only that time ends a call. */
static void leave_for_choice(struct search *s, const struct sched_view *view, struct choice c)
{
	uint32_t kind = view->trace->pending[c.thread].kind;
	if (c.alt == ALT_TIMEOUT && graphs_role(kind) == GRAPHS_CALL && !s->core.config.patience)
		return;
	if (c.alt == ALT_SIGNAL || c.alt == ALT_BEFORE)
		kind = EV_SIGNAL_HANDLER;
	graphs_leave(s, c.alt == ALT_TIMEOUT && kind != EV_SLEEP ? GRAPHS_TIMED : kind + 1);
}

/* Returns which of two choices the pending call of a thread takes, that of the graph if it is repeated. alts: what the
   thread can do. The first choice is that time ends the call. */
static enum graph_choice choice_of(struct search *s, unsigned alts)
{
	return alts >> ALT_TIMEOUT & 1 ? graph_next_call(graphs_graph(s)) : GRAPH_ONE;
}

static unsigned alt_of(enum graph_choice choice)
{
	return choice == GRAPH_FIRST ? ALT_TIMEOUT : ALT_NORMAL;
}

/* Returns whether time has ended many calls of thread t in this execution, as in a loop that waits. */
static bool loops(struct search *s, thread_id t)
{
	const struct graph *g = graphs_graph(s);
	const struct rc11 *m = graph_model(graphs_graph(s));
	unsigned n = 0;
	if (g->at < m->n)
		return false;
	for (uint32_t i = rc11_last(m)[t]; i; i = rc11_event(m, i - 1)->before)
		n += rc11_event(m, i - 1)->op.kind == RC11_CALL && rc11_event(m, i - 1)->op.expected == GRAPH_FIRST;
	return n >= GRAPHS_TIMEOUTS;
}

/* Returns the index of the choice of thread t, and describes it. */
static int choose(struct search *s, const struct sched_view *view, thread_id t, unsigned alts)
{
	enum graph_choice choice = choice_of(s, alts);
	s->graphs.second = choice == GRAPH_FIRST && (alts >> ALT_NORMAL & 1);
	if (choice == GRAPH_FIRST && loops(s, t))
		graphs_leave(s, GRAPHS_LOOP);
	describe(s, view, t, choice);
	if (s->core.failed || s->core.stats.graphs_left || s->graphs.again)
		return PICK_STOP;
	for (unsigned i = 0; i < view->n; i++)
		if (view->choices[i].thread == t && view->choices[i].alt == alt_of(choice))
			return (int)i;
	return PICK_STOP;
}

static int graphs_pick(void *self, const struct sched_view *view)
{
	struct search *s = self;
	uint8_t enabled[RC11_THREADS] = {0}, alts[RC11_THREADS] = {0};
	if (s->graphs.samples)
		return random_ops.pick(self, view);
	if (!s->graphs.begun)
		graphs_resume(s, 0);
	struct access_order how = {0};
	if (view->access)
		view->access(view->world, view->choices[0].thread, &how);
	settle(s, how.stored);
	for (unsigned i = 0; i < view->n; i++) {
		if (view->choices[i].thread >= RC11_THREADS) {
			graphs_leave(s, GRAPHS_THREADS);
			continue;
		}
		alts[view->choices[i].thread] |= (uint8_t)(1u << view->choices[i].alt);
		if (view->choices[i].alt != ALT_NORMAL)
			leave_for_choice(s, view, view->choices[i]);
	}
	if (graphs_endless_wait(s, view->trace))
		graphs_leave(s, GRAPHS_TIMED);
	for (uint32_t t = 0; t < RC11_THREADS; t++)
		enabled[t] = alts[t] >> alt_of(choice_of(s, alts[t])) & 1;
	if (graphs_graph(s)->at >= graph_model(graphs_graph(s))->n)
		give_way(s, view->trace, enabled);
	int t = graph_thread(graphs_graph(s), enabled, RC11_THREADS);
	if (graphs_graph(s)->full)
		graphs_leave(s, GRAPHS_LONG);
	if (t < 0)
		return graphs_graph(s)->stats.diverged ? PICK_DIVERGED : PICK_STOP;
	return choose(s, view, (thread_id)t, alts[t]);
}

/* Returns whether the running program has edges of psc that the graph has not: from the kernel's barriers, and from
   accesses that are calls of the graph. */
static bool lacks_edges(const struct search *s)
{
	return s->graphs.barriers || s->graphs.words.n;
}

/* A new event gets the latest store, one that is repeated that of the graph. */
static int graphs_pick_store(void *self, const struct sched_view *view)
{
	struct search *s = self;
	if (s->graphs.samples)
		return random_ops.pick_store(self, view);
	const struct graph *g = graphs_graph(s);
	const struct rc11 *m = graph_model(graphs_graph(s));
	if (g->at >= m->n)
		return 0;
	const struct rc11_event *e = rc11_event(m, g->at);
	if (e->op.kind == RC11_CALL) /* bytes that futex calls compare */
		return 0;
	uint32_t store = e->reads ? e->reads_from : e->after;
	for (unsigned i = 0; i < view->n; i++) {
		struct event would;
		view->preview(view->world, view->choices[i], &would);
		if (event_reads_from(&would) == store)
			return (int)i;
	}
	if (lacks_edges(s) && g->at + 2 >= m->n)
		return 0; /* graphs_observe ends the execution */
	if (view->n <= OLDER_STORES)
		return PICK_DIVERGED;
	graphs_leave(s, GRAPHS_STORES); /* it is not among those that are offered */
	return PICK_STOP;
}

static void diverged(struct search *s)
{
	s->core.failed = s->core.stats.diverged = 1;
}

static void graphs_observe(void *self, const struct event *e)
{
	struct search *s = self;
	struct graph *g = graphs_graph(s);
	struct rc11_op *op = &s->graphs.next;
	if (s->graphs.samples || !s->graphs.picked) /* the end of the execution */
		return;
	const struct rc11 *m = graph_model(g);
	s->graphs.picked = 0;
	if (g->at < m->n && s->graphs.unknown)
		op->operand = rc11_event(m, g->at)->op.operand;
	bool repeated = g->at < m->n;
	const struct rc11_event *added = graph_step(g, op);
	uint32_t *epoch = added ? vec_push(&s->core, &s->graphs.epochs, sizeof *epoch) : NULL;
	if (!epoch) {
		if (!g->full)
			diverged(s);
		return;
	}
	*epoch = s->graphs.epoch;
	/* a fence may acquire what was read from bytes that futex calls compare */
	bool fence = e->kind == EV_FENCE && s->graphs.words.n;
	s->graphs.called = op->kind == RC11_CALL || graphs_role(e->kind) == GRAPHS_PASS || fence ? g->at : 0;
	if (op->kind == RC11_CALL)
		graph_did(g, !event_failed(e), s->graphs.second);
	bool placed = is_access(e) && op->kind != RC11_CALL && s->graphs.place != UINT32_MAX;
	bool failed = e->kind == EV_RMW && event_failed(e);
	if (placed && added->writes != (e->kind != EV_LOAD && !failed))
		diverged(s);
	/* the store of the graph was not offered, since a cycle of psc leads through what is not in the graph */
	bool chosen = lacks_edges(s) && repeated && g->at + 1 >= m->n;
	if (placed && chosen && event_reads_from(e) != (added->reads ? added->reads_from : added->after))
		g->impossible = 1;
	s->graphs.written = s->graphs.unknown ? g->at : 0;
}

void graphs_begin_again(struct search *s)
{
	struct graphs_object *all = vec_data(&s->core, &s->graphs.objects);
	struct explore_stats *st = &s->core.stats;
	graphs_fresh(s);
	s->graphs.again = 0;
	for (uint32_t i = 0; i < s->graphs.objects.n; i++)
		all[i].used = 0;
	st->blocked += st->executions;
	st->executions = st->distinct_traces = 0;
}

/* Ends an execution that is no graph of its own. */
static void end_redundant(struct search *s, const struct trace *trace, enum run_verdict verdict)
{
	s->tree.redundant = 1;
	account_execution(s, trace, verdict);
	s->tree.redundant = 0;
}

/* Returns whether thread t, which waits in a loop, has read an older store in the last iteration. The pending access
   begins the next one. */
static bool read_older(const struct rc11 *m, const struct trace *trace, uint32_t t)
{
	for (uint32_t i = rc11_last(m)[t]; i; i = rc11_event(m, i - 1)->before) {
		const struct rc11_event *e = rc11_event(m, i - 1);
		if (e->reads && e->reads_from != rc11_latest(m, e->op.place))
			return true;
		if (trace->event[i - 1].pc == trace->pending[t].pc)
			return false;
	}
	return false;
}

/* Returns whether threads wait in loops, and each of them has read the latest stores. If one has read an older one,
   another execution has it read a later one, and what follows from that. */
static bool waits_for_ever(struct search *s, const struct trace *trace)
{
	const struct rc11 *m = graph_model(graphs_graph(s));
	bool waits = false;
	for (uint32_t t = 0; t < trace->threads && t < RC11_THREADS; t++) {
		if (!is_access(&trace->pending[t]) || trace->alts[t])
			continue;
		if (read_older(m, trace, t))
			return false;
		waits = true;
	}
	return waits;
}

static void graphs_end(void *self, const struct trace *trace, enum run_verdict verdict)
{
	struct search *s = self;
	struct graph *g = graphs_graph(s);
	if (s->graphs.samples) {
		random_ops.end(self, trace, verdict);
		return;
	}
	if (verdict == RUN_COVERED && waits_for_ever(s, trace))
		graphs_leave(s, GRAPHS_WAITS);
	if (s->core.stats.graphs_left || s->graphs.again) { /* this execution was not completed, and says nothing */
		end_redundant(s, trace, verdict);
		if (s->graphs.again && s->share.worker)
			graphs_restart(s);
		if (s->graphs.again)
			graphs_begin_again(s);
		return;
	}
	if (g->impossible) {
		graph_end(g);
		end_redundant(s, trace, verdict);
		return;
	}
	graphs_waiting(s, trace);
	graph_end(g);
	s->core.stats.diverged |= g->stats.diverged;
	s->core.stats.out_of_memory |= g->stats.out_of_memory;
	s->core.failed |= g->failed;
	account_execution(s, trace, verdict);
	s->core.stats.distinct_traces = s->core.stats.executions; /* none is executed twice */
}

static void graphs_ordered(void *self, const struct sched_view *view)
{
	struct search *s = self;
	if (s->graphs.called)
		graphs_order_call(s, view);
}

const struct strategy_ops graphs_ops = {
	.name = "graphs",
	.begin = graphs_begin,
	.pick = graphs_pick,
	.pick_store = graphs_pick_store,
	.observe = graphs_observe,
	.ordered = graphs_ordered,
	.end = graphs_end,
};
