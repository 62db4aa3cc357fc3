/* Functions that the stub calls. They compute the access of a site from the registers. */
#include <stddef.h>

#include "base/processor.h"
#include "preload/accesses/mem.h"
#include "preload/patch/x86_64/site.h"
#include "preload/base/rules.h"

bool (*patch_note)(uint64_t addr, uint64_t size, unsigned flags) = mem_note;
bool (*patch_counts)(uint64_t pc, uint64_t sp);
bool (*patch_counts_here)(const struct mem_access *a);
uint64_t (*patch_clock)(void);
uint64_t patch_xsave_mask, patch_xsave_size;
bool patch_xsave_compact;

bool hook_init(const struct patch_config *config)
{
	uint32_t saved = processor_saved_state();
	if (config->note)
		patch_note = config->note;
	if (config->counts) {
		patch_counts = config->counts;
		patch_counts_here = config->counts_here;
	}
	if (config->clock)
		patch_clock = config->clock;
	if (patch_xsave_size)
		return true;
	if (!saved)
		return false;
	patch_xsave_mask = saved & PROCESSOR_VECTOR_STATE;
	patch_xsave_size = 512 + 64;
	for (unsigned i = 2; i < 8; i++) {
		if (!(patch_xsave_mask >> i & 1))
			continue;
		struct processor_cpuid part = processor_cpuid(0xd, i);
		if (part.a + part.b > patch_xsave_size)
			patch_xsave_size = part.a + part.b;
	}
	patch_xsave_size = (patch_xsave_size + 63) & ~63ull; /* size of the standard form, which is larger than the compacted one */
	patch_xsave_compact = processor_cpuid(0xd, 1).a & 2;
	return true;
}

struct range {
	uint64_t addr, size;
};

/* Returns the bytes that the access touches. ea: the address computed from the operand. */
static struct range range(const struct patch_site *s, const struct mem_regs *r, uint64_t ea)
{
	struct range n = { ea, s->size };
	if (s->kind == SITE_REPEAT) {
		n.size = s->size * r->rcx;
		if (r->rflags & 0x400 && r->rcx)
			n.addr -= n.size - s->size;
	} else if (s->kind == SITE_TLS) {
		n.addr += processor_thread_pointer();
	} else if (s->kind == SITE_TABLE) {
		n.addr += r->rax & 0xff;
	} else if (s->kind == SITE_BITS) {
		int64_t bit = (int64_t)(&r->rax)[s->reg];
		if (s->size == 2)
			bit = (int16_t)bit;
		else if (s->size == 4)
			bit = (int32_t)bit;
		n.addr += (uint64_t)(bit >> (s->size == 2 ? 4 : s->size == 4 ? 5 : 6)) * s->size;
	}
	return n;
}

/* Called by the stub, with rsp as it was before the hook's two pushes. Sets the registers to those of the original instruction. In the
   second half of a split instruction the temporary register holds the loaded value, and its own value is on the stack. Returns true when
   the access must be announced. */
bool patch_hook_full(const struct patch_site *s, struct patch_frame *f, uint64_t ea)
{
	struct mem_regs *r = &f->regs;
	uint64_t *temp = &r->rax + s->reg;
	bool noted = f->live;
	r->pc = s->pc;
	if (s->inner) {
		f->live = *temp;
		*temp = *(const uint64_t *)r->sp;
		r->sp += 8;
	}
	r->sp += 128;
	if (s->kind == SITE_CLOCK)
		return true;
	struct range n = range(s, r, ea);
	if (noted || ((!s->asks || patch_counts(s->pc, r->sp)) && (n.size || s->flags & MEM_FENCE) &&
		patch_note(n.addr, n.size, s->flags)))
		return true;
	if (s->inner)
		*temp = f->live;
	return false;
}

/* Returns the registers whose values are not read, in the form of mem_access.dead. */
static uint32_t dead(const struct patch_site *s)
{
	return (s->overwrites ? 1u << s->reg : 0) | (s->flags_dead ? MEM_DEAD_FLAGS : 0);
}

/* Sets the registers as rdtsc or rdtscp does. */
static void read_clock(const struct patch_site *s, struct mem_regs *r)
{
	uint64_t now = patch_clock();
	r->rax = (uint32_t)now;
	r->rdx = now >> 32;
	if (s->reg)
		r->rcx = 0; /* the number of the processor */
}

/* Announces the access. Then sets the registers to the values that the new code needs. */
void patch_hook_slow(const struct patch_site *s, struct patch_frame *f, uint64_t ea)
{
	const struct mem_regs *r = &f->regs;
	if (s->kind == SITE_CLOCK) {
		read_clock(s, &f->regs);
		return;
	}
	struct range n = range(s, r, ea);
	struct mem_access a = { .addr = n.addr, .size = n.size, .pc = s->pc + 1, .regs = r, .dead = dead(s) };
	a.flags = s->flags | (s->inner ? MEM_SAME : 0u) | (s->adds ? MEM_ADDS : 0u);
	if (s->flags & MEM_CAS) {
		a.expected[0] = r->rax;
		a.expected[1] = r->rdx;
		if (s->kind == SITE_PAIR)
			a.expected[0] = (r->rax & 0xffffffff) | r->rdx << 32;
	}
	if (!s->asks || patch_counts_here(&a))
		mem_perform(&a);
	if (s->inner)
		(&f->regs.rax)[s->reg] = f->live;
}
