/*
 * Pointers to the functions that hooks.def interposes: real_NAME for every MODEL and REFUSE line. They may be called at any time: until
 * real_init() has run in the constructor, each resolves itself at its first call. Afterwards a pointer is NULL when libc has no such
 * (default) symbol. A second call of real_init() is harmless.
 */
#ifndef SIMUL_REAL_H
#define SIMUL_REAL_H

#include "preload/base/hook_types.h"

/* The second declaration makes the hook visible, and checks its type against libc's header. */
#define MODEL(ret, name, args) extern ret(*real_##name) args; extern ret name args HOOK_EXPORT;
/* The program calls the function of this name in x86_64/entry.S, which reports the accesses and then calls hook_NAME. */
#define SEEN(ret, name, args, ...) extern ret(*real_##name) args; extern ret name args __asm__("hook_" #name);
#define PASS(ret, name, args)
#define REFUSE(ret, name, args) extern ret(*real_##name) args; extern ret name args HOOK_EXPORT;
#include "preload/base/hooks.def"
#undef MODEL
#undef PASS
#undef REFUSE

void real_init(void);
/* Returns the function behind the hook of that name: the first one after libsimul.so in the search order. NULL: no hook has that name, or
   there is no such function. */
void *real_function(const char *name);

#endif
