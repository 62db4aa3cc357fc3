/* Code whose extent is not known: see blind.c. */
#include <string.h>

#include "preload/accesses/mem.h"
#include "preload/patch/x86_64/decode.h"
#include "preload/base/rules.h"

/* Returns whether no compiler and no careful author writes this instruction in code of a program: then the bytes are data. */
static bool is_odd(const ZydisDecodedInstruction *in, const uint8_t *p)
{
	switch ((unsigned)in->meta.category) {
	case ZYDIS_CATEGORY_IO: case ZYDIS_CATEGORY_IOSTRINGOP: case ZYDIS_CATEGORY_SYSTEM: case ZYDIS_CATEGORY_INTERRUPT: case ZYDIS_CATEGORY_SEGOP:
		return in->mnemonic != ZYDIS_MNEMONIC_RDTSC && in->mnemonic != ZYDIS_MNEMONIC_RDTSCP;
	}
	return !p[0] && !p[1]; /* add [rax],al: zeroes */
}

static bool begins_frame(const uint8_t *p)
{
	if (!memcmp(p, "\xf3\x0f\x1e\xfa", 4))
		p += 4;
	return !memcmp(p, "\x55\x48\x89\xe5", 4);
}

bool decode_walk(
	struct engine *e, struct func *f, uint32_t most, bool *accesses, void (*leads)(void *ctx, int64_t off), void *ctx)
{
	struct look l = { .e = e, .f = f };
	uint32_t furthest = f->lo, end = f->hi;
	bool stack = false;
	f->frame = begins_frame(e->image.text + f->lo);
	for (uint32_t off = f->lo; off < end && off - f->lo < most;) {
		struct insn in = { .off = off };
		size_t n = e->accesses.n, taken = e->taken.n, candidates = e->candidates.n;
		uint32_t room = end - off;
		l.p = e->image.text + off;
		l.out = &in;
		if (!ZYAN_SUCCESS(e->decoder->instruction(&e->decoder->zydis, &l.context, l.p, room < 15 ? room : 15, &l.in)) || is_odd(&l.in, l.p))
			return false;
		in.len = l.in.length;
		l.next = e->image.lo + off + in.len;
		if (decode_insn(&l) != PATCH_OK)
			return false;
		for (size_t i = n; i < e->accesses.n; i++) {
			bool own = VEC_AT(&e->accesses, struct access, i)->flags & MEM_STACK;
			*accesses |= !own;
			stack |= own;
		}
		for (size_t i = taken; i < e->taken.n; i++)
			leads(ctx, *VEC_AT(&e->taken, uint32_t, i));
		for (size_t i = candidates; i < e->candidates.n; i++)
			leads(ctx, *VEC_AT(&e->candidates, uint32_t, i));
		off += in.len;
		bool branch = in.kind == K_JMP || in.kind == K_JCC || in.kind == K_LOOP;
		if (branch && in.ref > (int64_t)furthest && in.ref < (int64_t)end && in.ref - (int64_t)f->lo < most)
			furthest = (uint32_t)in.ref;
		if ((branch && (in.ref < (int64_t)f->lo || in.ref >= (int64_t)end)) || in.kind == K_CALL)
			leads(ctx, in.ref);
		bool ends = in.kind == K_JMP || in.kind == K_RET || in.kind == K_STOP || in.kind == K_JMP_INDIRECT;
		if (ends && off > furthest) {
			*accesses |= stack && f->escapes;
			return true;
		}
	}
	return false;
}
