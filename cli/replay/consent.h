/* Consent of the user: a recording made by another person may name any program, so nothing of it runs before the user agrees. */
#ifndef SIMUL_CONSENT_H
#define SIMUL_CONSENT_H

#include <stdbool.h>

#include "cli/replay/recorded.h"

/*
 * Returns whether the recording may be run: this user made it on this machine, `trusted` is true (--trust), or the user agrees at the
 * terminal after seeing what would run. false: a message was printed. Call it after recorded_read.
 */
bool consent_to_run(const struct recorded *rec, const char *command, bool trusted);

#endif
