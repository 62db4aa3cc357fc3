/*
 * Assertions in two tiers. The optimizer never assumes that a condition holds.
 *
 * INVARIANT(cond, fmt, ...)   always on.
 * SLOW_CHECK(cond)            on with DEBUG=1; the expression is compiled in any case.
 *
 * A failed assertion calls check_failed(), which each program defines: the command prints a message and exits with
 * SIMUL_EXIT_INTERNAL, the target writes the message to the session segment.
 */
#ifndef SIMUL_CHECK_H
#define SIMUL_CHECK_H

__attribute__((noreturn, format(printf, 4, 5))) void check_failed(
	const char *file, int line, const char *expr, const char *fmt, ...);

#define INVARIANT(cond, ...)                                                                       \
	do {                                                                                       \
		if (__builtin_expect(!(cond), 0))                                                  \
			check_failed(__FILE__, __LINE__, #cond, __VA_ARGS__);                      \
	} while (0)

#ifdef SIMUL_DEBUG
#define SLOW_CHECK(cond) INVARIANT(cond, "slow check")
#else
#define SLOW_CHECK(cond) ((void)sizeof(!(cond)))
#endif

#endif
