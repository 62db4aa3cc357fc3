#include "preload/base/guard.h"

#include <errno.h>
#include <link.h>
#include <sys/mman.h>

#include "base/check.h"
#include "preload/base/state.h"
#include "preload/base/sys.h"
#include "preload/base/rules.h"

struct guard_range guard_range[GUARD_RANGES] SEALED = { { 0, 0 } };
unsigned guard_ranges SEALED = 0;
uint64_t guard_lowest SEALED = UINT64_MAX;
uint64_t guard_hit;

/* Ranges of whole pages: constant data, which the dynamic linker made read-only, and the description of the session. */
static struct guard_range constants SEALED = { 0, 0 }, description SEALED = { 0, 0 };

#define PAGE UINT64_C(4096)

static int find_own(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct guard_range *out = arg; /* [0]: constants, [1]: variables */
	uint64_t here = (uintptr_t)find_own;
	bool own = false;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		own |= p->p_type == PT_LOAD && here - info->dlpi_addr - p->p_vaddr < p->p_memsz;
	}
	for (int i = 0; i < info->dlpi_phnum && own; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uint64_t lo = info->dlpi_addr + p->p_vaddr, hi = lo + p->p_memsz;
		if (p->p_type == PT_GNU_RELRO)
			out[0] = (struct guard_range){ lo & -PAGE, (hi & -PAGE) - (lo & -PAGE) };
		if (p->p_type == PT_LOAD && (p->p_flags & PF_W))
			out[1] = (struct guard_range){ lo & -PAGE, ((hi + PAGE - 1) & -PAGE) - (lo & -PAGE) };
	}
	return own;
}

static void protect_range(void *lo, uint64_t bytes, int prot)
{
	long r = bytes ? sys_mprotect(lo, bytes, prot) : 0;

	if (r == -ENOMEM)
		ctl_refuse("the program has as many memory mappings as the kernel allows (vm.max_map_count), so simul cannot protect its own memory");
	INVARIANT(!sys_failed(r), "memory of simul's cannot be protected from the program: error %ld", -r);
}

/* The caller may be a hook that the constructor of another library called. So this must not use dl_iterate_phdr, which takes a lock. */
static void protect(int prot)
{
	struct guard_range found[2] = { constants, { 0, 0 } };
	if (!found[0].bytes)
		dl_iterate_phdr(find_own, found);
	protect_range((void *)found[0].lo, found[0].bytes, prot);
	protect_range((void *)description.lo, description.bytes, prot);
}

void guard_open(void)
{
	protect(PROT_READ | PROT_WRITE);
}

void guard_seal(void)
{
	protect(PROT_READ);
}

void guard_session(void *start, uint64_t bytes)
{
	description = (struct guard_range){ (uintptr_t)start, bytes & -PAGE };
}

void guard_add(const void *p, uint64_t bytes)
{
	if (guard_ranges == GUARD_RANGES)
		return;
	guard_range[guard_ranges++] = (struct guard_range){ (uintptr_t)p, bytes };
	if ((uintptr_t)p < guard_lowest)
		guard_lowest = (uintptr_t)p;
}

void guard_add_variables(void)
{
	struct guard_range found[2] = { { 0, 0 }, { 0, 0 } };
	dl_iterate_phdr(find_own, found);
	constants = found[0];
	guard_add((const void *)found[1].lo, found[1].bytes);
}

bool guard_overlaps(uint64_t addr, uint64_t bytes)
{
	for (unsigned i = 0; i < guard_ranges; i++)
		if (addr - guard_range[i].lo < guard_range[i].bytes || guard_range[i].lo - addr < bytes)
			return true;
	return addr - (uintptr_t)SYS_AWAY(0) < SYS_AWAY_BYTES || (uintptr_t)SYS_AWAY(0) - addr < bytes;
}

void guard_mapping(const void *addr, uint64_t bytes, const char *call)
{
	if (!guard_overlaps((uintptr_t)addr, bytes) || !ctl_enter())
		return;
	ctl_refuse("the program calls %s for memory that it did not map: simul keeps its own there", call);
}

void guard_native(struct session *s)
{
	uint64_t notes = (offsetof(struct session, pool) + PAGE - 1) & -PAGE;
	protect_range((char *)s + notes, s->layout.size + s->layout.common_size - notes, PROT_READ);
}

long guard_seccomp(void)
{
	if (ctl_enter()) {
		ctl_uncontrolled("a filter for system calls (seccomp): it was not installed");
		ctl_leave();
	}
	return 0;
}
