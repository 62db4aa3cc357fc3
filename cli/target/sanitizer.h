/*
 * Programs built with -fsanitize: which of them simul can run, and what it must preload for them.
 *
 * With ThreadSanitizer's own runtime out of the way, libsimul.so answers its calls. The runtime is kept out by a
 * stand-in: a preloaded library with the name (SONAME) that the program asks for, which lies beside libsimul.so.
 */
#ifndef SIMUL_SANITIZER_H
#define SIMUL_SANITIZER_H

#include <stdbool.h>
#include <stddef.h>

/* A set of stand-ins is a mask of 1 << number. */
#define SANITIZER_STANDINS 2
#define SANITIZER_ALL ((1u << SANITIZER_STANDINS) - 1)

/* What the program file itself says. */
struct sanitizer_facts {
	bool thread, address; /* the runtime is linked in */
	bool undefined;       /* it calls UndefinedBehaviorSanitizer and does not define it */
};
struct Elf; /* of libelf.h, which cannot be included together with sched/event.h */
void sanitizer_read(struct Elf *elf, struct sanitizer_facts *out);

/* The stand-ins that a program needs of whose libraries the dynamic linker says `line`. */
unsigned sanitizer_standins(const char *line);

/* Can a program run with this library, and with such facts? `standins`: what it needs; env: in which it will run. false: `why`
   goes on after the program's name. */
bool sanitizer_library_ok(const char *name, char *why, size_t size);
bool sanitizer_ok(const struct sanitizer_facts *f, unsigned standins, char *const *env, char *why, size_t size);

/* For LD_PRELOAD: `library` (libsimul.so, an absolute path) and the stand-ins beside it; malloc()ed. */
char *sanitizer_preload(const char *library, unsigned standins);
/* The same by descriptors from `fd` on, as many as 1 + SANITIZER_STANDINS; sanitizer_open opens them in the process that will run the
   program. false: errno says why. */
char *sanitizer_preload_by_fd(int fd, unsigned standins);
bool sanitizer_open(int fd, const char *library, unsigned standins);

#endif
