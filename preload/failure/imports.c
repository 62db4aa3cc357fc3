#include "preload/failure/imports.h"

#include <string.h>

#include "preload/base/elf_dynamic.h"
#include "preload/failure/stack.h"
#include "preload/base/rules.h"

/* The parts of a module's dynamic section that name the functions it imports. */
struct imports {
	const ElfW(Sym) *symbols;
	const char *names;
	const ElfW(Rela) *table[2]; /* relocations of called functions, and of functions whose address is taken */
	size_t bytes[2];
};

static void read_dynamic(const struct dl_phdr_info *m, const ElfW(Dyn) *d, struct imports *out)
{
	for (; d->d_tag != DT_NULL; d++)
		switch (d->d_tag) {
		case DT_SYMTAB: out->symbols = dynamic_pointer(m, d->d_un.d_ptr); break;
		case DT_STRTAB: out->names = dynamic_pointer(m, d->d_un.d_ptr); break;
		case DT_JMPREL: out->table[0] = dynamic_pointer(m, d->d_un.d_ptr); break;
		case DT_PLTRELSZ: out->bytes[0] = d->d_un.d_val; break;
		case DT_RELA: out->table[1] = dynamic_pointer(m, d->d_un.d_ptr); break;
		case DT_RELASZ: out->bytes[1] = d->d_un.d_val; break;
		default: break;
		}
}

static bool is_one_of(const char *name, const char *const *names)
{
	for (; *names; names++)
		if (!strcmp(name, *names))
			return true;
	return false;
}

/* Which imports are asked for. */
struct wanted {
	const char *const *names;
	const char *begins; /* NULL: functions with these names; otherwise functions with other names that begin so */
};

static bool is_wanted(const struct wanted *w, const char *name)
{
	return w->begins ? !strncmp(name, w->begins, strlen(w->begins)) && !is_one_of(name, w->names) : is_one_of(name, w->names);
}

static bool has_import(const struct imports *in, const struct wanted *w)
{
	for (int k = 0; k < 2; k++)
		for (size_t i = 0; in->table[k] && i < in->bytes[k] / sizeof(ElfW(Rela)); i++) {
			const ElfW(Sym) *s = &in->symbols[ELF64_R_SYM(in->table[k][i].r_info)];
			if (ELF64_R_SYM(in->table[k][i].r_info) && s->st_shndx == SHN_UNDEF && is_wanted(w, in->names + s->st_name))
				return true;
		}
	return false;
}

static int look_in_module(struct dl_phdr_info *m, size_t size, void *arg)
{
	struct imports in = { .symbols = NULL };
	for (int i = 0; i < m->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &m->dlpi_phdr[i];
		if (p->p_type == PT_DYNAMIC)
			read_dynamic(m, (const ElfW(Dyn) *)(m->dlpi_addr + p->p_vaddr), &in);
		else if (p->p_type == PT_LOAD && stack_is_simul(m->dlpi_addr + p->p_vaddr))
			return 0; /* simul itself does not count */
	}
	return in.symbols && in.names && has_import(&in, arg);
}

bool imports_any(const char *const *names)
{
	struct wanted w = { .names = names };
	return dl_iterate_phdr(look_in_module, &w) != 0;
}

bool imports_others(const char *begins, const char *const *names)
{
	struct wanted w = { .names = names, .begins = begins };
	return dl_iterate_phdr(look_in_module, &w) != 0;
}
