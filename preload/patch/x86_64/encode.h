/* Functions that write machine code. Registers have the numbers of the instruction encoding. */
#ifndef SIMUL_PATCH_ENCODE_H
#define SIMUL_PATCH_ENCODE_H

#include <string.h>

#include "preload/patch/engine.h"
#include "preload/patch/x86_64/numbers.h"

#define INT3 0xcc
#define JMP 0xe9 /* and 4 bytes of distance */

/* Append bytes to the code, in this order. */
static inline void put1(struct engine *e, unsigned b)
{
	*e->out++ = (uint8_t)b;
}

static inline void put4(struct engine *e, uint32_t v)
{
	memcpy(e->out, &v, 4);
	e->out += 4;
}

static inline void put_bytes(struct engine *e, const void *p, size_t n)
{
	memcpy(e->out, p, n);
	e->out += n;
}

/* Puts the distance of `target` from the end of these four bytes and `after` more bytes. */
static inline void put_rel(struct engine *e, uint64_t target, unsigned after)
{
	int64_t d = (int64_t)(target - ((uint64_t)e->out + 4 + after));
	if (d != (int32_t)d)
		e->too_far = true;
	put4(e, (uint32_t)d);
}

/* Puts an instruction with a memory operand: prefix 64 for thread-local memory, prefix 66, REX.W, one or two bytes of
   opcode, and `reg` in ModRM. `next`: the value of rip in the original instruction. `shift`: how far the stack pointer
   is below its original value. */
static inline void put_memory(struct engine *e, bool p66, bool wide, const uint8_t *opcode, unsigned opcodes, unsigned reg,
	const struct access *a, uint64_t next, int shift)
{
	unsigned base = a->base, index = a->index;
	unsigned rex = (wide ? 0x48 : 0) | (reg >= 8 ? 0x44 : 0) | (index < 16 && index >= 8 ? 0x42 : 0) | (base < 16 && base >= 8 ? 0x41 : 0);
	int64_t disp = a->disp;
	if (base == REG_RSP_)
		disp += shift;
	if (disp != (int32_t)disp)
		e->too_far = true;
	if (a->kind == SITE_TLS)
		put1(e, 0x64); /* fs; without effect on lea */
	if (a->addr32)
		put1(e, 0x67);
	if (p66)
		put1(e, 0x66);
	if (rex)
		put1(e, rex);
	put_bytes(e, opcode, opcodes);
	unsigned r = (reg & 7) << 3;
	if (base == REG_RIP_) {
		put1(e, r | 5);
		put_rel(e, next + (uint64_t)disp, 0);
		return;
	}
	if (base == REG_NONE) {
		put1(e, r | 4);
		put1(e, (unsigned)a->scale << 6 | (index == REG_NONE ? 4 : index & 7) << 3 | 5);
		put4(e, (uint32_t)disp);
		return;
	}
	bool sib = index != REG_NONE || (base & 7) == 4;
	unsigned mod = disp == 0 && (base & 7) != 5 ? 0 : disp == (int8_t)disp ? 0x40 : 0x80;
	put1(e, mod | r | (sib ? 4 : base & 7));
	if (sib)
		put1(e, (unsigned)a->scale << 6 | (index == REG_NONE ? 4 : index & 7) << 3 | (base & 7));
	if (mod == 0x40)
		put1(e, (uint8_t)disp);
	else if (mod == 0x80)
		put4(e, (uint32_t)disp);
}

/* Puts a lea of the address of *a. */
static inline void put_lea(struct engine *e, unsigned reg, const struct access *a, uint64_t next, int shift)
{
	put_memory(e, false, true, (const uint8_t *)"\x8d", 1, reg, a, next, shift);
}

/* Moves the stack pointer past the red zone, and back. Neither changes a flag. */
static inline void put_room(struct engine *e)
{
	put_bytes(e, "\x48\x8d\x64\x24\x80", 5); /* lea rsp,[rsp-128] */
}

static inline void put_unroom(struct engine *e)
{
	put_bytes(e, "\x48\x8d\xa4\x24\x80\0\0\0", 8); /* lea rsp,[rsp+128] */
}

#endif
