/*
 * Writes the new code. The functions have the same order in the old and the new code, so one sorted map serves for both directions.
 */
#include <string.h>
#include <sys/mman.h>

#include "preload/patch/x86_64/encode.h"
#include "preload/patch/engine.h"
#include "preload/patch/x86_64/site.h"
#include "preload/patch/trap.h"
#include "preload/base/sys.h"
#include "preload/base/rules.h"

enum { SLOT_FAST = 0, SLOT_FULL = 8, SLOT_AFTER = 16, SLOTS = 64 };

struct fixup {
	uint32_t at;   /* offset of the four bytes from the region's start */
	uint32_t insn; /* the instruction to which they lead */
};
_Static_assert(sizeof(struct fixup) == FIXUP_BYTES, "engine.h");

/* Adds an entry to the map: new code of this kind for the old place `from` begins here. */
static void note_place(struct engine *e, enum map_kind kind, unsigned temp, uint32_t from)
{
	VEC_PUSH(&e->map, struct map_entry, { (uint32_t)(e->out - e->region), from, kind + temp });
}

/* Puts the distance to a place, in four bytes: to its new place if it has one, otherwise to the place in the old code. */
static void put_target(struct engine *e, int64_t off)
{
	struct func *f;
	struct insn *to = analyse_find(e, off, &f);
	if (!to || !f->moved) {
		uint64_t old = e->image.lo + (uint64_t)off, moved = e->library && !to ? trap_moved(old) : 0;
		put_rel(e, moved ? moved : old, 0); /* the place may be in a part of the library that was patched before */
		return;
	}
	uint32_t i = (uint32_t)(to - VEC_AT(&e->insns, struct insn, 0));
	if (e->new_off[i]) {
		put_rel(e, (uint64_t)e->region + e->new_off[i], 0);
		return;
	}
	VEC_PUSH(&e->fixups, struct fixup, { (uint32_t)(e->out - e->region), i });
	put4(e, 0);
}

/* Emits a call through one of the pointers at the region's start. */
static void put_slot_call(struct engine *e, unsigned slot)
{
	put_bytes(e, "\xff\x15", 2);
	put_rel(e, (uint64_t)e->region + slot, 0);
}

/* Puts code that sets rdi to the address of thread-local memory. Returns false, without any code, if that takes more
   than rdi. */
static bool put_thread_local(struct engine *e, const struct access *a)
{
	struct access at = *a;
	if (a->kind != SITE_TLS || a->index != REG_NONE || a->base == REG_RDI_ || a->base == REG_RSP_)
		return false;
	at.kind = SITE_PLAIN;
	at.index = a->base;
	at.base = REG_RDI_;
	at.scale = 0;
	put_bytes(e, "\x64\x48\x8b\x3c\x25\0\0\0\0", 9); /* mov rdi,fs:[0] */
	put_lea(e, REG_RDI_, &at, 0, 0);
	return true;
}

/* Puts the hook of one access. temp >= 0: the hook is in the second half of a split instruction, whose temporary register is on the stack
   already. */
static void put_hook(struct engine *e, const struct func *f, const struct insn *in, const struct access *a, unsigned flags, int temp)
{
	uint64_t pc = e->image.lo + in->off;
	struct patch_site *s = (struct patch_site *)e->sites_at + e->sites++;
	*s = (struct patch_site){ .pc = pc, .size = a->size, .flags = (uint16_t)flags, .kind = a->kind, .reg = a->reg & 15,
		.overwrites = a->overwrites, .flags_dead = a->flags_dead, .adds = a->adds, .asks = e->config.counts != NULL };
	if (temp >= 0) {
		s->inner = 1;
		s->reg = temp & 15;
		note_place(e, MAP_SPLIT_HOOK, (unsigned)temp, in->off);
	} else {
		note_place(e, MAP_HOOK, 0, in->off);
		put_room(e);
	}
	put1(e, 0x57); /* push rdi */
	if (put_thread_local(e, a))
		s->kind = SITE_PLAIN;
	else
		put_lea(e, REG_RDI_, a, pc + in->len, temp >= 0 ? 128 + 8 + 8 : 128 + 8);
	put1(e, 0x56); /* push rsi */
	put_bytes(e, "\x48\x8d\x35", 3); /* lea rsi,[rip+site] */
	put_rel(e, (uint64_t)s, 0);
	put_slot_call(e, s->kind != SITE_PLAIN || f->backwards || s->asks ? SLOT_FULL : SLOT_FAST);
	put1(e, 0x5e);
	put1(e, 0x5f);
	if (temp < 0)
		put_unroom(e);
}

