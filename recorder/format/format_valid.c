/* The valid ranges of all fields of a recording. The writer guarantees them, the reader requires them. */
#include "sched/choice.h"
#include "recorder/format/format.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

/* Parses "T0.1.2". Returns the length of the parent's path, 0 for T0 itself, or -1 when it is not a path. */
static int path_parent(const char *path)
{
	size_t n = path ? strlen(path) : 0, last = 0;

	if (n < 2 || n >= FORMAT_MAX_PATH || strncmp(path, "T0", 2) != 0)
		return -1;
	for (size_t i = 2; i < n; i = last + 1 + strspn(path + last + 1, "0123456789")) {
		if (path[i] != '.' || path[i + 1] < '1' || path[i + 1] > '9')
			return -1;
		if (strtoul(path + i + 1, NULL, 10) > UINT16_MAX)
			return -1;
		last = i;
	}
	return (int)last;
}

static bool has_path(const struct recording *r, size_t below, const char *path, size_t n)
{
	for (size_t i = 0; i < below; i++)
		if (strlen(r->threads[i].path) == n && memcmp(r->threads[i].path, path, n) == 0)
			return true;
	return false;
}

static bool refuse(const char **why, const char *text)
{
	*why = text;
	return false;
}

static bool objects_in_range(const struct recording *r, const object_id obj[2])
{
	return obj[0] <= r->n_objects && obj[1] <= r->n_objects;
}

static bool thread_or_none(const struct recording *r, thread_id t)
{
	return t == NO_THREAD || t < r->n_threads;
}

static bool valid_stack(const struct rec_stack *s)
{
	if (s->n > FORMAT_MAX_FRAMES || (s->n && !s->frame))
		return false;
	for (size_t i = 0; i < s->n; i++)
		if (s->frame[i].line < 0)
			return false;
	return true;
}

static bool valid_threads(const struct recording *r, const char **why)
{
	if (r->n_threads > MAX_THREADS)
		return refuse(why, "there are too many threads");
	for (size_t i = 0; i < r->n_threads; i++) {
		const struct rec_thread *t = &r->threads[i];
		int parent = path_parent(t->path);
		if (parent < 0 || (parent == 0) != (i == 0))
			return refuse(why, "a thread's name is not a spawn path");
		if (i && !has_path(r, i, t->path, (size_t)parent))
			return refuse(why, "a thread is listed before its parent");
		if (has_path(r, i, t->path, strlen(t->path)))
			return refuse(why, "a thread is listed twice");
		if (t->pending_kind >= EV_COUNT || !objects_in_range(r, t->pending_obj))
			return refuse(why, "a thread waits for something unknown");
		if (!thread_or_none(r, t->waits_for))
			return refuse(why, "a thread waits for an unknown thread");
		if (!valid_stack(&t->stack))
			return refuse(why, "a thread's stack is out of range");
	}
	return true;
}

/* Returns whether the step's store buffer fields are consistent with the memory model. */
static bool valid_buffering(const struct recording *r, const struct rec_step *s, const char **why)
{
	if (!s->buffered && s->kind != EV_UPDATE)
		return s->place == PLACE_ALL || refuse(why, "a step that stores nothing has a place in a store buffer");
	if (!model_has_buffers(r->settings.model))
		return refuse(why, "a store is buffered in a recording without store buffers");
	if (s->buffered && s->kind != EV_STORE)
		return refuse(why, "a step that is not a store is buffered");
	if ((r->settings.model == MODEL_TSO) != (s->place == PLACE_ALL))
		return refuse(why, "a store goes through a buffer that the memory model does not have");
	if (s->number >= UPDATE_NUMBERS || s->epoch >= UPDATE_EPOCHS)
		return refuse(why, "the number of a store is out of range");
	return true;
}

static bool valid_value(const struct recording *r, const struct rec_step *s, const char **why)
{
	const struct rec_object *o = s->obj[0] ? &r->objects[s->obj[0] - 1] : NULL;

	if (!s->value.size)
		return true;
	if (event_kind_object(s->kind) != OBJ_MEMORY || !o || o->kind != OBJ_MEMORY || s->value.size > REC_VALUE ||
		s->value.size != o->size)
		return refuse(why, "a step has a value of another size than its object");
	return true;
}

