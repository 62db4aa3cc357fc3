/* Threads of the world, what is enabled, and the step. The models are in model_*.c. */
#include "sched/world.h"

#include <errno.h>
#include <string.h>

#include "base/check.h"
#include "sched/endless_step.h"
#include "sched/late_exit.h"
#include "sched/live.h"
#include "sched/membuf.h"
#include "sched/patience.h"
#include "sched/region.h"
#include "sched/section.h"
#include "sched/rounds.h"
#include "sched/world_internal.h"

static const struct model *const models[EV_COUNT] = {
#define EVENTS_BEGIN(section, model) [EV_BEGIN_##section ... EV_LAST_##section] = &model_##model,
#define EVENTS_END(section)
#include "sched/event_kinds.def"
};

const char *misuse_text(unsigned misuse)
{
	static const char *const text[MISUSE_COUNT] = {
		[MISUSE_NONE] = "",
		[MISUSE_UNLOCK_NOT_OWNER] = "unlock by a thread that does not hold the lock",
		[MISUSE_UNLOCK_UNLOCKED] = "unlock of a lock that nobody holds",
		[MISUSE_DESTROY_IN_USE] = "destroy of an object that is still in use",
		[MISUSE_USE_DESTROYED] = "use of an object after it was destroyed",
		[MISUSE_WAIT_WITHOUT_MUTEX] = "wait on a condition with a mutex that the thread does not hold",
		[MISUSE_WAIT_OTHER_MUTEX] = "two threads wait on one condition with different mutexes",
		[MISUSE_EXIT_HOLDING] = "the thread ended while it held a lock",
		[MISUSE_JOIN_TWICE] = "join of a thread that was joined before, or that another thread is joining",
		[MISUSE_JOIN_DETACHED] = "join of a detached thread",
		[MISUSE_UNINITIALISED] = "use of an object that was never initialised",
	};
	return misuse < MISUSE_COUNT ? text[misuse] : "?";
}

/* ---- threads ---- */

static void grow_threads(struct world *w, uint32_t need)
{
	uint32_t cap = w->thread_cap ? w->thread_cap : 16;
	while (cap < need)
		cap *= 2;
	struct wthread **thread = world_alloc(w, cap * sizeof *thread);
	thread_id *live = world_alloc(w, cap * sizeof *live);
	if (w->thread_cap) {
		memcpy(thread, w->thread, w->thread_cap * sizeof *thread);
		memcpy(live, w->live, w->n_live * sizeof *live);
	}
	world_free(w, w->thread, w->thread_cap * sizeof *thread);
	world_free(w, w->live, w->thread_cap * sizeof *live);
	w->thread = thread;
	w->live = live;
	w->thread_cap = cap;
}

static struct wthread *add_thread(struct world *w, thread_id id)
{
	struct wthread *t = world_alloc(w, sizeof *t);
	if (id >= w->thread_cap)
		grow_threads(w, id + 1u);
	uint32_t i = w->n_live++;
	t->id = id;
	t->alive = true;
	t->spurious_left = w->config.settings.spurious;
	for (; i && w->live[i - 1] > id; i--)
		w->live[i] = w->live[i - 1];
	w->live[i] = id;
	w->thread[id] = t;
	if (id >= w->config.trace->threads)
		w->config.trace->threads = id + 1u;
	w->config.trace->pending[id] = (struct event){ .kind = EV_NONE };
	w->config.trace->alts[id] = 0;
	return t;
}

struct world *world_init(struct arena *a, const struct world_config *config)
{
	struct world *w = arena_ptr(a, arena_alloc(a, sizeof *w));
	struct trace *trace = config->trace;
	if (!w)
		return NULL;
	w->arena = a;
	w->steps = 1;
	w->owner = w->turn = NO_THREAD;
	w->config = *config;
	for (uint32_t t = 0; t < trace->threads; t++) {
		trace->pending[t].kind = EV_NONE;
		trace->alts[t] = 0;
	}
	for (uint32_t k = 0; k < trace->agents; k++) {
		trace->pending[MAX_THREADS + k].kind = EV_NONE;
		trace->alts[MAX_THREADS + k] = 0;
	}
	trace->threads = trace->agents = 0;
	live_init(w);
	add_thread(w, 0);
	world_thread_object(w, 0);
	return w;
}

