/* Memory of modules that is never written once the loader is done: read-only segments, and what is made read-only after relocation (RELRO). */
#ifndef SIMUL_CONSTANTS_H
#define SIMUL_CONSTANTS_H

#include <stdbool.h>
#include <stdint.h>

/* Notes the modules that are loaded. Call it once, when control begins; what is loaded later counts as memory that may be written. */
void constants_begin(void);
/* Returns whether the address lies in such memory. Its reads need no report. */
bool constants_has(uint64_t addr);

#endif
