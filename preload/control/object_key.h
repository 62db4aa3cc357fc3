/*
 * By which address the model knows a synchronisation object: the key of its memory (memory/aliases.h), whatever address a call uses.
 *
 * Calls through another address than the key meet those through the key if the object may be shared between processes. Otherwise a thread that sleeps is
 * woken only through the address by which it went to sleep, which the model does not know, so the verdict names it.
 */
#ifndef SIMUL_OBJECT_KEY_H
#define SIMUL_OBJECT_KEY_H

#include <stdint.h>

#include "sched/event_kind.h"

/* Returns the address by which the model knows an object of this kind. A call uses it at addr. */
uint64_t object_key(enum object_kind kind, const void *addr);

#endif
