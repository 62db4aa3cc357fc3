/* Leads a context that was interrupted in new code back to the original code. All functions here may be called in a signal handler. */
#include <stddef.h>
#include <string.h>
#include <ucontext.h>

#include "preload/patch/trap.h"
#include "preload/patch/x86_64/encode.h"
#include "preload/patch/x86_64/site.h"
#include "preload/base/rules.h"

bool interrupted_in_stub(uint64_t pc)
{
	return pc - (uint64_t)patch_stub_begin < (uint64_t)(patch_stub_end - patch_stub_begin);
}

/* Registers in the order of instruction encodings and of struct mem_regs. */
static const int greg[16] = { REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI, REG_R8, REG_R9, REG_R10, REG_R11,
	REG_R12, REG_R13, REG_R14, REG_R15 };

static uint64_t word(uint64_t at)
{
	return *(const uint64_t *)at;
}

/* Counts the code bytes from `from` to `to` whose value is in [lo, hi], or is also1 or also2. */
static unsigned count(const uint8_t *from, uint64_t to, unsigned lo, unsigned hi, unsigned also1, unsigned also2)
{
	unsigned n = 0;
	for (; (uint64_t)from < to; from++) {
		n += (*from >= lo && *from <= hi) || *from == also1 || *from == also2;
		if (*from == 0x6a)
			from++; /* skips the constant of a push */
	}
	return n;
}

#define PUSHES(from, pc) count(from, pc, 0x50, 0x57, 0x6a, 0x9c)
#define POPS(from, pc) count(from, pc, 0x58, 0x5f, 0x9d, 0x9d)

/* Restores the context at the entry of the fast stub. Its stack below the entry holds, from the top: rax, flags, rcx, rdx, r8..r11, rdi,
   rsi, rbp. Popped values stay intact on the stack until the stub is left, because a signal's frame begins 128 bytes below the stack
   pointer. */
static void leave_fast(greg_t *g, uint64_t pc)
{
	enum { WORDS = 11 };
	static const int where[WORDS] = { REG_RAX, -1, REG_RCX, REG_RDX, REG_R8, REG_R9, REG_R10, REG_R11, REG_RDI, REG_RSI, REG_RBP };
	uint64_t rsp = (uint64_t)g[REG_RSP];
	unsigned pushed = WORDS;
	uint64_t entry;
	if (pc < (uint64_t)patch_fast_body) {
		pushed = PUSHES(patch_stub_begin, pc);
		entry = rsp + 8 * pushed;
	} else if (pc < (uint64_t)patch_fast_leave) {
		/* here rbp points to the saved registers, even after the stack pointer was restored */
		entry = (uint64_t)g[REG_RBP] + 8 * WORDS;
	} else {
		const uint8_t *from = pc < (uint64_t)patch_fast_leave_slow ? patch_fast_leave : patch_fast_leave_slow;
		entry = rsp + 8 * (WORDS - POPS(from, pc));
	}
	for (unsigned i = 0; i < pushed; i++)
		if (where[i] >= 0)
			g[where[i]] = (greg_t)word(entry - 8 * (i + 1));
	if (pushed == WORDS) {
		uint64_t saved = word(entry - 16); /* lahf and seto: SF ZF AF PF CF, and OF */
		g[REG_EFL] = (g[REG_EFL] & ~(greg_t)0x8d5) | (greg_t)(saved >> 8 & 0xd5) | (saved & 1 ? 0x800 : 0);
	}
	g[REG_RSP] = (greg_t)entry;
}

/* Like leave_fast, for the full stub and the slow part. */
static void leave_full(greg_t *g, uint64_t pc)
{
	enum { WORDS = sizeof(struct patch_frame) / 8, FLAGS = offsetof(struct mem_regs, rflags) / 8 };
	uint64_t rsp = (uint64_t)g[REG_RSP], regs;
	unsigned popped = 0;
	if (pc < (uint64_t)patch_full_body) {
		unsigned pushed = pc < (uint64_t)patch_stub_full ? pc > (uint64_t)patch_slow_begin : PUSHES((const uint8_t *)patch_stub_full, pc);
		g[REG_RBX] = pushed == WORDS ? (greg_t)word(rsp + offsetof(struct mem_regs, rbx)) : g[REG_RBX];
		g[REG_RSP] = (greg_t)(rsp + 8 * pushed);
		return;
	}
	if (pc < (uint64_t)patch_full_leave) {
		regs = (uint64_t)g[REG_RBX];
	} else {
		popped = POPS(patch_full_leave, pc);
		regs = rsp - 8 * popped;
	}
	for (unsigned i = popped; i < 16; i++)
		if (i != 4)
			g[greg[i]] = (greg_t)word(regs + 8 * i);
	if (popped <= FLAGS)
		g[REG_EFL] = (greg_t)word(regs + 8 * FLAGS);
	g[REG_RSP] = (greg_t)(regs + 8 * WORDS);
}

