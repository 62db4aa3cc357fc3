/* The modules that the certificate names, in this process. */
#ifndef SIMUL_ENFORCE_MODULES_H
#define SIMUL_ENFORCE_MODULES_H

#include <stdbool.h>

#include "enforce/plan.h"

/* Finds the modules. Ends the program with a message if one is another build. Returns false if some are not loaded yet. */
bool modules_init(void);
/* Finds those that were not loaded before. Ends the program with a message if one is still missing, or is another build. */
void modules_require(void);
/* Returns whether the addresses of the module are known. */
bool modules_found(uint32_t module);
/* Returns the address at which a range of the plan begins. */
uint64_t modules_address(const struct plan_range *range);

#endif
