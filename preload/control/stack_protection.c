#include "preload/control/stack_protection.h"

#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include "preload/base/rules.h"

static int protection = PROT_READ | PROT_WRITE; /* glibc never takes the permission back, so neither does this */

/* A module without the header needs an executable stack. The kernel's own module does not count. */
static int look(struct dl_phdr_info *info, size_t size, void *arg)
{
	ElfW(Word) flags = PF_X;
	uint64_t kernel = getauxval(AT_SYSINFO_EHDR);

	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type == PT_GNU_STACK)
			flags = p->p_flags;
		else if (p->p_type == PT_LOAD && kernel && kernel - info->dlpi_addr - p->p_vaddr < p->p_memsz)
			return 0;
	}
	if (flags & PF_X)
		protection |= PROT_EXEC;
	return 0;
}

int stack_protection(void)
{
	dl_iterate_phdr(look, NULL);
	return protection;
}