/* Moves a context that is in a stub to the new code right after the call of the stub. The program's rsi and rdi are still on the stack. */
static void leave_stub(greg_t *g)
{
	uint64_t pc = (uint64_t)g[REG_RIP];
	if (pc < (uint64_t)patch_slow_begin)
		leave_fast(g, pc);
	else
		leave_full(g, pc);
	g[REG_RIP] = (greg_t)word((uint64_t)g[REG_RSP]);
	g[REG_RSP] += 8;
}

/* Moves a context that is in a hook (emit.c, put_hook) back to the hook's beginning. The hook has `bytes` bytes and was interrupted at byte
   `at`. */
static void leave_hook(greg_t *g, uint32_t at, uint32_t bytes, bool room)
{
	uint32_t open = room ? 5 : 0, close = room ? 8 : 0;
	uint32_t push1 = open, push2 = bytes - close - 2 - 6 - 7 - 1; /* push rdi; push rsi */
	uint32_t pop1 = bytes - close - 2, pop2 = bytes - close - 1;  /* pop rsi; pop rdi */
	uint64_t rsp = (uint64_t)g[REG_RSP];
	if (at > push2 && at <= pop1) {
		g[REG_RSI] = (greg_t)word(rsp);
		g[REG_RDI] = (greg_t)word(rsp + 8);
		rsp += 16;
	} else if (at > push1 && at <= pop2) {
		g[REG_RDI] = (greg_t)word(rsp);
		rsp += 8;
	}
	if (room && at >= open)
		rsp += 128;
	g[REG_RSP] = (greg_t)rsp;
}

/* Restores the temporary register of a split instruction. */
static void leave_temp(greg_t *g, unsigned temp)
{
	g[greg[temp]] = (greg_t)word((uint64_t)g[REG_RSP]);
	g[REG_RSP] += 8 + 128;
}

/* Gives a context that is in put_call's code (emit.c) the stack pointer from before the call. */
static void leave_call(greg_t *g, uint32_t at, uint32_t bytes)
{
	uint32_t first = bytes - 26; /* push [rsp]; lea; push; jmp; the return address */
	g[REG_RSP] += at == first || at == first + 14 ? 8 : at == first + 3 ? 16 : 0;
}

/* Returns the address after the entry's instruction in the old code. */
static uint64_t behind(const struct patched *p, const struct map_entry *m)
{
	uint64_t from = m->from;
	for (const struct map_entry *end = p->map + p->entries; m < end; m++)
		if (m->from != from)
			return m->from;
	return from;
}

/* Moves a context that is at a board in the old code (apply.c, put_board) to the new code. */
static void leave_board(greg_t *g)
{
	uint64_t pc = (uint64_t)g[REG_RIP];
	int32_t d;
	if (!trap_old(pc) || *(const uint8_t *)pc != JMP)
		return;
	memcpy(&d, (const void *)(pc + 1), 4);
	if (trap_new_code(pc + 5 + (uint64_t)(int64_t)d))
		g[REG_RIP] = (greg_t)(pc + 5 + (uint64_t)(int64_t)d);
}

void patch_to_original(ucontext_t *uc)
{
	greg_t *g = uc->uc_mcontext.gregs;
	if (interrupted_in_stub((uint64_t)g[REG_RIP]))
		leave_stub(g);
	else
		leave_board(g);
	const struct patched *p = trap_new_code((uint64_t)g[REG_RIP]);
	uint64_t off = p ? (uint64_t)g[REG_RIP] - p->new_lo : 0;
	const struct map_entry *m = p ? trap_entry(p, off) : NULL, *end = p ? p->map + p->entries : NULL;
	if (!m)
		return;
	uint32_t at = (uint32_t)off - m->to, bytes = m + 1 < end ? m[1].to - m->to : 0;
	uint64_t from = m->from;
	unsigned temp = m->kind & 3;
	switch (m->kind < MAP_SPLIT ? m->kind : m->kind & ~3u) {
	case MAP_HOOK:
		leave_hook(g, at, bytes, true);
		break;
	case MAP_SPLIT_OPEN:
		if (at)
			g[REG_RSP] += 128;
		break;
	case MAP_SPLIT_HOOK:
		leave_hook(g, at, bytes, false);
		leave_temp(g, temp);
		break;
	case MAP_SPLIT:
		leave_temp(g, temp);
		break;
	case MAP_SPLIT_DONE:
		/* The effect is complete, so the context continues after the instruction. */
		if (at == 0)
			leave_temp(g, temp);
		else
			g[REG_RSP] += 128;
		from = behind(p, m);
		break;
	case MAP_LOOP:
		if (at)
			g[REG_RCX]++;
		break;
	case MAP_CALL:
		leave_call(g, at, bytes);
		break;
	case MAP_SCAN: {
		const uint8_t *code = (const uint8_t *)p->new_lo + m->to;
		bool zero = g[REG_EFL] & 0x40;
		if (at == 0)
			g[REG_RCX]--;
		if (!g[REG_RCX] || zero == (code[4] == 0x74)) /* this element is the last one */
			from = behind(p, m);
		break;
	}
	}
	g[REG_RIP] = (greg_t)(p->old_lo + from);
}
