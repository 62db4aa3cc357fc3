/* What a step does to memory, for the files that look for a mistake in a schedule. */
#ifndef SIMUL_ACCESSES_H
#define SIMUL_ACCESSES_H

#include <string.h>

#include "recorder/recording.h"

/* Returns whether the steps access common bytes. `b` is a memory access; otherwise they do not. */
static inline bool same_memory(const struct recording *r, const struct rec_step *a, const struct rec_step *b)
{
	return b->obj[0] && recording_touches(r, a, b->obj[0]);
}

static inline bool step_reads(const struct rec_step *s)
{
	return s->kind == EV_LOAD || s->kind == EV_RMW;
}

static inline bool step_writes(const struct rec_step *s)
{
	return s->kind == EV_STORE || (s->kind == EV_RMW && !rec_step_failed(s));
}

/* Returns whether the program's own call acquired a lock; the end of a wait is no such call. */
static inline bool step_locks(const struct rec_step *s)
{
	return event_kind_waits(s->kind) == WAITS_LOCK && s->kind != EV_COND_RELOCK && !rec_step_failed(s);
}

/* Returns the bytes that the step found, or left behind. NULL when they are not known, or when it read or wrote
   none. */
static inline const uint8_t *step_found(const struct rec_step *s)
{
	return step_reads(s) && s->value.size && s->value.has_before ? s->value.before : NULL;
}

static inline const uint8_t *step_left(const struct rec_step *s)
{
	return step_writes(s) && s->value.size && s->value.has_after ? s->value.after : NULL;
}

#endif
