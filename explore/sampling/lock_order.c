/* The orders in which threads take locks: see lock_order.h. */
#include "explore/sampling/lock_order.h"

#include "explore/sampling/giveway.h"
#include "explore/sampling/surw_profile.h"

#define HELD_MOST 64u /* locks that threads hold at the same time; more are ignored */

/* The thread held one lock when it took another one. */
struct edge {
	uint64_t held, taken; /* names */
	thread_id thread;
	uint8_t circular;     /* edges of other threads lead from `taken` back to `held` */
	uint8_t pad_[5];
};

enum step { STEP_NONE, STEP_TAKES, STEP_TRIES, STEP_RELEASES };

static struct edge *edges(struct core *s)
{
	return vec_data(s, &sample_of(s)->orders);
}

/* What the event does to its object k, if that is a lock. STEP_TRIES: an attempt that failed. */
static enum step step_on(const struct event *e, unsigned k)
{
	enum object_kind kind = k == 0 ? event_kind_object(e->kind) : event_kind_flags(e->kind) & K_MUTEX2 ? OBJ_MUTEX : OBJ_NONE;
	if (kind != OBJ_MUTEX && kind != OBJ_SPIN && kind != OBJ_RWLOCK && kind != OBJ_SEM)
		return STEP_NONE;
	if (k == 0 && event_kind_flags(e->kind) & K_TRY && event_failed(e))
		return STEP_TRIES;
	unsigned mode = e->mode[k];
	if (mode == M_ACQ || mode == M_RDACQ || mode == M_RECV)
		return STEP_TAKES;
	return mode == M_REL || mode == M_RDREL || mode == M_SEND ? STEP_RELEASES : STEP_NONE;
}

/* ---- the orders of an execution ---- */

static bool add_edge(struct core *s, thread_id t, uint64_t held, uint64_t taken)
{
	struct vec *v = &sample_of(s)->orders;
	const struct edge *have = edges(s);
	for (uint32_t i = 0; i < v->n; i++)
		if (have[i].thread == t && have[i].held == held && have[i].taken == taken)
			return false;
	struct edge *e = v->n < LOCK_ORDERS_MOST ? vec_push(s, v, sizeof *e) : NULL;
	if (!e)
		return false;
	*e = (struct edge){.held = held, .taken = taken, .thread = t};
	return true;
}

/* Returns whether edges of other threads lead from the lock that edge i takes to the one that it holds. */
static bool is_circular(const struct edge *e, uint32_t n, uint32_t i)
{
	bool reached[LOCK_ORDERS_MOST] = {false};
	uint32_t queue[LOCK_ORDERS_MOST], end = 0;
	uint64_t at = e[i].taken;
	for (uint32_t next = 0;; at = e[queue[next++]].taken) {
		if (at == e[i].held)
			return true;
		for (uint32_t k = 0; k < n; k++)
			if (!reached[k] && e[k].held == at && e[k].thread != e[i].thread) {
				reached[k] = true;
				queue[end++] = k;
			}
		if (next == end)
			return false;
	}
}

struct held {
	uint64_t name;
	thread_id thread;
};

/* Removes a lock from those that are held. Another thread than the holder may post a semaphore. */
static uint32_t release(struct held *held, uint32_t n, thread_id t, uint64_t name)
{
	uint32_t found = n;
	for (uint32_t i = 0; i < n; i++)
		if (held[i].name == name && (found == n || held[i].thread == t))
			found = i;
	if (found < n)
		held[found] = held[--n];
	return n;
}

void lock_order_learn(struct core *s, const struct trace *trace)
{
	struct held held[HELD_MOST];
	uint32_t n = 0;
	bool news = false;
	if (!s->config.directed)
		return;
	for (uint32_t i = 0; i < trace->n; i++)
		for (unsigned k = 0; k < 2; k++) {
			const struct event *e = &trace->event[i];
			enum step step = step_on(e, k);
			uint64_t name = step == STEP_NONE ? 0 : profile_name(s, e, k);
			if (!name)
				continue;
			if (step == STEP_RELEASES) {
				n = release(held, n, e->thread, name);
				continue;
			}
			for (uint32_t h = 0; h < n; h++)
				if (held[h].thread == e->thread && held[h].name != name)
					news |= add_edge(s, e->thread, held[h].name, name);
			if (step == STEP_TAKES && n < HELD_MOST)
				held[n++] = (struct held){name, e->thread};
		}
	if (news)
		for (uint32_t i = 0; i < sample_of(s)->orders.n; i++)
			edges(s)[i].circular = is_circular(edges(s), sample_of(s)->orders.n, i);
}

/* ---- directed executions ---- */

/* Returns whether the thread holds this lock in a cycle. */
static bool holds_in_cycle(struct core *s, thread_id t, uint64_t name)
{
	const struct edge *e = edges(s);
	for (uint32_t i = 0; i < sample_of(s)->orders.n; i++)
		if (e[i].circular && e[i].thread == t && e[i].held == name)
			return true;
	return false;
}

void lock_order_begin(struct core *s)
{
	struct sampling *p = sample_of(s);
	bool any = false;
	for (uint32_t i = 0; i < p->orders.n; i++)
		any |= edges(s)[i].circular;
	p->slow = any && p->epoch & 2 ? 4u << 2 * sample_below(s, 4) : 0;
}

void lock_order_follow(struct core *s, const struct event *e)
{
	if (!sample_of(s)->slow || is_agent(e->thread))
		return;
	struct runner *r = sample_runner(s, e->thread);
	for (unsigned k = 0; r && k < 2; k++) {
		enum step step = step_on(e, k);
		if ((step != STEP_TAKES && step != STEP_RELEASES) || !holds_in_cycle(s, e->thread, profile_name(s, e, k)))
			continue;
		if (step == STEP_TAKES && r->holds < UINT8_MAX)
			r->holds++;
		else if (step == STEP_RELEASES && r->holds)
			r->holds--;
	}
	if (r && r->holds)
		giveway_pass_over(s, r, 1 + sample_below(s, 2 * sample_of(s)->slow));
}
