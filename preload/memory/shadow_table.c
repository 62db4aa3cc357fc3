/* The memory of the shadow; see shadow_table.h. */
#include "preload/memory/shadow_table.h"

#include <sys/mman.h>

#include "preload/base/guard.h"
#include "preload/base/state.h"
#include "preload/base/sys.h"
#include "preload/base/rules.h"

#define MOST_LEAVES 4096u
#define LEAST_LEAVES 64u

uint32_t *table_top SEALED = NULL;
char *table_leaves SEALED = NULL;
struct leaf_map *table_maps SEALED = NULL;
char *table_marks SEALED = NULL;
uint32_t table_used = 1;
uint64_t table_bytes SEALED = 0;
static uint32_t most_leaves SEALED = 0;

#define TOP_BYTES ((UINT64_C(1) << (ADDRESS_BITS - LEAF_BITS)) * sizeof *table_top)

void *table_init(uint64_t more)
{
	const uint64_t tables = TOP_BYTES + MOST_LEAVES * sizeof *table_maps;
	char *p = NULL;
	uint64_t size = 0;
	for (most_leaves = MOST_LEAVES; !p && most_leaves >= LEAST_LEAVES; most_leaves /= p ? 1 : 2) {
		size = tables + more + most_leaves * (LEAF_BYTES + MARK_BYTES);
		p = sys_mmap(SYS_AWAY(16), size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		p = sys_failed((long)p) ? NULL : p;
	}
	if (!p)
		ctl_refuse("no room for simul's own memory in the program's address space (check the limit on address space: ulimit -v)");
	sys_call3(SYS_madvise, (long)p, (long)size, MADV_NOHUGEPAGE); /* no huge pages, because few of the pages are written to */
	table_bytes = size;
	guard_add(p, size);
	table_top = (uint32_t *)p;
	table_maps = (struct leaf_map *)(p + TOP_BYTES);
	table_leaves = p + tables + more;
	table_marks = table_leaves + most_leaves * LEAF_BYTES;
	return p + tables;
}

bool table_part(unsigned i, uint64_t *lo, uint64_t *bytes)
{
	switch (i) {
	case 0:
		*lo = (uintptr_t)table_top;
		*bytes = TOP_BYTES;
		return true;
	case 1:
		*lo = (uintptr_t)table_maps;
		*bytes = table_used * sizeof *table_maps;
		return true;
	case 2:
		*lo = (uintptr_t)table_marks;
		*bytes = table_used * MARK_BYTES;
		return true;
	default:
		*lo = (uintptr_t)table_leaves + (i - 3) * LEAF_BYTES;
		*bytes = LEAF_BYTES;
		return i - 3 < table_used;
	}
}

void table_too_small(void)
{
	static const char what[] = "accesses to more memory than simul can watch";
	static bool reported;
	struct session_control *c = &ctl_session->ctl;
	for (unsigned i = 0; i < sizeof what && !reported && !c->facts.uncontrolled; i++)
		((volatile char *)c->facts.uncontrolled_what)[i] = what[i];
	c->facts.uncontrolled += !reported;
	reported = true;
}

uint32_t table_leaf(uint64_t addr)
{
	uint32_t *leaf = &table_top[addr >> LEAF_BITS];
	if (!*leaf && table_used < most_leaves)
		*leaf = table_used++;
	else if (!*leaf)
		table_too_small();
	return *leaf;
}
