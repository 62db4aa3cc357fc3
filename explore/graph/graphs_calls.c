/*
 * Calls of the library in the strategy `graphs`: see graphs_internal.h.
 *
 * The calls on an object form a chain, in the order in which they are performed. So do the calls on all objects that
 * some call connects: a wait uses a condition variable and its mutex. The search finds out which these are as it meets
 * the calls; then it begins again.
 */
#include "explore/graph/graphs_internal.h"

static const uint8_t role[EV_COUNT] = {
	[EV_THREAD_CREATE] = GRAPHS_OTHER,
	[EV_THREAD_START] = GRAPHS_OTHER,
	[EV_THREAD_EXIT] = GRAPHS_OTHER,
	[EV_THREAD_JOIN] = GRAPHS_OTHER,
	[EV_THREAD_DETACH] = GRAPHS_OTHER,
	[EV_MUTEX_INIT] = GRAPHS_OTHER,
	[EV_MUTEX_DESTROY] = GRAPHS_OTHER,
	[EV_MUTEX_LOCK] = GRAPHS_LOCKING,
	[EV_MUTEX_UNLOCK] = GRAPHS_LOCKING,
	[EV_MUTEX_TRYLOCK] = GRAPHS_CALL,
	[EV_SPIN_INIT] = GRAPHS_CALL,
	[EV_SPIN_DESTROY] = GRAPHS_CALL,
	[EV_SPIN_LOCK] = GRAPHS_CALL,
	[EV_SPIN_TRYLOCK] = GRAPHS_CALL,
	[EV_SPIN_UNLOCK] = GRAPHS_CALL,
	[EV_COND_INIT] = GRAPHS_CALL,
	[EV_COND_DESTROY] = GRAPHS_CALL,
	[EV_COND_WAIT] = GRAPHS_CALL,
	[EV_COND_WAKE] = GRAPHS_CALL,
	[EV_COND_WOKEN] = GRAPHS_CALL,
	[EV_COND_RELOCK] = GRAPHS_CALL,
	[EV_COND_SIGNAL] = GRAPHS_CALL,
	[EV_COND_BROADCAST] = GRAPHS_CALL,
	[EV_RW_INIT] = GRAPHS_CALL,
	[EV_RW_DESTROY] = GRAPHS_CALL,
	[EV_RW_RDLOCK] = GRAPHS_CALL,
	[EV_RW_TRYRDLOCK] = GRAPHS_CALL,
	[EV_RW_WRLOCK] = GRAPHS_CALL,
	[EV_RW_TRYWRLOCK] = GRAPHS_CALL,
	[EV_RW_WRWAIT] = GRAPHS_CALL,
	[EV_RW_RDUNLOCK] = GRAPHS_CALL,
	[EV_RW_WRUNLOCK] = GRAPHS_CALL,
	[EV_SEM_INIT] = GRAPHS_CALL,
	[EV_SEM_DESTROY] = GRAPHS_CALL,
	[EV_SEM_POST] = GRAPHS_CALL,
	[EV_SEM_WAIT] = GRAPHS_CALL,
	[EV_SEM_TRYWAIT] = GRAPHS_CALL,
	[EV_SEM_GETVALUE] = GRAPHS_CALL,
	[EV_BARRIER_INIT] = GRAPHS_CALL,
	[EV_BARRIER_DESTROY] = GRAPHS_CALL,
	[EV_BARRIER_ARRIVE] = GRAPHS_CALL,
	[EV_BARRIER_PASS] = GRAPHS_PASS,
	[EV_ONCE_ENTER] = GRAPHS_CALL,
	[EV_ONCE_DONE] = GRAPHS_CALL,
	[EV_ONCE_ABORT] = GRAPHS_CALL,
	[EV_FUTEX_WAIT] = GRAPHS_CALL,
	[EV_FUTEX_WOKEN] = GRAPHS_CALL,
	[EV_FUTEX_WAKE] = GRAPHS_CALL,
	[EV_LOAD] = GRAPHS_OTHER,
	[EV_STORE] = GRAPHS_OTHER,
	[EV_RMW] = GRAPHS_OTHER,
	[EV_FENCE] = GRAPHS_OTHER,
	[EV_YIELD] = GRAPHS_OTHER,
	[EV_SLEEP] = GRAPHS_OTHER,
	[EV_GIVE_WAY] = GRAPHS_OTHER,
	[EV_SIGNAL_MASK] = GRAPHS_OTHER,
	[EV_EXIT] = GRAPHS_OTHER,
	[EV_DEATH] = GRAPHS_OTHER,
};

