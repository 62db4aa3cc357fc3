/* Lists the tests, from the command line or from a test framework. */
#ifndef SIMUL_STRESS_LIST_H
#define SIMUL_STRESS_LIST_H

#include "cli/nightly/stress/stress.h"

/* Fills s->tests from the operands. false: one message was printed. */
bool list_tests(struct stress *s, char **operands);

/* ---- one function for each framework. A program that cannot be listed becomes a settled test. false: nothing can be listed, and `why`
   gives the reason ---- */

/* Adds a settled test that represents a program whose tests cannot be listed, regardless of --filter. Takes ownership of `why`. */
void list_failed(struct stress *s, const char *program, char *why);

/* Adds the tests of a GoogleTest program, without disabled ones. */
void list_gtest(struct stress *s, const char *program);
/* Adds the tests of a CMocka program. CMocka cannot list tests, so the program is run once and its XML output names them. `helper` is
   libsimul-cmocka.so. */
void list_cmocka(struct stress *s, const char *program, const char *helper);
/* Adds the tests of a program of GLib, Catch2, doctest or Boost.Test (s->opt.framework), which prints their names. */
void list_names(struct stress *s, const char *program);
/* Adds the tests that a command with GLib's tests lists, with the text `before` before their names. false: it lists
   none. */
bool list_glib_command(struct stress *s, const char *suite, const char *before, char *const *command);
/* Adds the test cases (TCase) of a Check program. Check cannot list them, so the program is run once and its XML log
   names them. */
void list_check(struct stress *s, const char *program);
/* Adds the tests of a CMake build directory. */
bool list_ctest(struct stress *s, const char *dir, char *why, size_t size);
/* Adds the tests of a Meson build directory. */
bool list_meson(struct stress *s, const char *dir, char *why, size_t size);
/* Adds the installed tests (NAME.test) in `dir` and below. */
bool list_installed(struct stress *s, const char *dir, char *why, size_t size);
/* Builds what `make check` runs in a build directory of Automake, and adds it. */
bool list_automake(struct stress *s, const char *dir, char *why, size_t size);
/* Builds the tests of the Rust package or workspace in `dir`, and adds them. */
bool list_cargo(struct stress *s, const char *dir, char *why, size_t size);

#endif
