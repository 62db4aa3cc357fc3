/* Makes the plan (plan.h) from a certificate. */
#ifndef SIMUL_PLAN_MAKE_H
#define SIMUL_PLAN_MAKE_H

#include "enforce/certificate.h"
#include "enforce/plan.h"

struct plan_options {
	bool any_arguments; /* the program may have other arguments than the certified ones */
	bool any_value; /* what events read is not compared */
	bool uncertified, trace, relaxed; /* relaxed: the prefix may become shorter while the program runs */
	uint32_t stall_ms;
};

/* Returns a file descriptor of the plan, which a new program inherits; -1 with errno on failure. */
int plan_make(const struct certificate *c, const struct plan_options *o);

#endif
