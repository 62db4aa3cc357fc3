/* Writes in a round that a later one undoes; see rounds.h. */
#include "sched/membuf.h"
#include "sched/rounds_internal.h"

static bool overlap(const struct write *a, const struct write *b)
{
	return a->addr < b->addr + b->size && b->addr < a->addr + a->size;
}

bool rounds_has_written(const struct rounds *r, uint64_t addr, uint32_t size)
{
	const struct write at = { .addr = addr, .size = size };
	for (uint32_t i = 0; i < r->writes; i++)
		if (overlap(&r->written[i], &at))
			return true;
	return false;
}

void rounds_note_write(struct world *w, const struct wthread *t, uint32_t before)
{
	struct rounds *r = t->rounds;
	r->last = (struct write){ .addr = t->op.arg[0], .size = (uint32_t)t->op.arg[1], .step = w->steps, .before = before };
	r->writing = true;
	w->rounds_wrote = true;
}

/* Keeps the latest write, so that a later one may undo it. */
static void keep(struct rounds *r)
{
	bool fits = r->writes < WRITTEN;
	for (uint32_t i = 0; fits && i < r->writes; i++)
		fits = !overlap(&r->written[i], &r->last) || (r->written[i].addr == r->last.addr && r->written[i].size == r->last.size);
	if (!fits)
		rounds_forget(r);
	if (r->heads)
		r->written[r->writes++] = r->last;
}

bool rounds_written(const struct world *w, const struct wthread *t)
{
	struct rounds *r = t->rounds;
	if (!r->writing)
		return false;
	r->writing = false;
	r->last.after = membuf_value(w, t, r->last.addr, r->last.size);
	keep(r);
	return r->last.after != r->last.before;
}

/* Returns whether the bytes of a write have the values now that they had at the head, as far as the thread has changed them. */
static bool undone_at(const struct rounds *r, uint32_t head, const struct write *at)
{
	uint32_t before = 0, after = 0;
	bool some = false;
	for (uint32_t i = 0; i < r->writes; i++) {
		const struct write *now = &r->written[i];
		if (now->step <= r->head[head].step || now->addr != at->addr)
			continue;
		if (!some)
			before = now->before;
		some = true;
		after = now->after;
	}
	return before == after;
}

bool rounds_undone(const struct rounds *r, uint32_t head)
{
	bool all = true;
	for (uint32_t i = 0; i < r->writes; i++)
		all &= undone_at(r, head, &r->written[i]);
	return all;
}

/* Another thread accesses the bytes of this write. Where they are not as they were at a head, it sees that, so no round from there can be left out. */
static void notice(struct rounds *r, const struct write *at)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < r->heads; i++) {
		if (undone_at(r, i, at))
			r->head[kept++] = r->head[i];
		for (uint32_t k = 0; kept <= i && k < r->holds; k++)
			r->hold[k].heads -= r->hold[k].heads > kept;
	}
	r->heads = kept;
}

void rounds_noticed(struct world *w, const struct wthread *by)
{
	const struct op *op = &by->op;
	bool futex = op->kind == EV_FUTEX_WAIT; /* it reads the word */
	const struct write at = { .addr = futex ? world_object_address(w, op->obj[0]) : op->arg[0], .size = futex ? sizeof(uint32_t) : (uint32_t)op->arg[1] };
	if (!futex && event_kind_object(op->kind) != OBJ_MEMORY)
		return;
	for (uint32_t i = 0; i < w->n_live; i++) {
		struct rounds *r = w->thread[w->live[i]]->rounds;
		if (!r || w->live[i] == by->id || !rounds_has_written(r, at.addr, at.size))
			continue;
		uint32_t kept = 0;
		for (uint32_t k = 0; k < r->writes; k++)
			if (overlap(&r->written[k], &at))
				notice(r, &r->written[k]);
		for (uint32_t k = 0; k < r->writes; k++)
			if (!overlap(&r->written[k], &at))
				r->written[kept++] = r->written[k];
		r->writes = kept;
	}
}
