/* Steps that read older stores (RC11): which store comes after the one that a step reads. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "recorder/recording.h"

static bool same_place(const struct rec_step *a, const struct rec_step *b)
{
	return a->obj[0] == b->obj[0] && a->obj[1] == b->obj[1];
}

static bool writes(const struct rec_step *s)
{
	return s->kind == EV_STORE || (s->kind == EV_RMW && !rec_step_failed(s));
}

/* The position of store `step`, from 1, in the list of n; n when it is not there. */
static size_t position(const size_t *order, size_t n, size_t step)
{
	size_t at = 0;

	while (at < n && order[at] + 1 != step)
		at++;
	return at;
}

size_t rec_step_overwritten(const struct recording *r, size_t i)
{
	const struct rec_step *s = &r->steps[i];
	size_t *order = xcalloc(i + 1, sizeof(*order)), n = 0, found = NO_STEP;
	size_t from = s->result > 0 ? (size_t)s->result : 0;

	for (size_t k = 0; k < i; k++) {
		const struct rec_step *w = &r->steps[k];
		if (!same_place(w, s) || !writes(w))
			continue;
		size_t at = w->result > 0 ? position(order, n, (size_t)w->result) + 1 : 0;
		at = at < n ? at : n;
		for (size_t j = n++; j > at; j--)
			order[j] = order[j - 1];
		order[at] = k;
	}
	size_t at = from ? position(order, n, from) + 1 : 0;
	if (at < n)
		found = order[at];
	free(order);
	return found;
}
