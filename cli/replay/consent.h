/* A recording that somebody else made may run any program: nothing of it is run before the user agrees. */
#ifndef SIMUL_CONSENT_H
#define SIMUL_CONSENT_H

#include <stdbool.h>

#include "cli/replay/recorded.h"

/*
 * Returns whether the recording may be run: this user made it here, `trusted` says so (--trust), or the user agrees at the terminal
 * after having seen what it would run. false: a message was printed. Call it after recorded_read.
 */
bool consent_to_run(const struct recorded *rec, const char *command, bool trusted);

#endif