enum graphs_role graphs_role(unsigned kind)
{
	return kind < EV_COUNT ? (enum graphs_role)role[kind] : GRAPHS_UNKNOWN;
}

/* Returns whether the latest event of a mutex, so far in this execution, is a LOCK. */
static bool is_locked(struct graph *g, uint32_t place)
{
	const struct rc11 *m = graph_model(g);
	uint32_t at = rc11_latest(m, place);
	while (at && at > g->at)
		at = rc11_event(m, at - 1)->older;
	return at && rc11_event(m, at - 1)->op.kind == RC11_LOCK;
}

/* Returns the object at the head of the chain. */
static struct graphs_object *chain_of(struct search *s, uint32_t i)
{
	struct graphs_object *all = vec_data(&s->core, &s->graphs.objects);
	return &all[all[i].first];
}

/* Returns the index of an object, UINT32_MAX when there is no room. */
static uint32_t object_named(struct search *s, uint64_t name)
{
	struct vec *objects = &s->graphs.objects;
	for (uint32_t i = 0; i < objects->n; i++)
		if (((struct graphs_object *)vec_data(&s->core, objects))[i].name == name)
			return i;
	struct graphs_object *x = vec_push(&s->core, objects, sizeof *x);
	if (!x)
		return UINT32_MAX;
	*x = (struct graphs_object){.name = name, .first = objects->n - 1};
	return objects->n - 1;
}

/* Returns the index + 1 of an object of the running execution; 0: it has not been met yet. */
static uint32_t known_as(struct search *s, object_id o)
{
	const struct graphs_known *known = vec_data(&s->core, &s->graphs.known);
	return o < s->graphs.known.n ? known[o].object : 0;
}

/* The same, which is met now if it was not. */
static uint32_t object_of(struct search *s, const struct sched_view *view, object_id o)
{
	while (s->graphs.known.n <= o)
		if (!vec_push(&s->core, &s->graphs.known, sizeof(struct graphs_known)))
			return UINT32_MAX;
	if (known_as(s, o))
		return known_as(s, o) - 1;
	uint32_t i = object_named(s, view->object_name ? view->object_name(view->world, o) : o);
	if (i != UINT32_MAX)
		((struct graphs_known *)vec_data(&s->core, &s->graphs.known))[o] =
			(struct graphs_known){.object = i + 1, .first = graphs_graph(s)->at};
	return i;
}

/* The events of the chain are other ones from now on. */
static void change_chain(struct search *s, struct graphs_object *first)
{
	s->graphs.again |= first->used;
	first->calls = 1;
}

/* Makes one chain of those of two objects. */
static void connect(struct search *s, uint32_t a, uint32_t b)
{
	struct graphs_object *all = vec_data(&s->core, &s->graphs.objects);
	uint32_t to = all[a].first, from = all[b].first;
	if (to == from)
		return;
	s->graphs.again |= all[to].used | all[from].used;
	for (uint32_t i = 0; i < s->graphs.objects.n; i++)
		if (all[i].first == from)
			all[i].first = to;
	all[to].calls |= all[from].calls;
	all[to].passes |= all[from].passes;
}

/* What a CALL does to a mutex, which is object i of the event. */
static enum graph_call mutex_call(unsigned kind, unsigned *i)
{
	*i = event_kind_flags(kind) & K_MUTEX2 ? 1 : 0;
	switch (kind) {
	case EV_MUTEX_LOCK:
	case EV_SPIN_LOCK:
	case EV_COND_WAKE:
	case EV_COND_RELOCK:
		return GRAPH_TAKES;
	case EV_MUTEX_TRYLOCK:
	case EV_SPIN_TRYLOCK:
		return GRAPH_TRIES;
	case EV_MUTEX_UNLOCK:
	case EV_SPIN_UNLOCK:
	case EV_COND_WAIT:
		return GRAPH_FREES;
	default:
		return GRAPH_NO_MUTEX;
	}
}

/* Returns the second object of the library that a call uses; 0: none. */
static object_id second_object(const struct event *e)
{
	return e->kind == EV_FUTEX_WAIT && object_is_memory(e->obj[1]) ? 0 : e->obj[1];
}

