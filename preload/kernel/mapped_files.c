#include "preload/kernel/mapped_files.h"

#include <fcntl.h>
#include <linux/falloc.h>

#include "base/callers.h"
#include "preload/accesses/mem.h"
#include "preload/base/maps.h"
#include "preload/base/sys.h"
#include "preload/control/ctl.h"
#include "preload/control/exceptions.h"
#include "preload/kernel/file_identity.h"
#include "preload/kernel/shared_pages.h"
#include "preload/base/rules.h"

#define MOST 64u

struct file_id {
	uint64_t device, inode; /* of statx */
	uint64_t dev, ino;      /* of /proc/self/maps */
	bool shared, private;   /* mapped with MAP_SHARED, without it */
	bool writable;          /* memory that is mapped with MAP_SHARED may be written */
	uint64_t first, last;   /* bytes of the file that were mapped, and what lies between them */
	thread_id by;           /* the thread that mapped them; NO_THREAD: several */
};

static struct file_id file[MOST];
static unsigned n_files;
static bool too_many; /* other files are mapped too */
bool mapped_any, mapped_shared;
/* Something was unmapped while several threads lived. In another order it may still be mapped when a call uses the file. */
static bool unmapped;

static struct maps maps; /* not on the stack, which may be small */

static uint64_t pages(uint64_t size)
{
	return (size + PAGE_BYTES - 1) & -(uint64_t)PAGE_BYTES;
}

/* ---- the table ---- */

/* Fills in device, inode and length of a file: `path` relative to dir; "": the file of descriptor dir. */
static bool identify(int dir, const char *path, struct file_id *f, uint64_t *length)
{
	struct file_identity id;

	if (!path || !file_identify(dir, path, true, &id))
		return false;
	*length = id.length;
	f->device = id.device;
	f->inode = id.inode;
	return true;
}

static void remember(const struct file_id *f)
{
	for (unsigned i = 0; i < n_files; i++)
		if (file[i].device == f->device && file[i].inode == f->inode) {
			file[i].shared |= f->shared;
			file[i].private |= f->private;
			file[i].writable |= f->writable;
			file[i].first = f->first < file[i].first ? f->first : file[i].first;
			file[i].last = f->last > file[i].last ? f->last : file[i].last;
			file[i].by = file[i].by == f->by ? f->by : NO_THREAD;
			return;
		}
	if (n_files < MOST)
		file[n_files++] = *f;
	else
		too_many = true;
}

/* Returns whether memory of the mapped file may be written through a mapping. */
static bool may_be_written(const struct mapping *m)
{
	for (unsigned i = 0; i < n_files; i++)
		if (file[i].dev == m->dev && file[i].ino == m->ino)
			return file[i].writable;
	return true;
}

static const struct file_id *known(const struct file_id *f)
{
	for (unsigned i = 0; i < n_files; i++)
		if (file[i].device == f->device && file[i].inode == f->inode)
			return &file[i];
	return NULL;
}

/* ---- two mappings of one page, of which one is private or not in the tables of shared_pages.h ---- */

static bool find_mapping(uint64_t addr, struct mapping *out)
{
	bool found = false;

	if (maps_open(&maps))
		while (!found && maps_next(&maps, out))
			found = out->lo <= addr && addr < out->hi;
	maps_close(&maps);
	return found;
}

/* Returns whether the part [lo, hi) of m has pages of the file from `first` to before `last`, and they are not known to be the same memory. */
static bool has_pages(const struct mapping *m, uint64_t lo, uint64_t hi, uint64_t first, uint64_t last, bool both_shared)
{
	lo = lo > m->lo ? lo : m->lo;
	hi = hi < m->hi ? hi : m->hi;
	return lo < hi && m->offset + (lo - m->lo) < last && m->offset + (hi - m->lo) > first && !(both_shared && pages_known(lo));
}

/* Looks for another mapping of the pages at [lo, hi), which are a part of `here`. */
static bool is_elsewhere(const struct mapping *here, uint64_t lo, uint64_t hi)
{
	struct mapping m;
	uint64_t first = here->offset + (lo - here->lo), last = first + (hi - lo);
	bool found = false;

	if (maps_open(&maps))
		while (!found && maps_next(&maps, &m)) {
			bool both = m.shared && here->shared;

			found = m.ino == here->ino && m.dev == here->dev && (m.shared || here->shared) &&
				(has_pages(&m, 0, lo, first, last, both) || has_pages(&m, hi, UINT64_MAX, first, last, both));
		}
	maps_close(&maps);
	return found;
}

