/* Finds out which functions the modules of the program call, or take the address of. */
#ifndef SIMUL_IMPORTS_H
#define SIMUL_IMPORTS_H

#include <stdbool.h>

/* Returns whether a loaded module other than libsimul.so imports one of these functions. The list ends with NULL. */
bool imports_any(const char *const *names);

#endif
