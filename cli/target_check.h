/*
 * Can simul run this file? Apart from target.h because <elf.h> and sched/event.h both define EV_NONE.
 */
#ifndef SIMUL_TARGET_CHECK_H
#define SIMUL_TARGET_CHECK_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Is the file at `path`, which the user knows as `shown`, something that simul can run? *script: it
 * starts with #!. false: `why` says in one sentence what is wrong and what to do.
 */
bool target_check(const char *path, const char *shown, bool *script, char *why, size_t size);

#endif
