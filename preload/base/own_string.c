/*
 * memcpy and similar functions for simul's own code. The linker redirects its calls to __wrap_memcpy (Makefile: BYTES),
 * so that they reach neither the hooks nor a function of that name in the program. Compilers also generate such calls.
 *
 * If linking libsimul.so or libsimul_enforce.so reports that a __wrap_ function is missing, add it here.
 */
#include <string.h>

#include "preload/base/real.h"
#include "preload/base/rules.h"

#define OWN(ret, name, params, args)                                                               \
	ret __wrap_##name params;                                                                  \
	ret __wrap_##name params { return real_##name args; }

OWN(void *, memcpy, (void *to, const void *from, size_t n), (to, from, n))
OWN(void *, memmove, (void *to, const void *from, size_t n), (to, from, n))
OWN(void *, memset, (void *to, int c, size_t n), (to, c, n))
OWN(int, memcmp, (const void *a, const void *b, size_t n), (a, b, n))
OWN(int, bcmp, (const void *a, const void *b, size_t n), (a, b, n))
OWN(void *, memchr, (const void *p, int c, size_t n), (p, c, n))
OWN(size_t, strlen, (const char *s), (s))
OWN(size_t, strnlen, (const char *s, size_t n), (s, n))
OWN(int, strcmp, (const char *a, const char *b), (a, b))
OWN(int, strncmp, (const char *a, const char *b, size_t n), (a, b, n))
OWN(char *, strchr, (const char *s, int c), (s, c))
OWN(char *, strrchr, (const char *s, int c), (s, c))
OWN(char *, strchrnul, (const char *s, int c), (s, c))
OWN(char *, strstr, (const char *s, const char *what), (s, what))
OWN(char *, strcpy, (char *to, const char *from), (to, from))
OWN(char *, stpcpy, (char *to, const char *from), (to, from))
OWN(char *, strncpy, (char *to, const char *from, size_t n), (to, from, n))
OWN(size_t, strcspn, (const char *s, const char *set), (s, set))
