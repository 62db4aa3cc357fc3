/* The modules that the certificate names, in this process. */
#ifndef SIMUL_ENFORCE_MODULES_H
#define SIMUL_ENFORCE_MODULES_H

#include "enforce/plan.h"

/* Finds the modules. Ends the program with a message if one is missing or is another build. */
void modules_init(void);
/* Returns the address at which a range of the plan begins. */
uint64_t modules_address(const struct plan_range *range);

#endif
