#include "cli/doctor/doctor_facts.h"

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

/* Returns whether the function comes from the C start files. Some of these have no unwind information, but they access nothing shared. */
static bool of_start_files(const char *name)
{
	static const char *const names[] = {"_init", "_fini", "_start", "deregister_tm_clones", "register_tm_clones",
		"__do_global_dtors_aux", "frame_dummy", "_dl_relocate_static_pie", "__libc_csu_init", "__libc_csu_fini",
		"__x86.get_pc_thunk.bx", "atexit"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

struct bare {
	uint64_t addr;
	const char *name;
};

static int by_address(const void *a, const void *b)
{
	const struct bare *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static bool has_unwind(Dwarf_CFI *cfi, uint64_t addr)
{
	Dwarf_Frame *frame = NULL;

	if (!cfi || dwarf_cfi_addrframe(cfi, addr, &frame))
		return false;
	free(frame);
	return true;
}

/* Collects the functions of one symbol table that have no unwind information. */
static void read_functions(Elf *elf, Elf_Scn *section, const GElf_Shdr *sh, Dwarf_CFI *cfi, struct bare **v, size_t *n)
{
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Sym sym;

	for (int i = 0; data && sh->sh_entsize && gelf_getsym(data, i, &sym); i++) {
		const char *name = elf_strptr(elf, sh->sh_link, sym.st_name);

		if (GELF_ST_TYPE(sym.st_info) != STT_FUNC || sym.st_shndx == SHN_UNDEF || !sym.st_value || !name ||
			of_start_files(name) || has_unwind(cfi, sym.st_value))
			continue;
		*v = xgrow(*v, *n, sizeof(**v));
		(*v)[(*n)++] = (struct bare){sym.st_value, name};
	}
}

static void keep_functions(struct bare *v, size_t n, struct doctor_facts *out)
{
	if (n)
		qsort(v, n, sizeof(*v), by_address);
	for (size_t i = 0; i < n; i++) {
		if (i && v[i].addr == v[i - 1].addr)
			continue; /* a second name, or the same function in both symbol tables */
		out->bare_name = xgrow(out->bare_name, out->bare, sizeof(*out->bare_name));
		out->bare_name[out->bare++] = xstrdup(v[i].name);
	}
}

/* Reads the facts that are in the file itself. */
static void read_elf(Elf *elf, struct doctor_facts *out)
{
	Dwarf_CFI *cfi = dwarf_getcfi_elf(elf);
	Elf_Scn *section = NULL;
	GElf_Shdr sh;
	struct bare *v = NULL;
	size_t n = 0;

	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &sh) && (sh.sh_type == SHT_SYMTAB || sh.sh_type == SHT_DYNSYM))
			read_functions(elf, section, &sh, cfi, &v, &n);
	keep_functions(v, n, out);
	free(v);
	dwarf_cfi_end(cfi);
}

bool doctor_facts_read(const char *path, struct doctor_facts *out)
{
	static const Dwfl_Callbacks callbacks = {
		.find_elf = dwfl_build_id_find_elf,
		.find_debuginfo = dwfl_standard_find_debuginfo,
		.section_address = dwfl_offline_section_address,
	};
	Dwfl *dwfl = dwfl_begin(&callbacks);
	Dwfl_Module *module;
	Dwarf_Addr bias;
	Elf *elf;

	memset(out, 0, sizeof(*out));
	if (!dwfl)
		return false;
	dwfl_report_begin(dwfl);
	module = dwfl_report_offline(dwfl, path, path, -1);
	dwfl_report_end(dwfl, NULL, NULL);
	elf = module ? dwfl_module_getelf(module, &bias) : NULL;
	if (elf) {
		out->debug_info = dwfl_module_getdwarf(module, &bias) != NULL;
		read_elf(elf, out);
	}
	dwfl_end(dwfl);
	return elf != NULL;
}

void doctor_facts_free(struct doctor_facts *f)
{
	for (size_t i = 0; i < f->bare; i++)
		free(f->bare_name[i]);
	free(f->bare_name);
}