/* Puts the call after an access. inner: the stack pointer is below the red zone already. */
static void put_after(struct engine *e, bool inner)
{
	if (!e->config.after)
		return;
	if (!inner)
		put_room(e);
	put_slot_call(e, SLOT_AFTER);
	if (!inner)
		put_unroom(e);
}

/* Puts a mov between the temporary register and memory. */
static void put_move(struct engine *e, bool store, unsigned size, unsigned temp, const struct access *a, uint64_t next)
{
	static const uint8_t load8[] = { 0x0f, 0xb6 }, load[] = { 0x8b }, store8[] = { 0x88 }, to[] = { 0x89 };
	if (store)
		put_memory(e, size == 2, size == 8, size == 1 ? store8 : to, 1, temp, a, next, 136);
	else if (size == 1)
		put_memory(e, false, false, load8, 2, temp, a, next, 136);
	else
		put_memory(e, size == 2, size == 8, load, 1, temp, a, next, 136);
}

/* Puts a copy of the instruction. */
static void put_copy(struct engine *e, const struct insn *in)
{
	const uint8_t *p = e->image.text + in->off;
	uint8_t *at = e->out;
	if (e->config.no_pause && in->len == 2 && p[0] == 0xf3 && p[1] == 0x90)
		put_bytes(e, "\x66\x90", 2); /* pause becomes nop */
	else
		put_bytes(e, p, in->len);
	if (in->flags & I_RIP) {
		int32_t disp;
		memcpy(&disp, p + in->disp_off, 4);
		int64_t d = disp + (int64_t)(e->image.lo + in->off - (uint64_t)at);
		if (d != (int32_t)d)
			e->too_far = true;
		disp = (int32_t)d;
		memcpy(at + in->disp_off, &disp, 4);
	}
}

/* Puts the end of a split instruction that stays one instruction. It must find the loaded value in memory, whatever other threads have
   stored since. */
static void put_whole(struct engine *e, const struct insn *in, const struct access *a, const struct split *s, uint64_t next)
{
	put_move(e, true, s->size, s->temp, a, next);
	put_bytes(e, "\x48\x8b", 2); /* mov temp,[rsp] */
	put1(e, 0x04u | (unsigned)s->temp << 3);
	put1(e, 0x24);
	put_bytes(e, "\x48\x8d\xa4\x24\x88\0\0\0", 8); /* lea rsp,[rsp+136] */
	note_place(e, MAP_INSN, 0, in->off);
	put_copy(e, in);
	put_after(e, false);
}

/*
 * A read-modify-write without lock is a load and a store, and another thread may run in between: hook(load); t = m; hook(store); t = op(t);
 * m = t. If the store faults, the whole instruction is repeated from its original place, so the flags must be as before. Therefore an
 * operation that reads flags is preceded by a store of the old value, which faults in the same way.
 */
