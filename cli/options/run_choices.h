/* The values of the options of `simul run` that choose one of several. Each list is in the order of its enum and ends with NULL. */
#ifndef SIMUL_RUN_CHOICES_H
#define SIMUL_RUN_CHOICES_H

extern const char *const choices_isolation[];      /* enum session_isolation */
extern const char *const choices_own_locks[];      /* enum own_locks */

#endif
