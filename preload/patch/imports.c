/* Which functions of other modules a module calls: the relocations of its tables of addresses. */
#include <elf.h>

#include "preload/patch/engine.h"

struct table {
	const Elf64_Rela *at;
	uint64_t bytes;
};

struct symbols {
	const Elf64_Sym *at;
	const char *names;
	uint64_t names_bytes;
};

static void each_of(const struct image *im, const struct table *t, const struct symbols *s, void (*each)(void *ctx, uint64_t place, const char *name), void *ctx)
{
	for (uint64_t i = 0; t->at && i < t->bytes / sizeof *t->at; i++) {
		uint64_t type = ELF64_R_TYPE(t->at[i].r_info), symbol = ELF64_R_SYM(t->at[i].r_info);
		if (symbol && (type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT) && s->at[symbol].st_name < s->names_bytes)
			each(ctx, im->base + t->at[i].r_offset, s->names + s->at[symbol].st_name);
	}
}

void imports_each(const struct image *im, void (*each)(void *ctx, uint64_t place, const char *name), void *ctx)
{
	struct table lazy = { 0 }, others = { 0 };
	struct symbols symbols = { 0 };
	for (const Elf64_Dyn *d = im->dynamic; d && d->d_tag != DT_NULL; d++) {
		uint64_t v = d->d_un.d_ptr, at = v < im->base ? v + im->base : v;
		switch (d->d_tag) {
		case DT_SYMTAB: symbols.at = (const Elf64_Sym *)at; break;
		case DT_STRTAB: symbols.names = (const char *)at; break;
		case DT_STRSZ: symbols.names_bytes = v; break;
		case DT_JMPREL: lazy.at = (const Elf64_Rela *)at; break;
		case DT_PLTRELSZ: lazy.bytes = v; break;
		case DT_RELA: others.at = (const Elf64_Rela *)at; break;
		case DT_RELASZ: others.bytes = v; break;
		}
	}
	if (!symbols.at || !symbols.names)
		return;
	each_of(im, &lazy, &symbols, each, ctx);
	each_of(im, &others, &symbols, each, ctx);
}
