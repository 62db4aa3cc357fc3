/* The dynamic section of a loaded module. */
#ifndef SIMUL_ELF_DYNAMIC_H
#define SIMUL_ELF_DYNAMIC_H

#include <link.h>
#include <stddef.h>
#include <stdint.h>

/* Returns a pointer from a dynamic section, as an address. The loader has relocated it, except in some modules (the vDSO), where it is an
   offset. */
static inline const void *dynamic_pointer(const struct dl_phdr_info *m, uint64_t value)
{
	return (const void *)(value < m->dlpi_addr ? value + m->dlpi_addr : value);
}

/* Returns the module's dynamic section, which ends with DT_NULL; NULL: it has none. */
static inline const ElfW(Dyn) *dynamic_section(const struct dl_phdr_info *m)
{
	for (int i = 0; i < m->dlpi_phnum; i++)
		if (m->dlpi_phdr[i].p_type == PT_DYNAMIC)
			return (const ElfW(Dyn) *)(m->dlpi_addr + m->dlpi_phdr[i].p_vaddr);
	return NULL;
}

#endif
