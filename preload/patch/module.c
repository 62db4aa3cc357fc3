/* Reads a loaded module: segments, functions, landing pads. It needs neither symbols nor sections. */
#include <elf.h>
#include <link.h>
#include <string.h>

#include "preload/patch/engine.h"
#include "preload/base/rules.h"

static void refuse(struct engine *e, const char *why)
{
	strncpy(e->m->refused, why, sizeof e->m->refused - 1);
}

struct seek {
	struct engine *e;
	uint64_t addr;
	bool found;
};

static int read_segments(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct seek *s = arg;
	struct image *im = &s->e->image;
	bool here = false;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		here |= p->p_type == PT_LOAD && s->addr - info->dlpi_addr - p->p_vaddr < p->p_memsz;
	}
	if (!here)
		return 0;
	s->found = true;
	*im = (struct image){ .base = info->dlpi_addr, .fixed = info->dlpi_addr == 0, .lo = ~0ull, .all_lo = ~0ull };
	strncpy(im->path, info->dlpi_name, sizeof im->path - 1);
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uint64_t lo = info->dlpi_addr + p->p_vaddr, hi = lo + p->p_memsz;
		if (p->p_type == PT_DYNAMIC) {
			im->dynamic = (const void *)lo;
			im->dynamic_bytes = p->p_memsz;
		} else if (p->p_type == PT_GNU_EH_FRAME) {
			im->eh_hdr = (const uint8_t *)lo;
		} else if (p->p_type == PT_GNU_RELRO) {
			im->relro_lo = lo;
			im->relro_hi = hi & ~4095ull; /* the loader protects whole pages */
		} else if (p->p_type == PT_LOAD && im->segs < sizeof im->seg / sizeof *im->seg) {
			im->seg[im->segs++] = (struct segment){ lo, lo + p->p_filesz, hi, p->p_flags & PF_X, p->p_flags & PF_W };
			if (lo < im->all_lo)
				im->all_lo = lo;
			if (hi > im->all_hi)
				im->all_hi = hi;
			if (p->p_flags & PF_X) {
				if (lo < im->lo)
					im->lo = lo;
				if (hi > im->hi)
					im->hi = hi;
			}
		}
	}
	return 1;
}

bool module_find(struct engine *e, const void *addr)
{
	struct seek s = { .e = e, .addr = (uint64_t)addr };
	dl_iterate_phdr(read_segments, &s);
	struct image *im = &e->image;
	if (!s.found) {
		refuse(e, "no module is loaded at this address");
		return false;
	}
	memcpy(e->m->path, im->path, sizeof e->m->path);
	e->m->base = im->base;
	if (im->lo >= im->hi) {
		refuse(e, "it has no code");
		return false;
	}
	e->m->text_bytes = im->hi - im->lo;
	im->text = (const uint8_t *)im->lo;
	if (!im->eh_hdr) {
		refuse(e, "it has no unwind table (.eh_frame_hdr), which simul needs to find its functions");
		return false;
	}
	if (im->hi - im->lo >= 1u << 27) {
		refuse(e, "more than 128 MiB of code");
		return false;
	}
	return true;
}

/* Returns the segment that contains the address, or NULL. */
static const struct segment *segment_at(const struct image *im, uint64_t addr)
{
	for (unsigned i = 0; i < im->segs; i++)
		if (addr - im->seg[i].lo < im->seg[i].end - im->seg[i].lo)
			return &im->seg[i];
	return NULL;
}

/* Returns whether the module's memory contains these bytes. */
static bool holds(const struct image *im, uint64_t at, uint64_t bytes)
{
	const struct segment *s = segment_at(im, at);
	return s && bytes <= s->end - at;
}

bool module_constant(const struct image *im, uint64_t addr)
{
	const struct segment *s = segment_at(im, addr);
	return addr - im->relro_lo < im->relro_hi - im->relro_lo || (s && !s->write);
}