/* Returns whether the event can be in a chain: its objects are of the library. */
static bool is_call(const struct event *e)
{
	object_id other = second_object(e);
	return e->obj[0] && !object_is_memory(e->obj[0]) && !(other && object_is_memory(other));
}

/* Returns whether the event ends a barrier. */
static bool ends_barrier(const struct event *e)
{
	return e->kind == EV_BARRIER_DESTROY || (e->kind == EV_BARRIER_INIT && e->obj[1]);
}

/* The number for what a call does. A writer's call was announced as RW_WRWAIT if it would have claimed the lock then,
   and that may have changed. */
static unsigned number_of(unsigned kind)
{
	return kind == EV_RW_WRWAIT || kind == EV_RW_TRYWRLOCK ? EV_RW_WRLOCK : kind;
}

/* Sets *op to the call of thread t. Its objects have been used in this execution, or `view` names them. */
static void make_call(struct search *s, const struct event *e, struct rc11_op *op)
{
	const struct graphs_object *all = vec_data(&s->core, &s->graphs.objects);
	unsigned i;
	op->kind = RC11_CALL;
	op->other = number_of(e->kind);
	op->update = mutex_call(e->kind, &i);
	op->operand = op->update == GRAPH_NO_MUTEX || !e->obj[i] ? 0 : all[known_as(s, e->obj[i]) - 1].name;
}

/* Sets the place of the call to that of the chain. Returns false when there is no room. */
static bool use_chain(struct search *s, struct graphs_object *chain, struct rc11_op *op)
{
	s->graphs.place = graphs_place_of(s, chain->name, GRAPHS_CHAIN);
	if (s->graphs.place == UINT32_MAX)
		return false;
	op->place = graphs_place_at(s, s->graphs.place)->id;
	chain->used = 1;
	return true;
}

/* ---- words: bytes whose accesses are calls ---- */

static struct graphs_word *words(struct search *s)
{
	return vec_data(&s->core, &s->graphs.words);
}

/* Returns the word of exactly these bytes; NULL: there is none. */
static const struct graphs_word *find_word(struct search *s, uint64_t lo, uint64_t hi)
{
	for (uint32_t k = 0; k < s->graphs.words.n; k++)
		if (words(s)[k].lo == lo && words(s)[k].hi == hi)
			return &words(s)[k];
	return NULL;
}

/* Accesses of these bytes are calls of the chain of object i from now on. */
static void add_word(struct search *s, uint64_t lo, uint64_t hi, uint32_t i)
{
	struct graphs_word *word = i == UINT32_MAX ? NULL : vec_push(&s->core, &s->graphs.words, sizeof *word);
	if (!word)
		return;
	*word = (struct graphs_word){.lo = lo, .hi = hi, .object = i};
	s->graphs.again = 1; /* the bytes may be a place so far, and fences did not say what they order */
}

void graphs_note_word(struct search *s, uint64_t lo, uint64_t hi)
{
	if (!find_word(s, lo, hi))
		add_word(s, lo, hi, object_named(s, hash_mix(lo, hi)));
}

/* The same for a word that a call on the futex compares, which is object i. */
static void note_futex_word(struct search *s, uint64_t lo, uint64_t hi, uint32_t i)
{
	const struct graphs_word *word = find_word(s, lo, hi);
	if (word)
		connect(s, i, word->object);
	else
		add_word(s, lo, hi, i);
}

bool graphs_word_access(struct search *s, const struct event *e, uint64_t lo, uint64_t hi)
{
	struct rc11_op *op = &s->graphs.next;
	uint32_t first = UINT32_MAX;
	for (uint32_t k = 0; k < s->graphs.words.n; k++) {
		if (!graphs_overlap(lo, hi, words(s)[k].lo, words(s)[k].hi))
			continue;
		if (first != UINT32_MAX)
			connect(s, first, words(s)[k].object);
		first = words(s)[k].object;
	}
	if (first == UINT32_MAX)
		return false;
	struct graphs_object *chain = chain_of(s, first);
	if (!chain->calls)
		change_chain(s, chain);
	op->order = 0;
	op->kind = RC11_CALL;
	op->other = e->kind;
	op->update = GRAPH_NO_MUTEX;
	op->expected = GRAPH_ONE;
	use_chain(s, chain, op);
	return true;
}

