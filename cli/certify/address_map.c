/* Maps addresses to modules. See address_map.h. */
#include "cli/certify/address_map.h"

#include <elf.h>
#include <stdio.h>

#include "base/state_places.h"
#include "base/xalloc.h"
#include "preload/memory/heap.h"
#include "recorder/symbols/symbols.h"

struct loaded {
	char *path;
	uint64_t bias, lo, hi; /* difference between its addresses in memory and in the file; the range it occupies */
	uint64_t tls;          /* size of its thread-local variables; the program's own ones lie directly below the thread pointer */
	uint32_t number;       /* its index in the certificate; NO_MODULE: not in it yet */
};

struct address_map {
	struct loaded *at;
	size_t n;
	struct heap_low low;
	struct {
		uint64_t lo, hi;
	} *mapped;
	size_t n_mapped;
	struct {
		uint32_t thread;
		uint64_t hi, tls; /* the end of its stack; its thread pointer */
	} *thread;
	size_t n_threads;
};

/* Finds the addresses of its segments when its first byte is loaded at `base`. false: the file is not ELF, or has none. */
static bool read_segments(const char *path, uint64_t base, struct loaded *out)
{
	FILE *f = fopen(path, "re");
	Elf64_Ehdr head;
	Elf64_Phdr ph;
	uint64_t lo = UINT64_MAX, hi = 0;
	bool ok = f && fread(&head, sizeof(head), 1, f) == 1 && !memcmp(head.e_ident, ELFMAG, SELFMAG) && head.e_phentsize == sizeof(ph);

	for (unsigned i = 0; ok && i < head.e_phnum; i++) {
		ok = !fseek(f, (long)(head.e_phoff + i * sizeof(ph)), SEEK_SET) && fread(&ph, sizeof(ph), 1, f) == 1;
		if (ok && ph.p_type == PT_TLS)
			out->tls = symbols_thread_block(ph.p_memsz, ph.p_align);
		if (!ok || ph.p_type != PT_LOAD)
			continue;
		if (ph.p_vaddr < lo)
			lo = ph.p_vaddr;
		if (ph.p_vaddr + ph.p_memsz > hi)
			hi = ph.p_vaddr + ph.p_memsz;
	}
	if (f)
		fclose(f);
	if (!ok || lo > hi)
		return false;
	out->bias = base - (lo & ~UINT64_C(4095));
	out->lo = out->bias + lo;
	out->hi = out->bias + hi;
	return true;
}

static void add_module(struct address_map *p, const char *path, uint64_t base)
{
	struct loaded l = {.number = NO_MODULE};

	for (size_t i = 0; i < p->n; i++)
		if (!strcmp(p->at[i].path, path))
			return;
	if (!read_segments(path, base, &l))
		return;
	l.path = xstrdup(path);
	p->at = xgrow(p->at, p->n, sizeof(*p->at));
	p->at[p->n++] = l;
}

struct address_map *address_map_open(const char *maps, struct heap_low low)
{
	struct address_map *p = xcalloc(1, sizeof(*p));

	p->low = low;

	for (const char *line = maps; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		unsigned long long lo, hi, offset;
		char mode[8], path[4096];

		int n = sscanf(line, "%llx-%llx %7s %llx %*s %*s %4095[^\n]", &lo, &hi, mode, &offset, path);

		if (n < 4)
			continue;
		p->mapped = xgrow(p->mapped, p->n_mapped, sizeof(*p->mapped));
		p->mapped[p->n_mapped].lo = lo;
		p->mapped[p->n_mapped++].hi = hi;
		if (n == 5 && path[0] == '/' && !offset)
			add_module(p, path, lo);
	}
	return p;
}

void address_map_close(struct address_map *p)
{
	for (size_t i = 0; i < p->n; i++)
		free(p->at[i].path);
	free(p->at);
	free(p->mapped);
	free(p->thread);
	free(p);
}

static struct loaded *find(const struct address_map *p, uint64_t addr)
{
	for (size_t i = 0; i < p->n; i++)
		if (addr >= p->at[i].lo && addr < p->at[i].hi)
			return &p->at[i];
	return NULL;
}