static bool put_split(struct engine *e, const struct func *f, const struct insn *in, const struct access *a)
{
	struct split s;
	if (!decode_split(e, in, &s))
		return false;
	uint64_t next = e->image.lo + in->off + in->len;
	put_hook(e, f, in, a, (a->flags & ~MEM_WRITE) | MEM_READ, -1);
	note_place(e, MAP_SPLIT_OPEN, 0, in->off);
	put_room(e);
	put1(e, 0x50u + s.temp);
	note_place(e, MAP_SPLIT, s.temp, in->off);
	put_move(e, false, s.size, s.temp, a, next);
	put_after(e, true);
	put_hook(e, f, in, a, (a->flags & ~MEM_READ) | MEM_WRITE, s.temp);
	note_place(e, MAP_SPLIT, s.temp, in->off);
	if (s.whole) {
		put_whole(e, in, a, &s, next);
		return true;
	}
	if (s.carry)
		put_move(e, true, s.size, s.temp, a, next);
	put_bytes(e, s.bytes, s.n);
	put_move(e, true, s.size, s.temp, a, next);
	note_place(e, MAP_SPLIT_DONE, s.temp, in->off);
	put1(e, 0x58u + s.temp);
	put_after(e, true);
	put_unroom(e);
	return true;
}

static void put_hooks(struct engine *e, const struct func *f, const struct insn *in)
{
	for (const struct access *a = VEC_AT(&e->accesses, struct access, in->ref);; a++) {
		put_hook(e, f, in, a, a->flags, -1);
		if (!a->more)
			return;
	}
}

/* Puts rep cmps or rep scas as a loop over single elements, because the number of elements is not known in advance. */
static void put_scan(struct engine *e, const struct func *f, const struct insn *in)
{
	note_place(e, MAP_INSN, 0, in->off);
	put_bytes(e, "\xe3\x02\xeb\x05\xe9", 5); /* jrcxz 1f; jmp 2f; 1: jmp done; 2: */
	uint8_t *empty = e->out;
	put4(e, 0);
	uint8_t *loop = e->out;
	if (in->flags & I_ACCESS)
		put_hooks(e, f, in);
	note_place(e, MAP_INSN, 0, in->off);
	const uint8_t *p = e->image.text + in->off;
	for (unsigned i = 0; i < in->len; i++)
		if (p[i] != 0xf2 && p[i] != 0xf3)
			put1(e, p[i]);
	if (in->flags & I_ACCESS)
		put_after(e, false);
	note_place(e, MAP_SCAN, 0, in->off);
	put_bytes(e, "\x48\x8d\x49\xff", 4);                   /* lea rcx,[rcx-1] */
	put_bytes(e, in->rep == 0xf3 ? "\x75\x07" : "\x74\x07", 2); /* jne done; je done */
	put_bytes(e, "\xe3\x05\xe9", 3);                        /* jrcxz done; jmp loop; done: */
	put_rel(e, (uint64_t)loop, 0);
	int32_t d = (int32_t)(e->out - (empty + 4));
	memcpy(empty, &d, 4);
}

/* Puts a call through a pointer in memory that returns to the old code, behind the old call. It changes no register.
   Only the first instruction may fault, and it does so with the stack pointer that the call would have. interrupted.c
   knows these instructions (leave_call). */
static void put_call(struct engine *e, const struct insn *in)
{
	const struct access *a = VEC_AT(&e->accesses, struct access, in->ref);
	uint64_t next = e->image.lo + in->off + in->len;
	put_memory(e, false, false, (const uint8_t *)"\xff", 1, 6, a, next, 0); /* push m */
	put_bytes(e, "\xff\x34\x24", 3);                                        /* push [rsp] */
	put_bytes(e, "\x48\x8d\x64\x24\x10", 5);                                /* lea rsp,[rsp+16] */
	put_bytes(e, "\xff\x35\x04\0\0\0", 6);                                  /* push next */
	put_bytes(e, "\xff\x64\x24\xf8", 4);                                    /* jmp [rsp-8] */
	put_bytes(e, &next, sizeof next);
}

/* Returns the register whose value is the target of the jump; REG_NONE: there is none. */
static uint8_t jump_register(const struct engine *e, const struct insn *in)
{
	const uint8_t *p = e->image.text + in->off, *end = p + in->len;
	uint8_t rex = 0;
	while (p < end && (*p == 0x3e || *p == 0xf2)) /* notrack, bnd */
		p++;
	if (p < end && (*p & 0xf0) == 0x40)
		rex = *p++;
	return end - p == 2 && p[0] == 0xff && p[1] >= 0xe0 && p[1] <= 0xe7 ? (uint8_t)((p[1] & 7) | (rex & 1) << 3) : REG_NONE;
}

