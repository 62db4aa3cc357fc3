/* Which tests there are: by the command line, or by what a test framework lists. */
#ifndef SIMUL_STRESS_LIST_H
#define SIMUL_STRESS_LIST_H

#include "cli/stress/stress.h"

/* Fills s->tests from the operands. false: one message was printed. */
bool list_tests(struct stress *s, char **operands);

/* ---- one framework each. A program that cannot be listed becomes a test that is settled; false: `why` says why nothing can be listed ---- */

/* What stands for a program whose tests cannot be listed, also with --filter; `why` is taken over. */
void list_failed(struct stress *s, const char *program, char *why);

/* A GoogleTest program: its tests, without disabled ones. */
void list_gtest(struct stress *s, const char *program);
/* A CMocka program, which has no listing: it is run once, and its XML output names the tests. `helper` is libsimul-cmocka.so. */
void list_cmocka(struct stress *s, const char *program, const char *helper);
/* A build directory of CMake. */
bool list_ctest(struct stress *s, const char *dir, char *why, size_t size);
/* A build directory of Meson. */
bool list_meson(struct stress *s, const char *dir, char *why, size_t size);

#endif
