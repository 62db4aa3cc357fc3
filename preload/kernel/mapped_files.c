#include "preload/kernel/mapped_files.h"

#include <fcntl.h>
#include <linux/stat.h>

#include "preload/base/maps.h"
#include "preload/base/sys.h"
#include "preload/control/core.h"
#include "preload/control/exceptions.h"
#include "preload/base/rules.h"

#define MOST 64u

struct file_id {
	uint64_t device, inode; /* of statx */
	uint64_t dev, ino;      /* of /proc/self/maps */
	bool shared, writable;  /* mapped with MAP_SHARED; memory that is mapped in this way may be written */
};

static struct file_id file[MOST];
static unsigned n_files;
static bool too_many; /* other files are mapped too */
bool mapped_any, mapped_shared;

static struct maps maps; /* not on the stack, which may be small */

static uint64_t pages(uint64_t size)
{
	return (size + PAGE_BYTES - 1) & -(uint64_t)PAGE_BYTES;
}

/* ---- the table ---- */

static bool identify(int fd, struct file_id *f)
{
	struct statx st;

	if (fd < 0 || sys_call5(SYS_statx, fd, (long)"", AT_EMPTY_PATH, STATX_INO, (long)&st))
		return false;
	f->device = (uint64_t)st.stx_dev_major << 32 | st.stx_dev_minor;
	f->inode = st.stx_ino;
	return true;
}

static void remember(const struct file_id *f)
{
	for (unsigned i = 0; i < n_files; i++)
		if (file[i].device == f->device && file[i].inode == f->inode) {
			file[i].shared |= f->shared;
			file[i].writable |= f->writable;
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

/* ---- two mappings of one page ---- */

static bool find_mapping(uint64_t addr, struct mapping *out)
{
	bool found = false;

	if (maps_open(&maps))
		while (!found && maps_next(&maps, out))
			found = out->lo <= addr && addr < out->hi;
	maps_close(&maps);
	return found;
}

/* Returns whether the part [lo, hi) of m has pages of the file from `first` to before `last`. */
static bool has_pages(const struct mapping *m, uint64_t lo, uint64_t hi, uint64_t first, uint64_t last)
{
	lo = lo > m->lo ? lo : m->lo;
	hi = hi < m->hi ? hi : m->hi;
	return lo < hi && m->offset + (lo - m->lo) < last && m->offset + (hi - m->lo) > first;
}

/* Looks for another mapping of the pages at [lo, hi), which are a part of `here`. */
static bool is_elsewhere(const struct mapping *here, uint64_t lo, uint64_t hi)
{
	struct mapping m;
	uint64_t first = here->offset + (lo - here->lo), last = first + (hi - lo);
	bool found = false;

	if (maps_open(&maps))
		while (!found && maps_next(&maps, &m))
			found = m.ino == here->ino && m.dev == here->dev && (m.shared || here->shared) &&
				(has_pages(&m, 0, lo, first, last) || has_pages(&m, hi, UINT64_MAX, first, last));
	maps_close(&maps);
	return found;
}

static void look_for_twins(const struct mapping *here, uint64_t lo, uint64_t size)
{
	uint64_t hi = lo + pages(size);

	if (mapped_shared && here->ino && may_be_written(here) && is_elsewhere(here, lo, hi < here->hi ? hi : here->hi))
		except_from_now(EXCEPT_MAPPED_TWICE);
}

void mapped_new(const void *p, size_t size, int fd, bool shared)
{
	struct file_id f = { .shared = shared };
	struct mapping here;

	mapped_shared |= shared;
	if (fd < 0 || !find_mapping((uintptr_t)p, &here) || !here.ino || !identify(fd, &f))
		return;
	mapped_any = true;
	f.dev = here.dev;
	f.ino = here.ino;
	f.writable = shared && (sys_fcntl(fd, F_GETFL, 0) & O_ACCMODE) == O_RDWR;
	remember(&f);
	look_for_twins(&here, (uintptr_t)p, size);
}

void mapped_moved(const void *p, size_t size, bool remains)
{
	struct mapping here;

	if (mapped_shared && find_mapping((uintptr_t)p, &here) && here.shared) {
		if (remains)
			except_from_now(EXCEPT_MAPPED_TWICE);
		look_for_twins(&here, (uintptr_t)p, size);
	}
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
	bool found = false;

	if (maps_open(&maps))
		while (!found && maps_next(&maps, &m))
			found = m.ino == f->ino && m.dev == f->dev && (writes || m.shared);
	maps_close(&maps);
	return found;
}

void mapped_used(uint64_t device, uint64_t inode, bool writes)
{
	bool found = too_many;

	if (!mapped_any || (ctl_session->ctl.exceptions & EXCEPT_MAPPED_FILE))
		return;
	for (unsigned i = 0; i < n_files; i++)
		if (file[i].device == device && file[i].inode == inode && (writes || (file[i].shared && file[i].writable)))
			found |= is_mapped(&file[i], writes);
	if (found)
		except_for(EXCEPT_MAPPED_FILE);
}