void world_begin_trace(struct world *w)
{
	struct trace *trace = w->config.trace;
	uint32_t known = 0;
	for (uint32_t t = 0; t < trace->threads; t++) {
		if (world_alive(w, (thread_id)t)) {
			known = t + 1;
			continue;
		}
		trace->pending[t].kind = EV_NONE;
		trace->alts[t] = 0;
	}
	trace->n = trace->agents = 0;
	trace->threads = known;
}

bool world_alive(const struct world *w, thread_id t)
{
	return t < w->thread_cap && w->thread[t] && w->thread[t]->alive;
}

unsigned world_live_threads(const struct world *w)
{
	return w->n_live;
}

object_id world_thread_object(struct world *w, thread_id id)
{
	struct wthread *t = w->thread[id];
	if (!t->object) {
		t->object = world_object(w, OBJ_THREAD, id);
		world_obj(w, t->object)->thread.id = id;
	}
	return t->object;
}

void world_set_signal_pending(struct world *w, thread_id t, bool pending)
{
	w->thread[t]->signal_pending = pending;
}

void world_set_cancelable(struct world *w, thread_id t, bool cancelable)
{
	w->thread[t]->cancelable = cancelable;
}

bool world_cancel_requested(const struct world *w, thread_id t)
{
	return w->thread[t]->cancel_requested;
}

/* ---- what is enabled ---- */

static bool alt_is_handler(unsigned alt)
{
	return alt == ALT_SIGNAL || alt == ALT_BEFORE;
}

/* The objects of a handler's event at an interruptible operation: also those of the operation, since whether it waits depends on them. For pause
   nothing does. */
static void look_at_wait(const struct wthread *t, struct decision *d)
{
	const struct op *op = &t->op;
	bool pause = op->kind == EV_SIGNAL_WAIT && !op->arg[0];
	if ((op->flags & OPF_INTERRUPTIBLE) && op->obj[0] && !pause) {
		d->obj[0] = op->obj[0];
		d->obj[1] = op->obj[1] ? op->obj[1] : t->object;
	}
	if (!d->obj[1] || d->obj[1] == d->obj[0]) {
		d->obj[1] = 0;
		d->mode[1] = M_NONE;
	}
}

static void decide(const struct world *w, const struct wthread *t, unsigned alt, struct decision *d)
{
	*d = (struct decision){ .enabled = true, .obj = { t->op.obj[0], t->op.obj[1] }, .outcome = STEP_DONE };
	if (alt_is_handler(alt) || alt == ALT_CANCEL) {
		d->outcome = alt_is_handler(alt) ? STEP_HANDLER : STEP_CANCEL;
		d->obj[0] = t->object;
		d->obj[1] = 0;
		decide_kind(d, alt_is_handler(alt) ? EV_SIGNAL_HANDLER : EV_THREAD_CANCELLED);
		if (alt_is_handler(alt))
			look_at_wait(t, d);
		if (!d->obj[0])
			d->mode[0] = M_NONE;
		if (alt == ALT_CANCEL && t->op.kind == EV_COND_WAIT) {
			d->outcome = STEP_DONE; /* the mutex is still held: the hook unwinds */
			d->result = ECANCELED;
		} else if (alt == ALT_CANCEL && t->waiter) {
			d->outcome = t->op.kind == EV_FUTEX_WOKEN ? STEP_CANCEL : STEP_MORE;
			d->obj[0] = t->waiter->queue;
			d->mode[0] = M_DEQ;
		} else if (alt == ALT_SIGNAL && t->op.kind == EV_FUTEX_WOKEN) { /* the kernel ends the wait, and then runs the handler */
			d->obj[0] = t->waiter->queue;
			d->mode[0] = M_DEQ;
		}
		return;
	}
	if ((t->rounds && rounds_over(w, t)) || (t->limit && endless_over(w, t))) {
		*d = (struct decision){ .kind = EV_WAITING };
		return;
	}
	decide_kind(d, op_kind(&t->op));
	if (alt != ALT_TIMEOUT || !patience_decide_timeout(t, d))
		models[t->op.kind]->decide(w, t, alt, d);
	for (int i = 0; i < 2; i++)
		if (d->mode[i] == M_NONE && !(t->section && section_ends(w, t)))
			d->obj[i] = 0;
}

/* The mode in which a successful operation touches its object, as trace->pending shows it. */
static unsigned success_mode(unsigned kind, unsigned mode)
{
	return event_kind_flags(kind) & K_TRY ? event_kind_mode(kind, 0) : mode;
}

