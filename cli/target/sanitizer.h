/*
 * Programs built with -fsanitize: which of them simul can run, and what it must preload for them.
 *
 * libsimul.so implements the functions of ThreadSanitizer's runtime, so the real runtime must not be loaded. A stand-in replaces it: a
 * preloaded library with the SONAME that the program needs, installed beside libsimul.so.
 */
#ifndef SIMUL_SANITIZER_H
#define SIMUL_SANITIZER_H

#include <stdbool.h>
#include <stddef.h>

/* A set of stand-ins is a mask of 1 << number. */
#define SANITIZER_STANDINS 2
#define SANITIZER_FD 201 /* sanitizer_open: this descriptor and the next SANITIZER_STANDINS */
#define SANITIZER_ALL ((1u << SANITIZER_STANDINS) - 1)

/* Facts from the program file. */
struct sanitizer_facts {
	bool thread, address; /* the runtime is linked in */
	bool undefined;       /* it calls UndefinedBehaviorSanitizer and does not define it */
};
struct Elf; /* of libelf.h, which cannot be included together with sched/event.h */
void sanitizer_read(struct Elf *elf, struct sanitizer_facts *out);

/* Returns the stand-ins needed for `line`, one line of the dynamic linker's list of libraries. */
unsigned sanitizer_standins(const char *line);

/* Returns the path of AddressSanitizer's shared runtime, which must be loaded first, if the line names it, malloc()ed; otherwise NULL. */
char *sanitizer_first(const char *line);

/* Return whether a program can run with this library, and with such facts. `standins`: the ones it needs; env: the environment in which it
   will run. false: `why` continues the sentence after the program's name. */
bool sanitizer_library_ok(const char *name, char *why, size_t size);
bool sanitizer_ok(const struct sanitizer_facts *f, unsigned standins, char *const *env, char *why, size_t size);

/* Returns the value for LD_PRELOAD: `first` (may be NULL), `library` (libsimul.so, an absolute path) and the stand-ins beside it,
   malloc()ed. */
char *sanitizer_preload(const char *first, const char *library, unsigned standins);
/* Like sanitizer_preload, with descriptors from `fd` on, up to 1 + SANITIZER_STANDINS; sanitizer_open opens them in the process that will
   run the program. false: errno gives the reason. */
char *sanitizer_preload_by_fd(const char *first, int fd, unsigned standins);
bool sanitizer_open(int fd, const char *library, unsigned standins);

#endif
