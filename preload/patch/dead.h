/*
 * What of the registers is of no use to anybody when an instruction begins: it, or one right behind it, overwrites that unread.
 *
 * The state of a thread in a spin loop (preload/memory/spin_state.h) is the better known the less is in it: the register that a load is about to
 * fill, and the flags that the comparison behind it will set, hold what an earlier round left there, or what was there before the loop.
 * Only what is certain from the instructions themselves, up to the next branch, counts.
 */
#ifndef SIMUL_PATCH_DEAD_H
#define SIMUL_PATCH_DEAD_H

#include <Zydis/Zydis.h>
#include <stdbool.h>
#include <stdint.h>

#define DEAD_STATUS_FLAGS \
	(ZYDIS_CPUFLAG_CF | ZYDIS_CPUFLAG_PF | ZYDIS_CPUFLAG_AF | ZYDIS_CPUFLAG_ZF | ZYDIS_CPUFLAG_SF | ZYDIS_CPUFLAG_OF)

/* The general register of which the instruction overwrites every bit, and which it reads at most to compute an address; ZYDIS_REGISTER_NONE:
   there is none. op: all its operands. */
ZydisRegister dead_register(const ZydisDecodedInstruction *in, const ZydisDecodedOperand *op);

/* Takes from *kept the status flags that the instruction overwrites. false: it may read one of *kept, or somebody elsewhere may, so
   that no more can be said. */
bool dead_flags_left(const ZydisDecodedInstruction *in, uint32_t *kept);

#endif
