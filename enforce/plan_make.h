/* From a certificate to what the library is given (plan.h). */
#ifndef SIMUL_PLAN_MAKE_H
#define SIMUL_PLAN_MAKE_H

#include "enforce/certificate.h"
#include "enforce/plan.h"

struct plan_options {
	bool any_value; /* what events read is not compared */
	bool uncertified, trace, relaxed; /* relaxed: the prefix may get shorter while the program runs */
	uint32_t stall_ms;
};

/* A descriptor of the plan, which is inherited; -1 with errno. */
int plan_make(const struct certificate *c, const struct plan_options *o);

#endif