static void look_for_twins(const struct mapping *here, uint64_t lo, uint64_t size, const void *pc)
{
	uint64_t hi = lo + pages(size);

	if (mapped_shared && here->ino && may_be_written(here) && is_elsewhere(here, lo, hi < here->hi ? hi : here->hi))
		except_from_now(EXCEPT_MAPPED_TWICE, (uintptr_t)pc);
}

/* Returns whether another thread had mapped these pages, and one of the mappings is private. If it has unmapped them, both mappings exist in another
   order. */
static bool was_mapped(const struct file_id *old, const struct file_id *new)
{
	return old && (old->private || new->private) && old->by != new->by && (old->shared || new->shared) && (old->writable || new->writable) && old->first < new->last && new->first < old->last;
}

void mapped_new(const void *p, size_t size, int fd, bool shared, const void *pc)
{
	struct file_id f = { .shared = shared, .private = !shared, .by = ctl_self() };
	struct mapping here;
	uint64_t length, lo = (uintptr_t)p, hi = lo + pages(size);

	mapped_shared |= shared;
	bool has_file = fd >= 0 && find_mapping(lo, &here) && here.ino;
	if (pages_any && !(has_file && shared && pages_are(&here, lo, hi)))
		pages_replaced(lo, hi, (uintptr_t)pc);
	if (!has_file)
		return;
	if (shared)
		pages_mapped(&here, lo, hi, true, (uintptr_t)pc);
	if (!identify(fd, "", &f, &length))
		return;
	mapped_any = true;
	f.dev = here.dev;
	f.ino = here.ino;
	f.writable = shared && (sys_fcntl(fd, F_GETFL, 0) & O_ACCMODE) == O_RDWR;
	f.first = here.offset + (lo - here.lo);
	f.last = f.first + pages(size);
	if (f.last > pages(length))
		ctl_pages_changed = true;
	if (unmapped && was_mapped(known(&f), &f))
		except_from_now(EXCEPT_MAPPED_TWICE, (uintptr_t)pc);
	remember(&f);
	look_for_twins(&here, lo, size, pc);
}

void mapped_unmaps(const void *p, size_t size, const void *pc)
{
	unmapped |= mapped_any && world_live_threads(ctl_world) > 1;
	if (pages_any && !ctl_past_checkpoint)
		pages_replaced((uintptr_t)p, (uintptr_t)p + pages(size), (uintptr_t)pc);
}

/* [p, p + size) is mapped, but not by mmap. If it is shared memory of a file, or of the kernel, which numbers it like one, sets *here and returns true. */
static bool note_shared(const void *p, size_t size, struct mapping *here, const void *pc)
{
	if (!find_mapping((uintptr_t)p, here) || !here->shared || !here->ino)
		return false;
	pages_mapped(here, (uintptr_t)p, (uintptr_t)p + pages(size), false, (uintptr_t)pc);
	return true;
}

void mapped_attached(const void *p, size_t size, const void *pc)
{
	struct mapping here;

	mapped_shared = true;
	if (pages_any)
		pages_replaced((uintptr_t)p, (uintptr_t)p + pages(size), (uintptr_t)pc);
	if (note_shared(p, size, &here, pc))
		look_for_twins(&here, (uintptr_t)p, size, pc);
}

void mapped_moved(const void *old, size_t old_size, const void *p, size_t size, bool remains, const void *pc)
{
	struct mapping here;

	if (!mapped_shared)
		return;
	if (remains)
		note_shared(old, size, &here, pc);
	if (pages_any && p != old)
		pages_replaced((uintptr_t)p, (uintptr_t)p + pages(size), (uintptr_t)pc);
	else if (pages_any && size > old_size)
		pages_replaced((uintptr_t)p + pages(old_size), (uintptr_t)p + pages(size), (uintptr_t)pc);
	if (note_shared(p, size, &here, pc))
		look_for_twins(&here, (uintptr_t)p, size, pc);
}

size_t mapped_size(const void *p)
{
	struct mapping here;

	return find_mapping((uintptr_t)p, &here) ? here.hi - (uintptr_t)p : 0;
}