static bool valid_tries(const struct recording *r, const char **why)
{
	for (size_t i = 0; i < r->n_tries; i++) {
		const struct rec_try *t = &r->tries[i];
		if (t->kind >= REC_TRY_KINDS || t->result >= REC_TRY_RESULTS || t->thread >= r->n_threads || t->before >= r->n_steps ||
			(t->kind != REC_TRY_CHOICE && t->step != NO_STEP && t->step >= r->n_steps))
			return refuse(why, "an experiment names an unknown step or thread");
		if ((t->kind == REC_TRY_STORE && (t->step == NO_STEP || !r->steps[t->step].buffered)) ||
			(t->kind == REC_TRY_CHOICE && (r->steps[t->before].kind != EV_CHOOSE ||
				t->step >= choose_chosen(r->steps[t->before].result).of)) ||
			(t->kind == REC_TRY_GO_ON && t->step != NO_STEP))
			return refuse(why, "an experiment names a step of the wrong kind");
	}
	return true;
}

static bool valid_orders(const struct recording *r, const char **why)
{
	const struct rec_orders *o = &r->orders;

	if (o->runs && r->settings.model != MODEL_RC11)
		return refuse(why, "stronger orders were tried under another model");
	if (!o->prevented)
		return true;
	if (!o->n || o->step >= r->n_steps ||
		(!alternative_is_older(r->steps[o->step].alt) && r->steps[o->step].kind != EV_DEATH))
		return refuse(why, "stronger orders have no place or no effect");
	for (size_t i = 0; i < o->n; i++) {
		size_t step = o->place[i].step;
		if (step >= r->n_steps ||
			(r->steps[step].kind != EV_FENCE && event_kind_object(r->steps[step].kind) != OBJ_MEMORY))
			return refuse(why, "a stronger order is not at an access or a fence");
		if (o->place[i].order < RC11_ACQUIRE)
			return refuse(why, "a stronger order orders nothing");
	}
	return true;
}

static bool valid_pointers(const struct recording *r, const char **why)
{
	for (size_t i = 0; i < r->n_pointers; i++)
		if (!r->pointers[i].name || (i && r->pointers[i].addr <= r->pointers[i - 1].addr))
			return refuse(why, "the pointers are not sorted");
	return true;
}

static bool valid_stores(const struct recording *r, const char **why)
{
	size_t *partner = xcalloc(r->n_steps, sizeof(*partner));
	bool ok = recording_pair_stores(r, partner, NULL);

	free(partner);
	return ok || refuse(why, "an update has no store");
}

static bool valid_steps(const struct recording *r, const char **why)
{
	size_t frames = 0;

	for (size_t i = 0; i < r->n_steps; i++) {
		const struct rec_step *s = &r->steps[i];
		frames += s->stack.n;
		if (s->thread >= r->n_threads)
			return refuse(why, "a step has an unknown thread");
		if (s->kind == EV_NONE || s->kind >= EV_COUNT)
			return refuse(why, "a step has an unknown kind");
		if (!alternative_exists(s->alt) || (alternative_is_older(s->alt) && r->settings.model != MODEL_RC11))
			return refuse(why, "a step has an unknown alternative");
		if (!objects_in_range(r, s->obj))
			return refuse(why, "a step has an unknown object");
		if (!valid_buffering(r, s, why) || !valid_value(r, s, why))
			return false;
		if (!valid_stack(&s->stack))
			return refuse(why, "a step's stack is out of range");
		if (frames > FORMAT_MAX_COPIED)
			return refuse(why, "the stacks of all steps are too large together");
	}
	return valid_stores(r, why);
}

static bool valid_labels(const struct recording *r, const char **why)
{
	for (size_t i = 0; i < r->n_labels; i++) {
		const struct rec_label *l = &r->labels[i];
		if (l->thread >= r->n_threads || l->before > r->n_steps || (i && l->before < r->labels[i - 1].before))
			return refuse(why, "a label is out of place");
	}
	return true;
}