static void fill_event(const struct wthread *t, unsigned alt, const struct decision *d, struct event *e)
{
	unsigned flags = d->flags;
	if (event_kind_flags(d->kind) & K_BLOCK)
		flags |= EVF_BLOCKING;
	if (t->waited)
		flags |= EVF_WAITED;
	if (t->late && (alt == ALT_TIMEOUT || d->kind == EV_EXIT))
		flags |= EVF_LATE;
	e->thread = t->id;
	e->kind = d->kind;
	e->alt = (uint8_t)alt;
	e->mode[0] = d->mode[0];
	e->mode[1] = d->mode[1];
	e->flags = (uint8_t)flags;
	e->obj[0] = d->obj[0];
	e->obj[1] = d->obj[1];
	/* a woken waiter or a signal handler touches no memory, although its operation names some */
	e->span = object_is_memory(d->obj[0] | d->obj[1]) ? t->op.span : 0;
	e->seq = d->seq;
	e->result = d->result;
	e->pc = t->op.pc;
}

/* Writes d, what t's operation would be now, to trace->pending. */
static void show_pending(struct world *w, const struct wthread *t, const struct decision *d)
{
	struct event *e = &w->config.trace->pending[t->id];
	fill_event(t, ALT_NORMAL, d, e);
	if ((d->flags & EVF_FAILED) && d->obj[0]) {
		unsigned mode = success_mode(d->kind, d->mode[0]);
		if (mode != d->mode[0])
			e->flags &= (uint8_t)~EVF_FAILED;
		e->mode[0] = (uint8_t)mode;
	}
}

void world_note_pending(struct world *w, struct wthread *t)
{
	struct event *e = &w->config.trace->pending[t->id];
	struct decision d;
	if (!t->has_op) {
		*e = (struct event){ .kind = EV_NONE };
		return;
	}
	decide(w, t, ALT_NORMAL, &d);
	show_pending(w, t, &d);
	t->noted = w->steps;
	t->decided = d;
}

thread_id world_next_child(const struct world *w, thread_id t)
{
	return thread_names_intern(w->config.names, t, w->thread[t]->children + 1);
}

void world_name_child(struct world *w, struct wthread *t)
{
	thread_id id = world_next_child(w, t->id);
	t->op.obj[0] = 0;
	if (id == NO_THREAD)
		return;
	t->op.obj[0] = world_object(w, OBJ_THREAD, id);
	world_obj(w, t->op.obj[0])->thread.id = id;
}

void world_announce(struct world *w, thread_id id, const struct op *op)
{
	struct wthread *t = w->thread[id];
	INVARIANT(t && t->alive && !t->has_op, "announcement by thread %u, which cannot make one", id);
	INVARIANT(op->kind < EV_COUNT && models[op->kind] && !(event_kind_flags(op->kind) & K_INNER), "operation %u cannot be announced", op->kind);
	SLOW_CHECK(!(op->flags & OPF_TIMED) || event_kind_flags(op->kind) & K_TIMED || event_kind_object(op->kind) == OBJ_MEMORY);
	t->op = *op;
	t->has_op = true;
	t->waited = false;
	t->began = t->clock;
	patience_announced(w, t);
	late_exit_announced(w, t);
	if (t->await || op->flags & OPF_AWAIT)
		await_announced(w, t);
	if (t->rounds || op->state || op->counts)
		rounds_announced(w, t);
	endless_step_announced(w, t);
	if (w->config.sections)
		section_announced(w, t);
	for (int i = 0; i < 2; i++)
		if (op->obj[i] && !object_is_memory(op->obj[i]) && !world_obj(w, op->obj[i])->pc)
			world_obj(w, op->obj[i])->pc = op->pc;
	membuf_announced(w, t);
	if (w->graph)
		live_announced(w, t);
	if (op->kind == EV_THREAD_CREATE)
		world_name_child(w, t);
	if (op->obj[0] && !object_is_memory(op->obj[0]))
		object_named_by_init(w, t);
	world_note_pending(w, t);
}

const struct op *world_pending(const struct world *w, thread_id id)
{
	const struct wthread *t = w->thread[id];
	return t && t->has_op ? &t->op : NULL;
}

