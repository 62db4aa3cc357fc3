/* The declarations of the functions that libsimul.so interposes (systemc.def). */
#ifndef SIMUL_SYSTEMC_HOOKS_H
#define SIMUL_SYSTEMC_HOOKS_H

#include <stdbool.h>

#include "preload/base/hook_types.h"

#define INTERPOSED(result, name, arguments, symbol) HOOK_EXPORT result systemc_##name arguments __asm__(#symbol);
#include "preload/cooperative/systemc.def"
#undef INTERPOSED

#endif
