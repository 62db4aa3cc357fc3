/*
 * Registers and flags whose values no instruction will read: the current instruction, or one right after it, overwrites them.
 *
 * The state of a thread in a spin loop (preload/memory/spin_state.h) must not contain such values. The register that a load is about to
 * fill, and the flags that the next comparison will set, hold values of an earlier iteration or from before the loop. A value counts as
 * dead only if the instructions up to the next branch prove it.
 */
#ifndef SIMUL_PATCH_DEAD_H
#define SIMUL_PATCH_DEAD_H

#include <Zydis/Zydis.h>
#include <stdbool.h>
#include <stdint.h>

#define DEAD_STATUS_FLAGS \
	(ZYDIS_CPUFLAG_CF | ZYDIS_CPUFLAG_PF | ZYDIS_CPUFLAG_AF | ZYDIS_CPUFLAG_ZF | ZYDIS_CPUFLAG_SF | ZYDIS_CPUFLAG_OF)

/* Returns the general register of which the instruction overwrites every bit, and which it does not read except to compute an address;
   ZYDIS_REGISTER_NONE: there is none. op: all operands of the instruction. */
ZydisRegister dead_register(const ZydisDecodedInstruction *in, const ZydisDecodedOperand *op);

/* Removes the status flags that the instruction overwrites from *kept. Returns false when the instruction may read one of *kept, or when
   the code that runs next is unknown. Then nothing is known about the flags left in *kept. */
bool dead_flags_left(const ZydisDecodedInstruction *in, uint32_t *kept);

#endif