/* Adds the places to which an exception may lead (Itanium C++ ABI, "Exception Handling Tables"). */
static void landing_pads(struct engine *e, const struct cfi_fde *fde)
{
	const uint8_t *p = (const uint8_t *)fde->lsda;
	uint64_t start = fde->lo;
	if (!holds(&e->image, fde->lsda, 4))
		return;
	uint8_t enc = *p++;
	if (enc != 0xff)
		start = cfi_pointer(&p, enc, 0);
	enc = *p++;
	if (enc != 0xff)
		cfi_uleb(&p);
	enc = *p++;
	uint64_t n = cfi_uleb(&p);
	for (const uint8_t *end = p + n; p < end;) {
		cfi_pointer(&p, enc & 0xf, 0);
		cfi_pointer(&p, enc & 0xf, 0);
		uint64_t pad = cfi_pointer(&p, enc & 0xf, 0);
		cfi_uleb(&p);
		if (pad && start + pad - e->image.lo < e->image.hi - e->image.lo)
			VEC_PUSH(&e->candidates, uint32_t, (uint32_t)(start + pad - e->image.lo));
	}
}

bool module_table(const struct image *im, uint64_t *n)
{
	const uint8_t *hdr = im->eh_hdr, *p = hdr + 4;
	if (hdr[0] != 1 || hdr[3] != 0x3b || hdr[2] == 0xff)
		return false;
	cfi_pointer(&p, hdr[1], (uint64_t)hdr);
	*n = cfi_pointer(&p, hdr[2], (uint64_t)hdr);
	return true;
}

/* Reads the i-th entry of the table of functions: the distances from the table to a function and to its unwind information. */
static void entry_at(const struct image *im, uint64_t i, int32_t entry[2])
{
	const uint8_t *hdr = im->eh_hdr, *p = hdr + 4;
	cfi_pointer(&p, hdr[1], (uint64_t)hdr);
	cfi_pointer(&p, hdr[2], (uint64_t)hdr);
	memcpy(entry, p + 8 * i, 8);
}

