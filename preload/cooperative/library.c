#include "preload/cooperative/library.h"

#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/base_name.h"
#include "preload/base/rules.h"

struct wanted {
	uintptr_t pc; /* 0: the module is looked for by its name */
	const char *name;
	struct library found;
};

/* Looks for the build-id in the notes [at, end). */
static void look_in_notes(struct library *l, const char *at, const char *end)
{
	while ((size_t)(end - at) >= sizeof(ElfW(Nhdr))) {
		const ElfW(Nhdr) *note = (const void *)at;
		size_t name = (note->n_namesz + 3u) & ~3u, size = (note->n_descsz + 3u) & ~3u;
		const char *text = at + sizeof *note;
		if (name > (size_t)(end - text) || size > (size_t)(end - text) - name)
			return;
		bool is_id = note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && !memcmp(text, "GNU", 4);
		if (is_id && note->n_descsz == LIBRARY_BUILD_ID) {
			memcpy(l->build_id, text + name, LIBRARY_BUILD_ID);
			l->has_build_id = true;
			return;
		}
		at = text + name + size;
	}
}

static bool contains(const struct dl_phdr_info *info, uintptr_t pc)
{
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		if (p->p_type == PT_LOAD && pc - (info->dlpi_addr + p->p_vaddr) < p->p_memsz)
			return true;
	}
	return false;
}

static int look_at_module(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct wanted *w = arg;
	(void)size;
	if (w->pc ? !contains(info, w->pc) : strncmp(base_name(info->dlpi_name), w->name, strlen(w->name)))
		return 0;
	w->found.path = info->dlpi_name;
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		const char *at = (const char *)info->dlpi_addr + p->p_vaddr;
		if (p->p_type == PT_NOTE && !w->found.has_build_id)
			look_in_notes(&w->found, at, at + p->p_memsz);
		if (p->p_type == PT_LOAD && (p->p_flags & PF_X)) {
			w->found.code = (uintptr_t)at;
			w->found.code_end = (uintptr_t)at + p->p_memsz;
		}
	}
	return 1;
}

struct library library_find(const char *name, const void *pc)
{
	struct wanted w = { .pc = (uintptr_t)pc, .name = name };
	dl_iterate_phdr(look_at_module, &w);
	return w.found;
}

bool library_is(const struct library *l, const unsigned char build_id[LIBRARY_BUILD_ID])
{
	return l->has_build_id && !memcmp(l->build_id, build_id, LIBRARY_BUILD_ID);
}