void graphs_call(struct search *s, const struct sched_view *view, const struct event *e, bool timed)
{
	struct rc11_op *op = &s->graphs.next;
	bool late = timed && s->core.config.patience; /* what other threads do decides when time ends it */
	if (!late && !e->obj[0]) /* a mutex that the thread holds, and keeps */
		return;
	if (late || !is_call(e)) {
		graphs_leave(s, late ? GRAPHS_TIMED : e->kind + 1u);
		return;
	}
	object_id other = second_object(e);
	uint32_t i = object_of(s, view, e->obj[0]), j = other ? object_of(s, view, other) : i;
	if (i == UINT32_MAX || j == UINT32_MAX)
		return;
	connect(s, i, j);
	s->graphs.barriers |= e->kind == EV_FUTEX_WAIT || e->kind == EV_FUTEX_WAKE;
	uint64_t lo, hi;
	if (e->kind == EV_FUTEX_WAIT && object_is_memory(e->obj[1]) && event_bytes(e, &lo, &hi))
		note_futex_word(s, lo, hi, i);
	struct graphs_object *chain = chain_of(s, i);
	if (graphs_role(e->kind) != GRAPHS_LOCKING && !chain->calls)
		change_chain(s, chain);
	if (ends_barrier(e) && !chain->passes) {
		s->graphs.again |= chain->used;
		chain->passes = 1;
	}
	if (graphs_role(e->kind) == GRAPHS_PASS && !chain->passes)
		return;
	if (!use_chain(s, chain, op))
		return;
	if (!chain->calls && is_locked(graphs_graph(s), op->place) == (e->kind == EV_MUTEX_LOCK))
		change_chain(s, chain); /* the program makes a mistake */
	if (chain->calls)
		make_call(s, e, op);
	else
		op->kind = e->kind == EV_MUTEX_LOCK ? RC11_LOCK : RC11_UNLOCK;
}

void graphs_order_call(struct search *s, const struct sched_view *view)
{
	struct rc11 *m = graph_model(graphs_graph(s));
	const uint32_t *epoch = vec_data(&s->core, &s->graphs.epochs);
	uint32_t i = s->graphs.called, clock[RC11_THREADS] = {0};
	s->graphs.called = 0;
	uint32_t t = rc11_event(m, i - 1)->op.thread;
	for (uint32_t k = i; k-- > 0;) {
		const struct rc11_event *e = rc11_event(m, k);
		uint32_t u = e->op.thread;
		if (u != t && !clock[u] && epoch[k] <= view->seen(view->world, (thread_id)t, (thread_id)u))
			clock[u] = e->number;
	}
	graph_knows(graphs_graph(s), clock);
}

bool graphs_endless_wait(struct search *s, const struct trace *trace)
{
	for (uint32_t t = 0; t < trace->threads && t < RC11_THREADS; t++) {
		unsigned kind = trace->pending[t].kind;
		/* it does not say whether a futex wait has a limit */
		bool timed = kind == EV_COND_WOKEN || (kind == EV_FUTEX_WOKEN && s->core.config.patience);
		if (timed && !(trace->alts[t] >> ALT_TIMEOUT & 1))
			return true;
	}
	return false;
}

/* Returns whether the object has had an event in this execution. */
static bool was_used(struct search *s, object_id o)
{
	return !o || known_as(s, o);
}

void graphs_waiting(struct search *s, const struct trace *trace)
{
	if (graphs_endless_wait(s, trace))
		graphs_leave(s, GRAPHS_TIMED);
	for (uint32_t t = 0; t < trace->threads && t < RC11_THREADS; t++) {
		const struct event *e = &trace->pending[t];
		if (graphs_role(e->kind) <= GRAPHS_OTHER || trace->alts[t] || !is_call(e))
			continue;
		if (!was_used(s, e->obj[0]) || !was_used(s, second_object(e)))
			continue;
		const struct graphs_object *chain = chain_of(s, known_as(s, e->obj[0]) - 1);
		if (graphs_role(e->kind) == GRAPHS_PASS && !chain->passes)
			continue;
		struct rc11_op op = {.kind = RC11_LOCK, .thread = (uint16_t)t};
		if (chain->calls)
			make_call(s, e, &op);
		op.place = graphs_place_at(s, graphs_place_of(s, chain->name, GRAPHS_CHAIN))->id;
		graph_blocked(graphs_graph(s), &op);
	}
}
