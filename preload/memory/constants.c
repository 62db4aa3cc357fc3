#include "preload/memory/constants.h"

#include <link.h>
#include <stddef.h>

#include "preload/base/rules.h"

#define MOST 64
#define PAGE UINT64_C(4096)

static struct {
	uint64_t lo, hi;
} ranges[MOST];
static unsigned n_ranges;

static int add_module(struct dl_phdr_info *m, size_t size, void *arg)
{
	for (unsigned i = 0; i < m->dlpi_phnum && n_ranges < MOST; i++) {
		const ElfW(Phdr) *ph = &m->dlpi_phdr[i];
		bool relro = ph->p_type == PT_GNU_RELRO;
		uint64_t lo = m->dlpi_addr + ph->p_vaddr, hi = lo + ph->p_filesz;

		if (!relro && (ph->p_type != PT_LOAD || (ph->p_flags & (PF_W | PF_X))))
			continue;
		ranges[n_ranges].lo = lo;
		ranges[n_ranges++].hi = relro ? (lo + ph->p_memsz) & -PAGE : hi; /* the loader protects whole pages */
	}
	return 0;
}

void constants_begin(void)
{
	dl_iterate_phdr(add_module, NULL);
}

bool constants_has(uint64_t addr)
{
	for (unsigned i = 0; i < n_ranges; i++)
		if (addr >= ranges[i].lo && addr < ranges[i].hi)
			return true;
	return false;
}
