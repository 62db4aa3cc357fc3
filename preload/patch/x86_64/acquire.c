/* Finds compare-and-swaps whose failure leads to a function that waits for a lock: `lock cmpxchg; jne L; ... L: ... call wait`. */
#include "preload/accesses/mem.h"
#include "preload/patch/engine.h"
#include "preload/patch/x86_64/option.h"
#include "preload/base/rules.h"

#define MOST_STEPS 10 /* instructions from the branch to the call: they load arguments */

#define MOST_BETWEEN 3 /* instructions from the access to the branch */

#define MOV_TO_MEMORY 0x89
#define MOV_TO_REGISTER 0x8b
#define LEA 0x8d
#define XCHG 0x86 /* and 0x87 */
#define REX 0x40
#define REX_WIDE 8
#define REX_OTHER 4 /* the register is one of r8 to r15 */
#define MODRM_REGISTER 0x38

#define MOST_IMPORTS 16u

#define CC_EQUAL 4
#define CC_NOT_EQUAL 5

/* The functions of other modules that wait for a lock: where their addresses are. */
struct imported {
	const struct engine *e;
	unsigned n;
	struct {
		uint64_t place;
		uint32_t owner;
		bool until;
	} at[MOST_IMPORTS];
};

static void note_import(void *ctx, uint64_t place, const char *name)
{
	struct imported *m = ctx;
	bool until = false;
	uint32_t owner = m->n < MOST_IMPORTS ? m->e->config.waits_named(name, &until) : 0;
	if (!owner)
		return;
	m->at[m->n].place = place;
	m->at[m->n].owner = owner;
	m->at[m->n++].until = until;
}

/* Returns who says that a function waits whose address lies in a table of the linker's. */
static uint32_t waits_behind(const struct imported *m, uint64_t at, bool *until)
{
	const struct engine *e = m->e;
	for (unsigned i = 0; i < m->n; i++)
		if (m->at[i].place == at) {
			*until = m->at[i].until;
			return m->at[i].owner;
		}
	return at % 8 == 0 && module_constant(&e->image, at) ? e->config.waits(*(const uint64_t *)at, until) : 0;
}

/* The same for the function to which an indirect call or jump leads. */
static uint32_t waits_indirect(const struct imported *m, const struct insn *in, bool *until)
{
	uint64_t place;
	return code_names(m->e, in, &place) ? waits_behind(m, place, until) : 0;
}

/* The same for the function to which a direct call or jump leads, perhaps through a stub of the linker's. */
static uint32_t waits_direct(const struct imported *m, const struct insn *in, bool *until)
{
	const struct engine *e = m->e;
	uint64_t place;
	uint32_t owner = e->config.waits(e->image.lo + (uint64_t)(int64_t)in->ref, until);
	return !owner && code_stub_entry(e, in->ref, &place) ? waits_behind(m, place, until) : owner;
}

/* Returns who says that the code at `off`, which has no other branches before it, calls a function that waits; 0: it does not. *by: the call. */
static uint32_t waits(const struct imported *m, int64_t off, const struct insn **by)
{
	const struct engine *e = m->e;
	const struct insn *in = analyse_find(e, off, NULL);
	struct option limit = { 0 };
	for (unsigned i = 0; in && i < MOST_STEPS; i++) {
		bool until = false;
		uint32_t owner = 0;
		*by = in;
		if (in->kind == K_CALL || in->kind == K_JMP)
			owner = waits_direct(m, in, &until);
		else if (in->kind == K_CALL_INDIRECT || in->kind == K_JMP_INDIRECT)
			owner = waits_indirect(m, in, &until);
		if (owner || (in->kind != K_PLAIN && in->kind != K_JMP))
			return until && !option_is_none(&limit) ? 0 : owner;
		if (in->kind == K_PLAIN)
			option_note(&limit, e->image.text + in->off, in->len);
		in = analyse_find(e, in->kind == K_JMP ? (int64_t)in->ref : (int64_t)in->off + in->len, NULL);
	}
	return 0;
}

uint32_t acquire_leads(const struct engine *e, int64_t off, const struct insn **by)
{
	const struct imported none = { .e = e };
	return waits(&none, off, by);
}

const struct insn *acquire_branch(const struct engine *e, size_t i, bool compares)
{
	for (size_t k = i + 1; k < e->insns.n && k <= i + MOST_BETWEEN + 1; k++) {
		const struct insn *in = VEC_AT(&e->insns, struct insn, k);
		if (in->kind == K_JCC)
			return in;
		if (in->kind != K_PLAIN || (!compares && in->opcode != MOV_TO_MEMORY && in->opcode != MOV_TO_REGISTER && in->opcode != LEA))
			return NULL;
	}
	return NULL;
}

int64_t acquire_fails(const struct engine *e, size_t i)
{
	const struct insn *in = VEC_AT(&e->insns, struct insn, i);
	const struct access *access = insn_access(e, in);
	if (!access || !(access->flags & MEM_CAS))
		return -1;
	const struct insn *jump = acquire_branch(e, i, false);
	unsigned condition = jump ? jump->opcode & 15 : 0;
	if (condition != CC_EQUAL && condition != CC_NOT_EQUAL)
		return -1;
	return condition == CC_NOT_EQUAL ? (int64_t)jump->ref : (int64_t)jump->off + jump->len;
}

bool acquire_exchanges(const struct engine *e, const struct insn *in)
{
	const struct access *a = insn_access(e, in);
	return a && (in->opcode | 1) == (XCHG | 1) && a->flags & MEM_ATOMIC;
}

/* The register is eax. */
bool acquire_loads(const struct engine *e, const struct insn *in)
{
	const struct access *a = insn_access(e, in);
	const uint8_t *p = e->image.text + in->off;
	if (!a || a->size != 4 || (a->flags & (MEM_READ | MEM_WRITE)) != MEM_READ)
		return false;
	if ((*p & 0xf0) == REX && *p++ & (REX_WIDE | REX_OTHER))
		return false;
	return p[0] == MOV_TO_REGISTER && !(p[1] & MODRM_REGISTER);
}

void acquire_find(const struct engine *e)
{
	struct imported imported = { .e = e };
	if (!e->config.waits)
		return;
	imports_each(&e->image, note_import, &imported);
	for (size_t i = 0; i < e->insns.n; i++) {
		const struct insn *by;
		int64_t fails = acquire_fails(e, i);
		uint32_t owner = fails < 0 ? 0 : waits(&imported, fails, &by);
		if (owner)
			e->config.acquires(e->image.lo + VEC_AT(&e->insns, struct insn, i)->off, owner);
	}
}
