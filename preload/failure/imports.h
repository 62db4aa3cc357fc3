/* Finds out which functions the modules of the program call, or take the address of. */
#ifndef SIMUL_IMPORTS_H
#define SIMUL_IMPORTS_H

#include <stdbool.h>

/* Returns whether a loaded module other than libsimul.so imports one of these functions. The list ends with NULL. */
bool imports_any(const char *const *names);
/* Returns whether one imports a function whose name begins like that and is not in the list. */
bool imports_others(const char *begins, const char *const *names);

#endif
