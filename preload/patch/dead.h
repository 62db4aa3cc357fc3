/*
 * Registers and flags whose values no instruction will read: the current instruction, or one right after it, overwrites them.
 *
 * The state of a thread in a spin loop (preload/memory/spin_state.h) must not contain such values. The register that a load is about to
 * fill, and the flags that the next comparison will set, hold values of an earlier iteration or from before the loop. Only what the
 * instructions up to the next branch show for certain counts.
 */
#ifndef SIMUL_PATCH_DEAD_H
#define SIMUL_PATCH_DEAD_H

#include <Zydis/Zydis.h>
#include <stdbool.h>
#include <stdint.h>

#define DEAD_STATUS_FLAGS \
	(ZYDIS_CPUFLAG_CF | ZYDIS_CPUFLAG_PF | ZYDIS_CPUFLAG_AF | ZYDIS_CPUFLAG_ZF | ZYDIS_CPUFLAG_SF | ZYDIS_CPUFLAG_OF)

/* Returns the general register of which the instruction overwrites every bit, and which it reads at most to compute an address;
   ZYDIS_REGISTER_NONE when there is none. op: all its operands. */
ZydisRegister dead_register(const ZydisDecodedInstruction *in, const ZydisDecodedOperand *op);

/* Removes the status flags that the instruction overwrites from *kept. Returns false when it may read one of *kept, or when the code that
   runs next is unknown: then no more can be said. */
bool dead_flags_left(const ZydisDecodedInstruction *in, uint32_t *kept);

#endif