static bool valid_cycle(const struct recording *r, const char **why)
{
	if (r->failure.n_cycle > ROBUST_MOST)
		return refuse(why, "the cycle is too long");
	for (size_t i = 0; i < r->failure.n_cycle; i++)
		if (r->failure.cycle[i].step >= r->n_steps || r->failure.cycle[i].next >= ROBUST_STEPS)
			return refuse(why, "the cycle has an unknown step");
	return true;
}

static bool valid_memory(const struct recording *r, const char **why)
{
	const struct rec_memory *m = &r->memory;

	for (size_t i = 0; i < r->n_objects; i++) {
		const struct rec_object *o = &r->objects[i];
		if (o->kind == OBJ_MEMORY && o->addr % MEMORY_PAGE + o->size > MEMORY_PAGE)
			return refuse(why, "an access of memory crosses a page");
		if (o->type.n && (o->kind != OBJ_MEMORY || o->size > REC_VALUE || !value_type_fits(&o->type, o->size)))
			return refuse(why, "a value does not fit its type");
	}
	if (m->n_pages > MEMORY_PAGES || m->n_nodes > AWAIT_NODES || m->n_edges > AWAIT_EDGES)
		return refuse(why, "there are too many memory lines");
	if (m->raced % 8)
		return refuse(why, "the address of a raced line is no word");
	for (size_t i = 0; i < m->n_pages; i++) {
		if (m->page[i].base % MEMORY_PAGE)
			return refuse(why, "the address of a page is invalid");
		for (unsigned k = 0; k < MEMORY_PAGE / 64; k++)
			if (m->page[i].late[k] & ~m->page[i].shared[k])
				return refuse(why, "a late line has bytes that the line of its page does not have");
	}
	for (size_t i = 0; i < m->n_nodes; i++)
		if (!m->node[i].state || (m->node[i].what && event_kind_object(m->node[i].what & 0xff) != OBJ_MEMORY))
			return refuse(why, "a spin loop has an invalid state");
	for (size_t i = 0; i < m->n_edges; i++)
		if (!m->edge[i].from || m->edge[i].from > m->n_nodes || !m->edge[i].to || m->edge[i].to > m->n_nodes)
			return refuse(why, "a round line names an unknown spin loop");
	return true;
}

static bool valid_head(const struct recording *r, const char **why)
{
	if (!r->start.program || !r->start.program[0] || !r->start.argv || !r->start.env || !r->start.build_id)
		return refuse(why, "it does not say which program was run");
	if (!settings_valid(&r->settings) || !r->patch_patterns)
		return refuse(why, "an option is out of range");
	if (r->pool.n > SESSION_POOL)
		return refuse(why, "the pool of threads is too large");
	for (uint32_t i = 0; i < r->pool.n; i++)
		if (strnlen(r->pool.thread[i].path, SESSION_PATH) == SESSION_PATH ||
			r->pool.thread[i].path[strspn(r->pool.thread[i].path, "T.0123456789")])
			return refuse(why, "the name of a pool thread is invalid");
	if (r->failure.kind >= BUG_KINDS || !r->failure.message)
		return refuse(why, "the kind of the failure is unknown");
	if (!thread_or_none(r, r->failure.thread))
		return refuse(why, "the failure is in an unknown thread");
	if (r->failure.block.error >= MEMORY_ERRORS || !thread_or_none(r, r->failure.block.owner[0]) || !thread_or_none(r, r->failure.block.owner[1]) ||
		!valid_stack(&r->failure.block.stack[0]) || !valid_stack(&r->failure.block.stack[1]))
		return refuse(why, "the memory error is unknown");
	if (r->confirmed > r->confirm_tries)
		return refuse(why, "more replays confirmed it than were made");
	if (!valid_stack(&r->failure.stack))
		return refuse(why, "the stack of the failure is out of range");
	for (size_t i = 0; i < r->n_objects; i++)
		if (r->objects[i].kind == OBJ_NONE || r->objects[i].kind >= OBJ_COUNT)
			return refuse(why, "an object has an unknown kind");
	return true;
}

bool recording_valid(const struct recording *r, const char **why)
{
	return valid_head(r, why) && valid_threads(r, why) && valid_memory(r, why) && valid_steps(r, why) &&
	       valid_labels(r, why) && valid_pointers(r, why) && valid_tries(r, why) && valid_orders(r, why) &&
	       valid_cycle(r, why);
}
