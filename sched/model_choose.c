/* Requests of the program to simul: a value to choose, and assumptions that do not hold. */
#include "sched/choice.h"
#include "sched/world_internal.h"

static struct chosen left_of(const struct op *op)
{
	return choose_chosen((int32_t)op->arg[0]);
}

unsigned choose_alternatives(const struct wthread *t)
{
	unsigned alts = 0;
	for (unsigned part = 0; part < choose_parts(left_of(&t->op)); part++)
		alts |= 1u << choose_alt(part);
	return alts;
}

static void choose_decide(const struct world *w, const struct wthread *t, unsigned alt, struct decision *d)
{
	if (t->op.kind == EV_ASSUME)
		d->enabled = false;
	else
		d->result = choose_result(choose_take(left_of(&t->op), choose_part(alt)));
}

static void choose_apply(struct world *w, struct wthread *t, unsigned alt, const struct decision *d)
{
}

const struct model model_choose = { choose_decide, choose_apply };