/* Returns whether the outcome of such operations depends only on their objects: it changes only when these change. */
static bool depends_on_objects_only(unsigned kind)
{
	const struct model *m = models[kind];
	return m == &model_mutex || m == &model_rwlock || m == &model_sem || kind == EV_COND_WAKE ||
	       kind == EV_COND_RELOCK || kind == EV_COND_SIGNAL || kind == EV_COND_BROADCAST;
}

/* Returns whether t->decided is still what its operation would do. */
static bool unchanged(const struct world *w, const struct wthread *t)
{
	if (!t->noted || !depends_on_objects_only(t->op.kind) || t->limit || (t->rounds && rounds_matter(t)))
		return false;
	return world_obj(w, t->op.obj[0])->changed <= t->noted &&
	       (!t->op.obj[1] || world_obj(w, t->op.obj[1])->changed <= t->noted);
}

/* Returns whether the operation's normal alternative is enabled. Updates trace->pending where events of other threads changed it. */
static bool enabled_now(struct world *w, struct wthread *t)
{
	struct decision d;
	if (unchanged(w, t) && (t->decided.enabled || t->waited))
		return t->decided.enabled;
	decide(w, t, ALT_NORMAL, &d);
	if (!d.enabled && !t->waited) {
		t->waited = true;
		t->noted = 0;
	}
	if (t->noted != w->steps)
		show_pending(w, t, &d);
	t->noted = w->steps;
	t->decided = d;
	return d.enabled;
}

/* Returns whether t's interruptible operation would wait now, so that a handler interrupts it. */
static bool would_wait(const struct world *w, const struct wthread *t)
{
	struct decision d;
	if (!(t->op.flags & OPF_INTERRUPTIBLE))
		return false;
	if (t->op.kind == EV_SLEEP)
		return true;
	if (event_kind_object(t->op.kind) != OBJ_SEM)
		return w->config.waits && w->config.waits(w->config.ready_ctx, t->id, &t->op);
	decide(w, t, ALT_NORMAL, &d);
	return !d.enabled || d.result == ETIMEDOUT;
}

/* The alternatives of t's operation when it is enabled and nothing interrupts it. */
static unsigned own_alternatives(const struct wthread *t)
{
	return t->op.kind == EV_CHOOSE ? choose_alternatives(t) : 1u << ALT_NORMAL;
}

static unsigned alternatives(struct world *w, struct wthread *t)
{
	unsigned alts = 0;
	if (!t->has_op)
		return 0;
	bool waits = late_exit_waits(t) || patience_sleeps(t); /* see world_exit, world_late */
	bool cancels = t->cancel_requested && t->cancelable && (t->op.flags & OPF_CANCELPOINT);
	if (w->buffered && (!membuf_empty(t) || t->op.kind == EV_EXIT || (event_kind_flags(t->op.kind) & K_DRAINS_ALL) || t->op.kind == EV_FENCE)) /* see membuf_lets */
		return !waits && !cancels && enabled_now(w, t) && membuf_lets(w, t, &t->decided) ? own_alternatives(t) : 0;
	/* Signals are blocked in a thread that has not begun yet, and in one that has ended: until then handlers run, as in glibc. */
	if (t->signal_pending && t->op.kind != EV_THREAD_START && !t->op.same)
		alts |= 1u << ALT_SIGNAL | (!(t->op.flags & OPF_BEGUN) && would_wait(w, t) ? 1u << ALT_BEFORE : 0);
	if (cancels)
		return alts | 1u << ALT_CANCEL; /* the thread must act on it here, not later */
	if (!waits && enabled_now(w, t))
		alts |= own_alternatives(t);
	return alts | wait_alternatives(w, t);
}

unsigned world_alternatives(struct world *w, thread_id id)
{
	if (is_agent(id))
		return membuf_alternatives(w, id);
	struct wthread *t = w->thread[id];
	unsigned alts = t && t->alive ? alternatives(w, t) : 0;
	w->config.trace->alts[id] = (uint8_t)alts;
	return alts;
}

unsigned world_choices(struct world *w, struct choice *out, unsigned max)
{
	unsigned n = 0;
	if (w->config.await && w->config.await->nodes)
		await_watch_all(w);
	for (uint32_t i = 0; i < w->n_live; i++) {
		thread_id id = w->live[i];
		unsigned alts = alternatives(w, w->thread[id]);
		w->config.trace->alts[id] = (uint8_t)alts;
		for (unsigned a = 0; alts; a++, alts >>= 1)
			if ((alts & 1) && n++ < max)
				out[n - 1] = (struct choice){ .thread = id, .alt = (uint8_t)a };
	}
	n = n < max ? n : max;
	if (w->buffered)
		n += membuf_choices(w, out + n, max - n);
	return region_choices(w, out, patience_choices(w, out, late_exit_choices(w, out, n)));
}

