/* Threads that waited for each other when the process ended with status 0: a note in the verdict. The exit hid what would be a deadlock. */
#ifndef SIMUL_VERDICT_CIRCLE_TEXT_H
#define SIMUL_VERDICT_CIRCLE_TEXT_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "base/session.h"
#include "recorder/symbols/symbols.h"
#include "sched/ids.h"

struct circle_note {
	uint64_t executions; /* that ended so; 0: none, and nothing else is set */
	bool others;         /* the threads differ between these executions; the ones below are those of the first */
	bool cut;            /* there are more threads than these */
	size_t n;
	char *thread[SESSION_CIRCLE]; /* "T0.1", each followed by the one that it waits for */
	char *where[SESSION_CIRCLE];  /* "a.c:12"; "?" when unknown */
};

/* `symbols` may be NULL. */
void circle_describe(struct circle_note *out, const struct session_circles *seen, const struct thread_names *names, struct symbols *symbols);
void circle_free(struct circle_note *note);
/* "; in 1 of 3 executions threads T0.1 and T0.2 waited for each other for ever when the process ended (a.c:12, a.c:20)"; "" without such
   executions. malloc()ed. */
char *circle_text(const struct circle_note *note, uint64_t executions);
/* The note as JSON; null without such executions. */
json_t *circle_json(const struct circle_note *note);

#endif
