/*
 * preload/accesses/x86_64/tsan_entry.S and tsan_abi.c by themselves: what they pass to mem_note and mem_perform at each function of tsan.def that
 * makes or announces an access; that a call leaves the registers as the ABI wants; and that the registers they report
 * are the caller's. mem_note and mem_perform are ours here, and clobber every register that a function may clobber.
 *
 * Linked with the library's own objects, see tests/tsan.sh.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/session.h"
#include "preload/accesses/mem.h"
#include "preload/accesses/tsan.h"

/* ---- what the library's objects need ---- */

bool mem_on;
int ctl_state;
struct session *ctl_session;
void ctl_refuse(const char *fmt, ...);
void ctl_refuse(const char *fmt, ...)
{
	exit(2);
}

/* ---- the sensor ---- */

#define CLOBBER                                                                                    \
	__asm__ volatile("mov $-1, %%rax; mov %%rax, %%rcx; mov %%rax, %%rdx; mov %%rax, %%rsi; mov %%rax, %%rdi;"        \
			 "mov %%rax, %%r8; mov %%rax, %%r9; mov %%rax, %%r10; mov %%rax, %%r11"                    \
			 : : : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "cc")

static bool visible; /* what mem_note answers */
static int notes, performed, failures;
static uint64_t note_addr, note_size, note_stack;
static unsigned note_flags;
static struct mem_access seen;
static struct mem_regs seen_regs;

bool mem_note(uint64_t addr, uint64_t size, unsigned flags)
{
	notes++;
	note_addr = addr;
	note_size = size;
	note_flags = flags;
	note_stack = (uint64_t)__builtin_frame_address(0);
	CLOBBER;
	return visible;
}

void mem_perform(const struct mem_access *a)
{
	performed++;
	seen = *a;
	if (a->regs)
		seen_regs = *a->regs;
	CLOBBER;
}

/* ---- calling ---- */

struct call {
	uint64_t function, argument[6];
	uint64_t result[2]; /* rax, rdx */
	uint64_t before[6], after[6]; /* rbx rbp r12 r13 r14 r15 */
	uint64_t rsp, ret;   /* at the call; where it returns */
	uint64_t on_stack;   /* the seventh argument */
};
void enter(struct call *c); /* calls it with known values in the registers that a function preserves */
__asm__(".text\nenter:\n"
	"push %rbx; push %rbp; push %r12; push %r13; push %r14; push %r15; push %rdi\n"
	"mov %rdi, %rax\n"
	"mov 0x48(%rax), %rbx; mov 0x50(%rax), %rbp; mov 0x58(%rax), %r12\n"
	"mov 0x60(%rax), %r13; mov 0x68(%rax), %r14; mov 0x70(%rax), %r15\n"
	"sub $8, %rsp; pushq 0xb8(%rax)\n"
	"mov %rsp, 0xa8(%rax); lea 1f(%rip), %rcx; mov %rcx, 0xb0(%rax)\n"
	"mov 8(%rax), %rdi; mov 0x10(%rax), %rsi; mov 0x18(%rax), %rdx\n"
	"mov 0x20(%rax), %rcx; mov 0x28(%rax), %r8; mov 0x30(%rax), %r9\n"
	"call *(%rax)\n"
	"1: add $16, %rsp; mov (%rsp), %rcx\n"
	"mov %rax, 0x38(%rcx); mov %rdx, 0x40(%rcx)\n"
	"mov %rbx, 0x78(%rcx); mov %rbp, 0x80(%rcx); mov %r12, 0x88(%rcx)\n"
	"mov %r13, 0x90(%rcx); mov %r14, 0x98(%rcx); mov %r15, 0xa0(%rcx)\n"
	"pop %rdi; pop %r15; pop %r14; pop %r13; pop %r12; pop %rbp; pop %rbx; ret\n");

