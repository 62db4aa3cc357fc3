/*
 * Rust's Option<Instant> as the second argument of a function: whether the code before the call passes None. None is a number of nanoseconds that no time has
 * (1,000,000,000), in edx. Before Rust 1.67, rsi points to it on the stack, and a word there is 0.
 */
#ifndef SIMUL_OPTION_H
#define SIMUL_OPTION_H

#include <stdbool.h>
#include <stdint.h>

/* What is known of the instructions so far. Zeroed: nothing. */
struct option {
	bool in_register;        /* edx has the number */
	bool zero, argument;     /* `zero_at` and `argument_at` are known */
	int32_t zero_at, argument_at; /* distances from rsp: of a word that is 0; of that to which rsi points */
};

/* Adds an instruction that neither jumps nor calls. */
void option_note(struct option *o, const uint8_t *code, unsigned length);
/* Returns whether the argument is None. */
bool option_is_none(const struct option *o);

#endif
