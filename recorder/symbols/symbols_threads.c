/*
 * The program's thread-local variables.
 *
 * The linker gives them offsets below the thread pointer: the block of the program, which is the first module, ends
 * there (Drepper, ELF Handling For Thread-Local Storage, variant II). Blocks of libraries lie at places that only the
 * dynamic linker knows.
 */
#include <stdlib.h>

#include "base/xalloc.h"
#include "recorder/symbols/symbols_internal.h"

uint64_t symbols_thread_block(uint64_t size, uint64_t align)
{
	return align ? (size + align - 1) / align * align : 0;
}

/* Finds the program among the modules: it names a dynamic linker. */
static int look_at_module(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr start, void *arg)
{
	struct symbols *s = arg;
	GElf_Addr bias;
	Elf *elf = dwfl_module_getelf(module, &bias);
	bool program = false;
	uint64_t size = 0;
	size_t n;

	if (!elf || elf_getphdrnum(elf, &n) != 0)
		return DWARF_CB_OK;
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr ph;
		if (!gelf_getphdr(elf, (int)i, &ph))
			continue;
		program |= ph.p_type == PT_INTERP;
		if (ph.p_type == PT_TLS)
			size = symbols_thread_block(ph.p_memsz, ph.p_align);
	}
	if (!program || symbols_system_module(symbols_module_name(module)))
		return DWARF_CB_OK; /* libc names one, too */
	s->program = module;
	s->block = size;
	return DWARF_CB_ABORT;
}

void symbols_add_thread(struct symbols *s, const char *thread, uint64_t pointer)
{
	if (!s->program)
		dwfl_getmodules(s->dwfl, look_at_module, s, 0);
	if (!s->block || pointer < s->block)
		return;
	s->threads = xgrow(s->threads, s->n_threads, sizeof(*s->threads));
	s->threads[s->n_threads++] = (struct named_range){ xstrdup(thread), pointer - s->block, pointer };
}

void symbols_free_threads(struct symbols *s)
{
	for (size_t i = 0; i < s->n_threads; i++)
		free(s->threads[i].name);
	free(s->threads);
}

char *symbols_in_thread(struct symbols *s, uint64_t addr, uint64_t size, struct value_type *value)
{
	const struct named_range *at = NULL;
	char *variable, *name;

	for (size_t i = 0; i < s->n_threads; i++) {
		if (addr < s->threads[i].low || addr >= s->threads[i].high)
			continue;
		if (at)
			return NULL; /* the memory of a thread that has ended was used again */
		at = &s->threads[i];
	}
	variable = at ? symbols_thread_local(s, s->program, addr - at->low, size, value) : NULL;
	name = variable ? xasprintf("%s's %s", at->name, variable) : NULL;
	free(variable);
	return name;
}
