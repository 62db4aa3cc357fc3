/* Loops in a schedule: iterations that repeat the same accesses are folded in a table. */
#include <string.h>

#include "recorder/report/report_internal.h"

#define MAX_PERIOD 12 /* accesses in one iteration of a loop */
#define MIN_FOLDED 4  /* accesses; folding fewer would not make the table shorter */

static bool is_access(const struct rec_step *s)
{
	return event_kind_accesses(s->kind) || s->kind == EV_UPDATE;
}

/* Returns whether both are the same access in the code. Elements of an array may differ between iterations. */
static bool same_access(const struct rec_step *a, const struct rec_step *b)
{
	const struct rec_frame *f = rec_stack_user_frame(&a->stack), *g = rec_stack_user_frame(&b->stack);

	return is_access(a) && a->kind == b->kind && a->thread == b->thread && f && g && f->line == g->line &&
		f->offset == g->offset && f->module && g->module && strcmp(f->module, g->module) == 0;
}

/* Returns how many iterations of `period` accesses begin at step i. */
static size_t rounds_at(const struct recording *r, size_t i, size_t period)
{
	size_t k = period;

	if (i + period > r->n_steps)
		return 0;
	while (i + k < r->n_steps && same_access(&r->steps[i + k - period], &r->steps[i + k]))
		k++;
	return k / period;
}

size_t report_find_loop(const struct recording *r, size_t i, size_t *rounds)
{
	size_t best = 0, folded = 0;

	for (size_t period = 1; period <= MAX_PERIOD && is_access(&r->steps[i]); period++) {
		size_t n = rounds_at(r, i, period);
		if (n >= LOOP_ROUNDS && (n - 1) * period >= MIN_FOLDED && n * period > folded + period) {
			best = period;
			folded = n * period;
			*rounds = n;
		}
	}
	return best;
}
