/* What the parts of certify.c share: a certificate that is being made. */
#ifndef SIMUL_CERTIFY_INTERNAL_H
#define SIMUL_CERTIFY_INTERNAL_H

#include "cli/certify/address_map.h"
#include "cli/certify/certify.h"
#include "cli/supervise/search.h"
#include "cli/verdict/verdict.h"
#include "recorder/recording.h"

struct certifying {
	const struct verdict *verdict;
	const struct search *search;
	struct event *event; /* of the spine; a checked copy */
	uint32_t n, certified, frozen, siblings; /* see struct explore_spine */
	struct event sibling[SPINE_SIBLINGS];
	struct execution at_end; /* the state at the end of the search: names, pool, memory */
	struct certificate *c;
	struct recording *recording;
	struct address_map *map;
	struct session_sensors *sensors;
	uint32_t *object;  /* by object of the recording: index in the certificate + 1; 0: not in it yet */
	uint32_t files;    /* index + 1 of the object that stands for all files; 0: not in it yet */
	uint32_t *thread;  /* by thread_id: index in the certificate + 1; 0: not in it yet */
	char why[1024];    /* why there is no certificate; "": nothing failed so far */
};

/* There is no certificate, for this reason, unless there is an earlier one. */
void certify_fail(struct certifying *x, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* ---- events.c ---- */

/* Returns the index of a thread in the certificate, added if new. */
uint32_t certify_thread(struct certifying *x, thread_id t);
/* Adds the n events of the spine, as they were repeated in the process of this segment, with their threads and
   objects, and which of them are certified. maps: of that process. Fails if one that must be in order cannot be
   enforced. */
void certify_events(struct certifying *x, const struct segment *seg, const struct event *event, uint32_t n,
	const char *maps);

#endif
