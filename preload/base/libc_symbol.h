/* Functions of libc by its table of symbols. */
#ifndef SIMUL_LIBC_SYMBOL_H
#define SIMUL_LIBC_SYMBOL_H

/* Returns the function of that name in libc (before glibc 2.34 also in libdl); NULL: there is none. If there are several versions, returns
   any of them. May be called at any time. */
void *libc_symbol(const char *name);

#endif
