/* The registers as a part of the state of a thread; see spin_registers.h. */
#include "preload/memory/spin_registers.h"

#include <string.h>

#include "base/hash.h"
#include "preload/base/rules.h"

#define XSAVE_COMPACTED (UINT64_C(1) << 63)
#define X87_INITIAL 0x37f
#define MXCSR_INITIAL 0x1f80
#define FLAGS_OF_CODE UINT64_C(0xcd5) /* CF PF AF ZF SF DF OF */

static uint64_t mix_bytes(uint64_t h, const void *bytes, uint64_t size)
{
	const char *p = bytes;
	uint64_t w;
	for (; size >= 8; size -= 8, p += 8) {
		memcpy(&w, p, 8);
		h = hash_mix(h, w);
	}
	w = 0;
	memcpy(&w, p, size);
	return size ? hash_mix(h, w) : h;
}

/* Adds a part of the XSAVE area. If the part was not saved, adds zeroes, which are its initial state. */
static uint64_t mix_part(uint64_t h, const char *area, unsigned at, unsigned size, bool saved)
{
	static const char initial[256];
	return mix_bytes(h, saved ? area + at : initial, size);
}

/* Adds the XSAVE area: the x87 state without the address of the last instruction, and the vector registers. A part in its initial state
   counts the same whether it was saved or not. Registers that only AVX-512 has are left out: libc's string functions leave arbitrary values
   there, and no compiler keeps a loop's state in them alone. */
static uint64_t mix_extended(uint64_t h, const char *area, uint32_t size)
{
	uint64_t parts, form;
	if (size < 576)
		return mix_bytes(h, area, size);
	memcpy(&parts, area + 512, 8);
	memcpy(&form, area + 520, 8);
	h = parts & 1 ? mix_bytes(h, area, 6) : hash_mix(h, X87_INITIAL);
	h = mix_part(h, area, 32, 128, parts & 1);
	bool mxcsr = parts & (form & XSAVE_COMPACTED ? 2 : 6); /* the compacted form saves MXCSR only with the SSE registers */
	h = mxcsr ? mix_bytes(h, area + 24, 4) : hash_mix(h, MXCSR_INITIAL);
	h = mix_part(h, area, 160, 256, parts & 2);
	return mix_part(h, area, 576, 256, (parts & 4) && size >= 832);
}

/* Adds the general registers and the flags, except for those that are overwritten before they are read. */
static uint64_t mix_general(uint64_t h, const struct mem_access *a)
{
	const struct mem_regs *r = a->regs;
	for (unsigned i = 0; i < 16; i++)
		h = hash_mix(h, a->dead >> i & 1 ? 0 : (&r->rax)[i]);
	return hash_mix(h, a->dead & MEM_DEAD_FLAGS ? 0 : r->rflags & FLAGS_OF_CODE);
}

uint64_t spin_registers(uint64_t h, const struct mem_access *a)
{
	h = mix_general(h, a);
	return a->regs->extended ? mix_extended(h, a->regs->extended, a->regs->extended_size) : h;
}