void world_preview(const void *world, struct choice c, struct event *out)
{
	const struct world *w = world;
	struct decision d;
	if (is_agent(c.thread)) {
		membuf_preview(w, c.thread, out);
		return;
	}
	decide(w, w->thread[c.thread], c.alt, &d);
	fill_event(w->thread[c.thread], c.alt, &d, out);
}

/* ---- the step ---- */

static void create(struct world *w, struct wthread *t, const struct decision *d, struct step *out)
{
	out->created = (thread_id)d->seq;
	if (out->created == NO_THREAD)
		return;
	struct wthread *child = add_thread(w, out->created);
	t->children++;
	child->detached = t->op.flags & OPF_CREATE_DETACHED;
	child->clock = t->clock;
	child->object = d->obj[0];
}

static void touch(struct world *w, object_id o)
{
	if (o && !object_is_memory(o))
		world_obj(w, o)->changed = w->steps;
}

void world_step(struct world *w, struct choice c, struct step *out)
{
	if (is_agent(c.thread)) {
		w->steps++;
		*out = (struct step){ .outcome = STEP_MORE, .created = NO_THREAD };
		membuf_update(w, c.thread, &out->event);
		w->owner = NO_THREAD;
		return;
	}
	struct wthread *t = w->thread[c.thread];
	struct decision d;
	if (c.alt == ALT_NORMAL && unchanged(w, t))
		d = t->decided;
	else
		decide(w, t, c.alt, &d);
	w->steps++;
	SLOW_CHECK(d.enabled);
	*out = (struct step){ .outcome = d.outcome, .result = d.result, .created = NO_THREAD,
		.misuse = d.misuse, .misuse_obj = t->op.obj[0] };
	fill_event(t, c.alt, &d, &out->event);
	bool accesses = event_kind_object(t->op.kind) == OBJ_MEMORY;
	if ((d.result == ETIMEDOUT && !accesses) || t->op.kind == EV_SLEEP)
		out->timed_out = patience_given_up(t, &d);
	if (w->graph && !accesses)
		live_event(w, t);
	if (w->rounds_wrote)
		rounds_noticed(w, t);
	if (t->rounds)
		rounds_performed(w, t, &out->event);
	endless_step_performed(w, t, &out->event);
	for (int i = 0; i < 2; i++) {
		touch(w, d.obj[i]);
		touch(w, t->op.obj[i]);
	}
	t->clock_reads = 0;
	if (t->await)
		await_performed(w, t, &out->event);
	if (event_drains(&out->event))
		membuf_drained(t);
	if ((t->op.flags & OPF_TIMED) && d.result == ETIMEDOUT)
		world_advance(w, t->id, t->op.deadline);
	for (int i = 0; i < 2; i++)
		if (d.obj[i] && !object_is_memory(d.obj[i]) && d.mode[i] != M_POKE && !d.misuse)
			clock_access(w, t, d.obj[i], d.mode[i], d.seq);
	if (c.alt == ALT_SIGNAL) {
		if (t->op.kind == EV_FUTEX_WOKEN) { /* other operations do not change */
			out->result = futex_is_woken(w, t) ? 0 : EINTR;
			cond_cancel(w, t);
			t->has_op = false;
		} else if (would_wait(w, t)) {
			out->result = EINTR;
		}
	} else if (c.alt == ALT_BEFORE) {
		out->result = 0;
	} else if (c.alt == ALT_CANCEL) {
		if (t->waiter)
			cond_cancel(w, t);
	} else {
		if (t->op.kind == EV_THREAD_CREATE)
			create(w, t, &d, out);
		models[t->op.kind]->apply(w, t, c.alt, &d);
		if (w->graph && accesses)
			out->gap = live_gap(w, &t->op);
	}
	if (d.outcome != STEP_MORE && d.outcome != STEP_HANDLER)
		t->has_op = false;
	if (d.outcome == STEP_MORE)
		t->waited = false;
	if (w->config.sections)
		section_performed(w, t, &out->event);
	region_performed(w, t, &out->event);
	late_exit_performed(w, t, &out->event);
	world_note_pending(w, t);
}