/* ---- calls on mapped files ---- */

/* Returns whether a mapping shows what calls write to the file, or the file what is written through a mapping. */
static bool is_mapped(const struct file_id *f, bool writes)
{
	struct mapping m;
	bool found = unmapped;

	if (maps_open(&maps))
		while (!found && maps_next(&maps, &m))
			found = m.ino == f->ino && m.dev == f->dev && (writes || m.shared);
	maps_close(&maps);
	return found;
}

void mapped_used(uint64_t device, uint64_t inode, bool writes, uint64_t pc)
{
	struct file_id id = { .device = device, .inode = inode };
	const struct file_id *f = known(&id);

	if (!mapped_any || callers_have(&ctl_session->ctl.facts.exception[EXCEPT_MAPPED_FILE], pc))
		return;
	if (f ? (writes || (f->shared && f->writable)) && is_mapped(f, writes) : too_many)
		except_for(EXCEPT_MAPPED_FILE, pc);
}

/* ---- calls that change the length of mapped files ---- */

#define MOST_RANGES 16u

/* Bytes of a file. */
struct part {
	uint64_t from, to;
};

/* A call that changes a part of a file. */
struct cut {
	int dir;
	const char *path;
	const void *pc;
	struct part part; /* whatever length the file has: other threads may change that before the call */
};

/* Finds the mapped memory of a part of a file. Returns the number of ranges. */
static unsigned find_memory(const struct file_id *f, const struct cut *c, struct mem_range *r)
{
	struct mapping m;
	unsigned n = 0;

	if (maps_open(&maps))
		while (maps_next(&maps, &m)) {
			uint64_t end = m.offset + (m.hi - m.lo);
			uint64_t lo = c->part.from > m.offset ? c->part.from : m.offset, hi = c->part.to < end ? c->part.to : end;

			if (m.ino != f->ino || m.dev != f->dev || lo >= hi)
				continue;
			if (n < MOST_RANGES)
				r[n++] = (struct mem_range){ (const void *)(m.lo + (lo - m.offset)), hi - lo };
			else
				except_for(EXCEPT_MAPPED_FILE, (uintptr_t)c->pc);
		}
	maps_close(&maps);
	return n;
}

/* Finds the memory that the call changes. */
static unsigned find_changed(const struct cut *c, struct mem_range *r)
{
	struct file_id id;
	const struct file_id *f;
	uint64_t length;
	unsigned n = 0;

	if (!ctl_enter_unnoticed())
		return 0;
	if (identify(c->dir, c->path, &id, &length)) {
		f = known(&id);
		if (f)
			n = find_memory(f, c, r);
		if (f ? unmapped : too_many)
			except_for(EXCEPT_MAPPED_FILE, (uintptr_t)c->pc);
	}
	ctl_leave();
	return n;
}

static void change(const struct cut *c)
{
	struct mem_range r[MOST_RANGES];
	unsigned n = find_changed(c, r);

	if (!n)
		return;
	mem_unmaps_ranges(r, n, c->pc);
	/* other threads may have run */
	n = find_changed(c, r);
	for (unsigned i = 0; i < n; i++)
		mem_note((uintptr_t)r[i].addr, r[i].size, MEM_CHANGES);
}

static const struct part whole = { 0, UINT64_MAX };

void mapped_cut(int dir, const char *path, const void *pc)
{
	struct cut c = { .pc = pc, .dir = dir, .path = path, .part = whole };

	change(&c);
}

static struct part part_of(int mode, uint64_t offset, uint64_t size)
{
	if (mode & (FALLOC_FL_COLLAPSE_RANGE | FALLOC_FL_INSERT_RANGE))
		return (struct part){ offset, UINT64_MAX };
	if (mode & FALLOC_FL_KEEP_SIZE)
		return (struct part){ offset, mode & (FALLOC_FL_PUNCH_HOLE | FALLOC_FL_ZERO_RANGE) ? pages(offset + size) : offset };
	return (struct part){ 0, pages(offset + size) };
}

void mapped_allocated(int fd, int mode, uint64_t offset, uint64_t size, const void *pc)
{
	struct cut c = { .pc = pc, .dir = fd, .path = "", .part = part_of(mode, offset, size) };

	change(&c);
}
