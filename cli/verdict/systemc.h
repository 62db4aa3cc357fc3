#ifndef SIMUL_VERDICT_SYSTEMC_H
#define SIMUL_VERDICT_SYSTEMC_H

#include <stdbool.h>

/* Returns whether the program at `path` contains SystemC's kernel: it was linked statically. false if the file cannot be read. */
bool systemc_is_inside(const char *path);
/* Returns whether the program at `path` needs libsystemc and creates no POSIX threads itself, as far as its own imports show. */
bool systemc_is_used(const char *path);

#endif
