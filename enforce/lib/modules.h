/* The modules that the certificate names, in this process. */
#ifndef SIMUL_ENFORCE_MODULES_H
#define SIMUL_ENFORCE_MODULES_H

#include "enforce/plan.h"

/* Finds them. Refuses when one is missing or another build. */
void modules_init(void);
/* The address that a range of the plan begins at. */
uint64_t modules_address(const struct plan_range *range);

#endif
