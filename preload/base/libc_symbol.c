/*
 * Functions of libc by its table of symbols. dlsym and dlvsym are hooks of simul, so they cannot find libc's dlsym and dlvsym. The real
 * functions behind the hooks are not known yet, so strcmp cannot be called here.
 */
#include "preload/base/libc_symbol.h"

#include <stdbool.h>

#include "preload/base/elf_dynamic.h"
#include "preload/base/rules.h"

struct symbols {
	const ElfW(Sym) *table;
	const char *names;
	const uint32_t *hash; /* DT_GNU_HASH: four words, a Bloom filter, the buckets, the chains */
	const char *soname;
};

struct search {
	const char *name;
	void *found;
};

static bool same(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return *a == *b;
}

static bool read_symbols(const struct dl_phdr_info *m, struct symbols *out)
{
	uint64_t soname = 0;

	*out = (struct symbols){ .table = NULL };
	for (const ElfW(Dyn) *d = dynamic_section(m); d && d->d_tag != DT_NULL; d++)
		switch (d->d_tag) {
		case DT_SYMTAB: out->table = dynamic_pointer(m, d->d_un.d_ptr); break;
		case DT_STRTAB: out->names = dynamic_pointer(m, d->d_un.d_ptr); break;
		case DT_GNU_HASH: out->hash = dynamic_pointer(m, d->d_un.d_ptr); break;
		case DT_SONAME: soname = d->d_un.d_val; break;
		default: break;
		}
	out->soname = soname && out->names ? out->names + soname : "";
	return out->table && out->names && out->hash;
}

static uint32_t gnu_hash(const char *name)
{
	uint32_t h = 5381;

	for (; *name; name++)
		h = h * 33 + (uint8_t)*name;
	return h;
}

static void *find_symbol(const struct dl_phdr_info *m, const struct symbols *in, const char *name)
{
	uint32_t buckets = in->hash[0], first = in->hash[1], filter_words = in->hash[2], hash = gnu_hash(name);
	const uint32_t *bucket = in->hash + 4 + 2 * filter_words, *chain = bucket + buckets;
	uint32_t i = buckets ? bucket[hash % buckets] : 0;

	if (i < first)
		return NULL;
	for (;; i++) {
		const ElfW(Sym) *s = &in->table[i];
		uint32_t word = chain[i - first];

		if ((word | 1) == (hash | 1) && s->st_shndx != SHN_UNDEF && same(in->names + s->st_name, name))
			return (void *)(m->dlpi_addr + s->st_value);
		if (word & 1) /* bit 0 marks the end of the chain */
			return NULL;
	}
}

static int look_in_module(struct dl_phdr_info *m, size_t size, void *arg)
{
	struct search *s = arg;
	struct symbols in;

	(void)size;
	if (read_symbols(m, &in) && (same(in.soname, "libc.so.6") || same(in.soname, "libdl.so.2")))
		s->found = find_symbol(m, &in, s->name);
	return s->found != NULL;
}

void *libc_symbol(const char *name)
{
	struct search s = { .name = name };

	dl_iterate_phdr(look_in_module, &s);
	return s.found;
}
