/*
 * Pointers to the functions that hooks.def interposes: real_NAME for every MODEL and REFUSE line.
 * Filled by real_init() in the constructor; a hook that runs before that (from another library's
 * constructor, or from the dynamic linker) fills it itself by calling real_init(), which is
 * idempotent.
 */
#ifndef SIMUL_REAL_H
#define SIMUL_REAL_H

#include "preload/hook_types.h"

#define MODEL(ret, name, args) extern ret(*real_##name) args;
#define PASS(ret, name, args)
#define REFUSE(ret, name, args) extern ret(*real_##name) args;
#include "preload/hooks.def"
#undef MODEL
#undef PASS
#undef REFUSE

void real_init(void);

#endif