const char *address_map_module(const struct address_map *p, uint64_t addr)
{
	const struct loaded *l = find(p, addr);

	return l ? l->path : NULL;
}

bool address_map_mapped(const struct address_map *p, uint64_t addr)
{
	for (size_t i = 0; i < p->n_mapped; i++)
		if (addr >= p->mapped[i].lo && addr < p->mapped[i].hi)
			return true;
	return false;
}

void address_map_thread(struct address_map *p, uint32_t thread, uint64_t hi, uint64_t tls)
{
	p->thread = xgrow(p->thread, p->n_threads, sizeof(*p->thread));
	p->thread[p->n_threads].thread = thread;
	p->thread[p->n_threads].hi = hi;
	p->thread[p->n_threads++].tls = tls;
}

static bool in_one_mapping(const struct address_map *p, uint64_t lo, uint64_t hi)
{
	for (size_t i = 0; i < p->n_mapped; i++)
		if (lo >= p->mapped[i].lo && hi <= p->mapped[i].hi)
			return true;
	return false;
}

/* Finds the thread whose stack has the bytes: the one with the nearest end above them. Fails if two threads have the same stack. */
static bool find_stack(const struct address_map *p, uint64_t addr, uint32_t size, struct cert_range *out)
{
	uint64_t least = STACK_BYTES;

	for (size_t i = 0; i < p->n_threads; i++) {
		uint64_t down = p->thread[i].hi - addr;

		if (addr + size > p->thread[i].hi || down > least || !in_one_mapping(p, addr, p->thread[i].hi))
			continue;
		*out = (struct cert_range){down < least ? HEAP_MODULE : NO_MODULE, size, STACK_TOP(p->thread[i].thread) - down};
		least = down;
	}
	return least < STACK_BYTES && out->module == HEAP_MODULE;
}

/* Finds the thread whose thread-local variables of the program have the bytes. (Those of libraries lie at distances that depend on what
   else is loaded.) A new thread can have the memory of one that has ended; then the bytes belong to neither. */
static bool find_tls(const struct address_map *p, const char *program, uint64_t addr, uint32_t size, struct cert_range *out)
{
	unsigned found = 0;
	uint64_t tls = 0;

	for (size_t i = 0; i < p->n; i++)
		if (!strcmp(p->at[i].path, program))
			tls = p->at[i].tls;
	for (size_t i = 0; i < p->n_threads; i++) {
		uint64_t down = p->thread[i].tls - addr;

		if (addr >= p->thread[i].tls || down > tls || down < size)
			continue;
		*out = (struct cert_range){HEAP_MODULE, size, TLS_TOP(p->thread[i].thread) - down};
		found++;
	}
	return found == 1;
}

/* Returns whether the address is the same in the enforced program: that of a block or mapping, or one that stands
   for a key. */
static bool at_fixed_place(const struct address_map *p, uint64_t addr)
{
	return (addr >= HEAP_LO && addr < HEAP_HI) || addr - p->low.at < p->low.bytes || stands_for_key(addr);
}

bool address_map_find(struct address_map *p, struct certificate *c, uint64_t addr, uint32_t size, struct cert_range *out)
{
	struct loaded *l = find(p, addr);
	char *id;

	*out = (struct cert_range){.module = NO_MODULE};
	if (!l && at_fixed_place(p, addr)) { /* dlopen may load a library between the blocks */
		*out = (struct cert_range){HEAP_MODULE, size, addr};
		return true;
	}
	if (!l && find_tls(p, c->program, addr, size, out))
		return true;
	if (!l)
		return find_stack(p, addr, size, out);
	if (addr + size > l->hi)
		return false;
	for (uint32_t i = 0; i < c->n_modules && l->number == NO_MODULE; i++)
		if (!strcmp(c->modules[i].path, l->path))
			l->number = i;
	if (l->number == NO_MODULE) {
		id = elf_build_id(l->path);
		if (!id)
			return false;
		c->modules = xgrow(c->modules, c->n_modules, sizeof(*c->modules));
		c->modules[c->n_modules] = (struct cert_module){xstrdup(l->path), id};
		l->number = (uint32_t)c->n_modules++;
	}
	*out = (struct cert_range){l->number, size, addr - l->bias};
	return true;
}
