/* Which signal handlers of a certified prefix can be run at their place (docs/enforcement.md, "Handlers"). */
#ifndef SIMUL_CERTIFY_HANDLERS_H
#define SIMUL_CERTIFY_HANDLERS_H

#include <stddef.h>

#include "base/session.h"
#include "enforce/certificate.h"
#include "enforce/partial_order.h"
#include "recorder/recording.h"

/* Of the execution whose schedule is the prefix and what follows it. */
struct handlers {
	const struct event *event;
	uint32_t n;
	const struct partial_order *order;
	const struct recording *recording;      /* with a step for each event */
	const struct session_sensors *sensors;  /* of a process that has had this execution only */
	const char *maps;                       /* of that process */
};

/* Writes why a handler or a signal of the prefix cannot be enforced to `why`, unless that has a text; "" stays if all
   can. */
void handlers_check(const struct handlers *h, char *why, size_t size);
/* The same for the stacks on which handlers of the prefix run. Call it when the certificate has its events and shared
   bytes. */
void handlers_check_stacks(const struct certificate *c, char *why, size_t size);

#endif