/* Puts the hook of the beginning or the end of a function that is taken as one step. Its address is the target of an indirect jump, which may be
   one to a place in the function. */
static void put_mark(struct engine *e, const struct func *f, const struct insn *in, unsigned flags)
{
	const struct access to = { .base = in->kind == K_JMP_INDIRECT ? jump_register(e, in) : REG_NONE, .index = REG_NONE };
	put_hook(e, f, in, &to, flags, -1);
}

/* Puts a conditional jump to another function. Only if it is taken, the function may end there. */
static void put_leaving(struct engine *e, const struct func *f, const struct insn *in)
{
	put1(e, 0x0f);
	put1(e, 0x80 | ((in->opcode ^ 1) & 15));
	uint8_t *over = e->out;
	put4(e, 0);
	put_mark(e, f, in, MEM_CALL_ENDS);
	note_place(e, MAP_INSN, 0, in->off);
	put1(e, 0xe9);
	put_target(e, in->ref);
	int32_t d = (int32_t)(e->out - (over + 4));
	memcpy(over, &d, 4);
}

static void put_insn(struct engine *e, const struct func *f, const struct insn *in)
{
	if (in->flags & I_ENTERS)
		put_mark(e, f, in, MEM_CALL_BEGINS);
	if (in->flags & I_LEAVES && in->kind != K_JCC)
		put_mark(e, f, in, MEM_CALL_ENDS);
	if (in->flags & I_SCAN) {
		put_scan(e, f, in);
		return;
	}
	if (in->flags & I_ACCESS) {
		const struct access *a = VEC_AT(&e->accesses, struct access, in->ref);
		if (in->flags & I_SPLIT && !a->more && put_split(e, f, in, a))
			return;
		put_hooks(e, f, in);
	}
	if (in->flags & I_CLOCK) {
		const struct access none = { .base = REG_NONE, .index = REG_NONE, .kind = SITE_CLOCK, .reg = in->opcode == 0x01 };
		put_hook(e, f, in, &none, 0, -1);
		return;
	}
	note_place(e, in->kind == K_LOOP && in->opcode != 0xe3 ? MAP_LOOP : in->flags & I_AWAY ? MAP_CALL : MAP_INSN, 0, in->off);
	switch ((enum insn_kind)in->kind) {
	case K_JCC:
		if (in->flags & I_LEAVES) {
			put_leaving(e, f, in);
			return;
		}
		put1(e, 0x0f);
		put1(e, 0x80 | (in->opcode & 15));
		put_target(e, in->ref);
		return;
	case K_JMP:
		put1(e, 0xe9);
		put_target(e, in->ref);
		return;
	case K_LOOP:
		if (in->rep)
			put1(e, in->rep);
		put1(e, in->opcode);
		put_bytes(e, "\x02\xeb\x05\xe9", 4); /* loop 1f; jmp 2f; 1: jmp target; 2: */
		put_target(e, in->ref);
		return;
	case K_CALL:
	case K_CALL_INDIRECT:
		if (in->flags & I_AWAY) {
			put_call(e, in);
			return;
		}
		/* The call itself stays in the old code, so that return addresses, exceptions, setjmp and backtraces remain valid. */
		put1(e, 0xe9);
		put_rel(e, e->image.lo + in->off, 0);
		return;
	case K_PLAIN:
	case K_JMP_INDIRECT:
	case K_RET:
	case K_STOP:
		put_copy(e, in);
		if (in->flags & I_ACCESS && in->kind == K_PLAIN)
			put_after(e, false);
		return;
	}
}

