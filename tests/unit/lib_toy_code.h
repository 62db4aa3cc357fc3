/*
 * The meaning of the toy machine's instructions: the operation that a thread announces for a visible instruction, and its effect on memory and
 * registers. Only lib_toy.c uses it.
 */
#ifndef SIMUL_LIB_TOY_CODE_H
#define SIMUL_LIB_TOY_CODE_H

#include "tests/unit/lib_toy.h"

/* The bytes that an instruction accesses, as an offset into memory. */
struct toy_place {
	unsigned at, size;
};
struct toy_place toy_place(const struct toy_thread *x, const struct toy_instr *i);

/* Register r of a thread. */
int64_t *toy_reg(struct toy_thread *x, int r);
/* Object number n of that kind, in the running execution. */
object_id toy_object(struct toy *t, enum object_kind kind, unsigned n);
/* The operation that thread x announces for a visible instruction, with the current values of its registers. */
struct op toy_op_of(struct toy *t, struct toy_thread *x, const struct toy_instr *i);
/* Changes memory and registers as the instruction does. `st` is the step that performed it; only its result is used. */
void toy_effect(struct toy *t, struct toy_thread *x, const struct toy_instr *i, const struct step *st);

#endif
