/* Executions of a toy program, one after another or guided. */
#ifndef SIMUL_LIB_PATH_H
#define SIMUL_LIB_PATH_H

#include "replay/minimize_internal.h"
#include "tests/unit/lib_toy.h"

/* The choices of an execution, of which the next one changes the last that has another value. Zeroed memory is the
   first. */
struct path {
	uint32_t n, pos;
	struct {
		uint8_t tried, of;
	} at[TOY_TRACE];
	uint64_t enabled[TOY_TRACE]; /* enabled threads when this event was picked */
};
/* For toy_execute; ctx: struct path. */
int path_choice(void *ctx, const struct sched_view *view);
/* Goes on to the next execution. Returns false if all were made. */
bool path_advance(struct path *p);

/* Runs one execution that follows these turns as far as it can (replay/guided.h). Sets the events and notes of *out, which are valid until the
   next call. */
enum run_verdict guided_once(struct toy *toy, const struct guided_turn *turn, uint32_t turns, struct minimize_outcome *out);

#endif
