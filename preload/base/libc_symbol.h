/* Functions of libc by its table of symbols. */
#ifndef SIMUL_LIBC_SYMBOL_H
#define SIMUL_LIBC_SYMBOL_H

/* Returns the function of that name which libc (before glibc 2.34 also libdl) defines; NULL: it defines none. If there are several versions,
   any of them. May be called at any time. */
void *libc_symbol(const char *name);

#endif