#define MUST(c)                                                                                    \
	do {                                                                                       \
		if (!(c)) {                                                                        \
			fprintf(stderr, "line %d, %s: not %s\n", __LINE__, name, #c);              \
			failures++;                                                                \
		}                                                                                  \
	} while (0)

/* Calls the function three times: with invisible memory, with visible memory, and while simul controls nothing. Expects one access in the
   first two. failed: the flag that only mem_perform gets. */
static void check_failing(const char *name, uint64_t function, uint64_t size, unsigned flags, unsigned failed, uint64_t pc, struct call c)
{
	c.function = function;
	for (int round = 0; round < 3; round++) {
		visible = round == 1;
		mem_on = round != 2;
		notes = performed = 0;
		memset(&seen, 0, sizeof(seen));
		memset(&seen_regs, 0xee, sizeof(seen_regs));
		for (int i = 0; i < 6; i++)
			c.before[i] = 0x1111111111111111u * (unsigned)(i + 1);
		enter(&c);
		MUST(!memcmp(c.before, c.after, sizeof(c.before)));
		MUST(notes == mem_on && performed == visible);
		if (!mem_on)
			continue;
		MUST(note_addr == c.argument[0] && note_size == size && note_flags == (flags & (TSAN_VALUE - 1)));
		MUST(note_stack % 16 == 0);
		if (!visible)
			continue;
		MUST(seen.addr == c.argument[0] && seen.size == size && seen.flags == (flags | failed));
		MUST(seen.pc == (pc ? pc : c.ret) && seen.regs);
		MUST(seen_regs.rbx == c.before[0] && seen_regs.rbp == c.before[1] && seen_regs.r12 == c.before[2]);
		MUST(seen_regs.r13 == c.before[3] && seen_regs.r14 == c.before[4] && seen_regs.r15 == c.before[5]);
		MUST(seen_regs.sp == c.rsp && seen_regs.pc == c.ret && !seen_regs.extended);
		MUST(!(seen_regs.rax | seen_regs.rcx | seen_regs.rdx | seen_regs.rsi | seen_regs.rdi | seen_regs.r8 |
			seen_regs.r9 | seen_regs.r10 | seen_regs.r11 | seen_regs.rflags));
	}
}

static void check(const char *name, uint64_t function, uint64_t size, unsigned flags, uint64_t pc, struct call c)
{
	check_failing(name, function, size, flags, 0, pc, c);
}

/* ---- each function ---- */

static _Alignas(16) uint64_t cell[2], expected[2];

static void check_access(const char *name, uint64_t function, uint64_t size, unsigned flags)
{
	check(name, function, size, flags, 0, (struct call){.argument = {(uint64_t)cell}});
}

static void check_access_pc(const char *name, uint64_t function, uint64_t size, unsigned flags)
{
	check(name, function, size, flags, 0x1234, (struct call){.argument = {(uint64_t)cell, 0x1234}});
}

static void check_range(const char *name, uint64_t function, unsigned flags)
{
	check(name, function, 1000, flags, 0, (struct call){.argument = {(uint64_t)cell, 1000}});
	mem_on = visible = true;
	notes = 0;
	enter(&(struct call){.function = function, .argument = {(uint64_t)cell, 0}});
	MUST(notes == 0); /* an empty range is no access */
}

static void check_range_pc(const char *name, uint64_t function, unsigned flags)
{
	check(name, function, 1000, flags, 0x1234, (struct call){.argument = {(uint64_t)cell, 1000, 0x1234}});
}

static unsigned order_flags(unsigned mo, unsigned flags)
{
	static const unsigned acquire = 1 << 1 | 1 << 2 | 1 << 4 | 1 << 5, release = 1 << 3 | 1 << 4 | 1 << 5;

	return (flags & MEM_READ && (acquire >> mo & 1) ? MEM_ACQUIRE : 0) |
	       (flags & MEM_WRITE && (release >> mo & 1) ? MEM_RELEASE : 0) |
	       (flags & MEM_WRITE && mo == 5 ? MEM_DRAIN : 0) | (mo == 5 ? MEM_SEQ_CST : 0);
}

/* All orders for failure of a compare-and-swap. at: which argument its order for success is; the other order follows it. */
static void check_orders_of_failure(const char *name, uint64_t function, uint64_t size, unsigned flags, int at, struct call c)
{
	static const unsigned orders[4] = {0, 1, 2, 5}; /* relaxed, consume, acquire, seq_cst */
	static const unsigned failed[4] = {MEM_FAILED_RELAXED, 0, 0, MEM_FAILED_SEQ_CST};

	for (int i = 0; i < 4; i++) {
		if (at < 5)
			c.argument[at + 1] = orders[i];
		c.on_stack = at < 5 ? 7 : orders[i];
		expected[0] = 3;
		cell[0] = 9;
		check_failing(name, function, size, flags, failed[i], 0, c);
	}
}

/* at: which argument the memory order is. The value to store is 5; a CAS expects 3 and finds 9. Further hints may stand above the
   order. */
static void check_atomic(const char *name, uint64_t function, uint64_t size, unsigned flags, int at)
{
	struct call c = {.argument = {(uint64_t)cell, (uint64_t)expected, 5, 5, 5, 5}};

	if (!(flags & MEM_CAS))
		c.argument[1] = 5, c.argument[2] = 0;
	if (flags & TSAN_VALUE)
		c.argument[1] = 3, c.argument[2] = size == 16 ? 4 : 5;
	for (unsigned mo = 0; mo <= 5; mo++) {
		expected[0] = 3;
		expected[1] = 4;
		cell[0] = cell[1] = 9;
		c.argument[at] = mo | (mo & 1 ? 0x10000 : 0);
		if (flags & MEM_CAS)
			check_orders_of_failure(name, function, size, (flags & ~TSAN_VALUE) | order_flags(mo, flags), at, c);
		else
			check(name, function, size, flags | order_flags(mo, flags), 0, c);
		if (flags & TSAN_VALUE) {
			visible = mem_on = true;
			c.function = function;
			enter(&c);
			MUST(seen.expected[0] == 3 && (size < 16 || seen.expected[1] == 4));
		} else if (flags & MEM_CAS) {
			visible = mem_on = true;
			c.function = function;
			expected[0] = 3;
			expected[1] = 4;
			cell[0] = cell[1] = 9;
			enter(&c);
			MUST(seen.expected[0] == (size < 8 ? 3 & ((1ull << 8 * size) - 1) : 3));
			MUST(size < 16 ? !seen.expected[1] : seen.expected[1] == 4);
			MUST((c.result[0] & 0xff) == 0 && (uint8_t)expected[0] == 9);
		}
	}
}

void __tsan_atomic_thread_fence(int mo);

/* Relaxed fences are not announced. */
static void check_fences(void)
{
	static const unsigned orders[6] = {0, MEM_ACQUIRE, MEM_ACQUIRE, MEM_RELEASE, MEM_ACQUIRE | MEM_RELEASE,
		MEM_ACQUIRE | MEM_RELEASE | MEM_DRAIN};
	const char *name = "fence";

	for (int i = 0; i < 18; i++) {
		int mo = i % 6;

		visible = i / 6 == 1;
		mem_on = i / 6 != 2;
		notes = performed = 0;
		__tsan_atomic_thread_fence(mo);
		MUST(notes == (mem_on && orders[mo]) && performed == (visible && orders[mo]));
		if (!notes)
			continue;
		MUST(note_addr == 0 && note_size == 0 && note_flags == (orders[mo] | MEM_FENCE));
		if (performed)
			MUST(seen.addr == 0 && seen.size == 0 && seen.flags == note_flags && seen.pc);
	}
}

#define esi 1
#define edx 2
#define ecx 3
#define r8d 4
#define r9d 5
#define ACCESS(name, size, flags) void name(void);
#define ACCESS_PC(name, size, flags) void name(void);
#define RANGE(name, flags) void name(void);
#define RANGE_PC(name, flags) void name(void);
#define ATOMIC(name, size, flags, mo) void name(void);
#define NOTHING(name)
#define OTHER(name)
#include "preload/accesses/tsan.def"
#undef ACCESS
#undef ACCESS_PC
#undef RANGE
#undef RANGE_PC
#undef ATOMIC
#define ACCESS(name, size, flags) check_access(#name, (uint64_t)name, size, flags), checked++;
#define ACCESS_PC(name, size, flags) check_access_pc(#name, (uint64_t)name, size, flags), checked++;
#define RANGE(name, flags) check_range(#name, (uint64_t)name, flags), checked++;
#define RANGE_PC(name, flags) check_range_pc(#name, (uint64_t)name, flags), checked++;
#define ATOMIC(name, size, flags, mo) check_atomic(#name, (uint64_t)name, size, flags, mo), checked++;

int main(void)
{
	int checked = 0;

#include "preload/accesses/tsan.def"
	check_fences();
	printf("%d functions\n", checked);
	return failures || checked < 60 + 60;
}