/* Returns an upper bound for the bytes of new code. */
static uint64_t room_for_code(const struct engine *e)
{
	uint64_t bytes = 4096;
	for (size_t i = 0; i < e->funcs.n; i++) {
		const struct func *f = VEC_AT(&e->funcs, struct func, i);
		if (!f->moved)
			continue;
		bytes += 16;
		for (uint32_t k = f->first; k < f->last; k++) {
			const struct insn *in = VEC_AT(&e->insns, struct insn, k);
			bytes += in->kind == K_PLAIN ? in->len : in->flags & I_AWAY ? 48u : 16u;
			if (in->flags & I_SPLIT)
				bytes += 224;
			if (in->flags & I_HOOKED)
				bytes += 128; /* two hooks, and the calls after them */
			if (in->flags & (I_ENTERS | I_LEAVES))
				bytes += 128;
			if (in->flags & I_SCAN)
				bytes += 40;
		}
	}
	return bytes;
}

/* Returns the number of accesses in functions that move. */
static uint64_t count_accesses(const struct engine *e)
{
	uint64_t n = 0;
	for (size_t i = 0; i < e->funcs.n; i++) {
		const struct func *f = VEC_AT(&e->funcs, struct func, i);
		n += f->moved ? f->accesses : 0;
	}
	return n;
}

static uint64_t room_for_sites(uint64_t accesses)
{
	return (SLOTS + 2 * sizeof(struct patch_site) * accesses + 15) & ~15ull;
}

uint64_t emit_room(const struct engine *e)
{
	return room_for_sites(count_accesses(e)) + room_for_code(e);
}

bool emit_at(struct engine *e)
{
	uint64_t accesses = count_accesses(e), sites = room_for_sites(accesses);
	e->sites = 0;
	uint64_t slot[3] = { (uint64_t)patch_stub_fast, (uint64_t)patch_stub_full, (uint64_t)e->config.after };
	memcpy(e->region, slot, sizeof slot);
	e->sites_at = e->region + SLOTS;
	e->code_at = e->out = e->region + sites;
	for (size_t i = 0; i < e->funcs.n; i++) {
		const struct func *f = VEC_AT(&e->funcs, struct func, i);
		if (!f->moved)
			continue;
		const struct insn *in = NULL;
		for (uint32_t k = f->first; k < f->last; k++) {
			in = VEC_AT(&e->insns, struct insn, k);
			e->new_off[k] = (uint32_t)(e->out - e->region);
			put_insn(e, f, in);
		}
		if (in->kind != K_JMP && in->kind != K_RET && in->kind != K_JMP_INDIRECT && in->kind != K_STOP) {
			put1(e, 0xe9);
			put_target(e, f->hi);
		}
	}
	for (size_t i = 0; i < e->fixups.n; i++) {
		const struct fixup *x = VEC_AT(&e->fixups, struct fixup, i);
		int32_t d = (int32_t)(e->new_off[x->insn] - (x->at + 4));
		memcpy(e->region + x->at, &d, 4);
	}
	if (e->too_far || e->map.lost || e->fixups.lost)
		strcpy(e->m->refused, e->too_far ? "its parts are too far from the new code" : "it is beyond the patcher's tables");
	return !e->too_far && !e->map.lost && !e->fixups.lost;
}

bool emit(struct engine *e)
{
	size_t insns = e->insns.n;
	uint64_t accesses = count_accesses(e);
	struct vec news;
	if (!vec_make(&news, 4, insns) || !vec_make(&e->fixups, sizeof(struct fixup), insns + e->funcs.n)
		|| !vec_make(&e->map, sizeof(struct map_entry), 3 * insns + 6 * accesses + e->funcs.n)) {
		strcpy(e->m->refused, "out of memory");
		return false;
	}
	e->new_off = news.at;
	if (!apply_reserve(e, (emit_room(e) + 4095) & ~4095ull)) {
		vec_free(&news);
		strcpy(e->m->refused, "no room for its new code within 2 GiB");
		return false;
	}
	bool ok = emit_at(e) && apply(e);
	vec_free(&news);
	return ok;
}
