/* The body of a hook that changes files. */
#ifndef SIMUL_WITH_EFFECT_H
#define SIMUL_WITH_EFFECT_H

#include "preload/kernel/file_effects.h"

/* Records the effect on files, makes the call, and returns its result from the hook. */
#define RETURN_WITH_EFFECT(noting, call)                                                           \
	do {                                                                                       \
		struct effect e_ = noting;                                                         \
		return effect_done(&e_, call);                                                     \
	} while (0)

#endif