bool module_entry(const struct image *im, uint64_t addr, uint64_t *i)
{
	uint64_t lo = 0, hi;
	int32_t entry[2];
	if (!module_table(im, &hi))
		return false;
	while (lo < hi) {
		uint64_t mid = (lo + hi) / 2;
		entry_at(im, mid, entry);
		if ((uint64_t)im->eh_hdr + (uint64_t)(int64_t)entry[0] <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	*i = lo - 1;
	return lo;
}

enum entry {
	ENTRY_NOTHING,  /* no code */
	ENTRY_FUNCTION,
	ENTRY_DAMAGED,  /* a function begins there, but its unwind information is damaged; f->reason is set */
	ENTRY_SHIFTED,   /* the unwind information belongs to another place, so the table is damaged */
};

/* Describes a function of which only the start is known. */
static enum entry damaged(const struct image *im, uint64_t i, uint64_t lo, struct func *f)
{
	const struct segment *code = segment_at(im, lo);
	int32_t after[2];
	uint64_t n = 0;
	if (!code || !code->exec)
		return ENTRY_NOTHING;
	uint64_t hi = code->end;
	module_table(im, &n);
	if (i + 1 < n) {
		entry_at(im, i + 1, after);
		uint64_t next = (uint64_t)im->eh_hdr + (uint64_t)(int64_t)after[0];
		hi = next > lo && next < hi ? next : hi;
	}
	*f = (struct func){ .lo = (uint32_t)(lo - im->lo), .hi = (uint32_t)(hi - im->lo), .reason = PATCH_DAMAGED };
	f->next = f->hi;
	f->foreign = code_is_stub((const uint8_t *)lo, hi - lo);
	return ENTRY_DAMAGED;
}

/* Reads the i-th entry, without comparing it with its neighbours. Sets *f, and for ENTRY_FUNCTION also *fde. */
static enum entry read_entry(const struct engine *e, uint64_t i, struct cfi_cie *cie, struct cfi_fde *fde, struct func *f)
{
	const struct image *im = &e->image;
	int32_t entry[2];
	entry_at(im, i, entry);
	const uint8_t *at = im->eh_hdr + entry[1];
	uint64_t lo = (uint64_t)im->eh_hdr + (uint64_t)(int64_t)entry[0];
	if (!holds(im, (uint64_t)at, 8) || !cfi_read(at, cie, fde) || fde->hi > im->hi)
		return damaged(im, i, lo, f);
	if (fde->lo == fde->hi || fde->lo < im->lo)
		return ENTRY_NOTHING;
	if (fde->lo != lo)
		return ENTRY_SHIFTED;
	*f = (struct func){ .lo = (uint32_t)(fde->lo - im->lo), .hi = (uint32_t)(fde->hi - im->lo), .frame = fde->frame, .escapes = fde->part };
	f->next = f->hi;
	f->foreign = fde->signal || code_is_stub((const uint8_t *)fde->lo, fde->hi - fde->lo);
	return ENTRY_FUNCTION;
}

bool module_peek(struct engine *e, uint64_t i, struct func *f)
{
	struct cfi_cie cie = { 0 };
	struct cfi_fde fde;
	enum entry entry = read_entry(e, i, &cie, &fde, f);
	return entry == ENTRY_FUNCTION || entry == ENTRY_DAMAGED;
}

bool module_function(struct engine *e, uint64_t i, struct func *f)
{
	struct func other;
	struct cfi_cie cie = { 0 };
	struct cfi_fde fde;
	uint64_t n;
	if (!module_table(&e->image, &n) || i >= n)
		return false;
	enum entry entry = read_entry(e, i, &cie, &fde, f);
	if (entry != ENTRY_FUNCTION)
		return entry == ENTRY_DAMAGED;
	if (i && module_peek(e, i - 1, &other) && other.hi > f->lo)
		f->reason = PATCH_OVERLAP;
	if (i + 1 < n && module_peek(e, i + 1, &other)) {
		f->next = other.lo;
		if (f->hi > other.lo)
			f->reason = PATCH_OVERLAP;
	}
	if (fde.lsda)
		landing_pads(e, &fde);
	return true;
}

/* Adds a function. It must not lie before the last one. */
static void add_function(struct engine *e, const struct func *f)
{
	struct func *last = e->funcs.n ? VEC_AT(&e->funcs, struct func, e->funcs.n - 1) : NULL;
	bool overlap = last && last->hi > f->lo;
	if (last)
		last->next = f->lo;
	if (overlap)
		last->reason = PATCH_OVERLAP;
	if (overlap && f->lo == last->lo)
		return; /* the table lists the function twice */
	VEC_PUSH(&e->funcs, struct func, *f);
	if (overlap)
		VEC_AT(&e->funcs, struct func, e->funcs.n - 1)->reason = PATCH_OVERLAP;
}

bool module_functions(struct engine *e)
{
	const struct image *im = &e->image;
	uint64_t n;
	if (!module_table(im, &n)) {
		refuse(e, "its table of functions (.eh_frame_hdr) has an unknown form");
		return false;
	}
	if (n > im->hi - im->lo) {
		refuse(e, "its table of functions (.eh_frame_hdr) has more entries than the code has bytes");
		return false;
	}
	if (!vec_make(&e->funcs, sizeof(struct func), n) || !vec_make(&e->candidates, 4, (im->hi - im->lo) + (im->all_hi - im->all_lo))) {
		refuse(e, "out of memory");
		return false;
	}
	struct cfi_cie cie = { 0 };
	uint64_t before = 0, readable = 0;
	for (uint64_t i = 0; i < n; i++) {
		struct cfi_fde fde;
		struct func f;
		enum entry entry = read_entry(e, i, &cie, &fde, &f);
		if (entry == ENTRY_NOTHING)
			continue;
		if (entry == ENTRY_SHIFTED || f.lo < before) {
			refuse(e, "its table of functions (.eh_frame_hdr) is damaged");
			return false;
		}
		before = f.lo;
		if (entry == ENTRY_FUNCTION && fde.lsda)
			landing_pads(e, &fde);
		readable += entry == ENTRY_FUNCTION;
		add_function(e, &f);
	}
	if (n && !readable) {
		refuse(e, "its unwind information is damaged");
		return false;
	}
	return true;
}
