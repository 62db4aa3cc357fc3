/* Memory in a recorded schedule: pairs each UPDATE with its store, and finds the steps that name the same bytes. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "recorder/recording.h"

/* The stores in a thread's buffer, oldest first, as a list of steps. */
struct queue {
	size_t first, last; /* NO_STEP when there is none */
};

static void push(struct queue *q, size_t *next, size_t step)
{
	next[step] = NO_STEP;
	if (q->first == NO_STEP)
		q->first = step;
	else
		next[q->last] = step;
	q->last = step;
}

/* Removes and returns the oldest store at this place, or NO_STEP. Buffers are short, so a linear search is enough. */
static size_t take(struct queue *q, size_t *next, const struct recording *r, uint64_t place)
{
	size_t before = NO_STEP, at = q->first;

	while (at != NO_STEP && r->steps[at].place != place) {
		before = at;
		at = next[at];
	}
	if (at == NO_STEP)
		return NO_STEP;
	if (before == NO_STEP)
		q->first = next[at];
	else
		next[before] = next[at];
	if (q->last == at)
		q->last = before;
	return at;
}

bool recording_pair_stores(const struct recording *r, size_t *partner, size_t *step)
{
	struct queue *queue = xcalloc(r->n_threads, sizeof(*queue));
	size_t *next = xcalloc(r->n_steps, sizeof(*next)), i;

	for (size_t t = 0; t < r->n_threads; t++)
		queue[t].first = queue[t].last = NO_STEP;
	for (i = 0; i < r->n_steps; i++) {
		const struct rec_step *s = &r->steps[i];

		partner[i] = NO_STEP;
		if (s->buffered)
			push(&queue[s->thread], next, i);
		if (s->kind != EV_UPDATE)
			continue;
		partner[i] = take(&queue[s->thread], next, r, s->place);
		if (partner[i] == NO_STEP)
			break;
		partner[partner[i]] = i;
	}
	if (step)
		*step = i;
	free(queue);
	free(next);
	return i == r->n_steps;
}

static bool overlaps(const struct recording *r, object_id a, object_id b)
{
	const struct rec_object *x = a ? &r->objects[a - 1] : NULL, *y = b ? &r->objects[b - 1] : NULL;

	return x && y && x->kind == OBJ_MEMORY && y->kind == OBJ_MEMORY && x->addr < y->addr + y->size &&
	       y->addr < x->addr + x->size;
}

bool recording_touches(const struct recording *r, const struct rec_step *s, object_id o)
{
	return overlaps(r, s->obj[0], o) || overlaps(r, s->obj[1], o);
}
