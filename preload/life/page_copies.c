#include "preload/life/page_copies.h"

#include "base/processor.h"
#include "preload/control/ctl.h"
#include "preload/base/rules.h"

#define LONG_RUN 32u /* in pages; for a shorter run, comparing is faster than a system call */

/* x86_64/rewind_page.S */
bool rewind_page_avx2(void *to, const void *from);
bool page_differs_avx2(const void *a, const void *b);

/* Copies a page without libc, which must not be used here. Compares nothing, so it always returns true, which means that the page
   differed (rewind_page_avx2). */
static bool copy_page(void *to, const void *from)
{
	processor_copy(to, from, PAGE_BYTES);
	return true;
}

static bool page_differs(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;
	for (unsigned i = 0; i < PAGE_BYTES / 8; i += 4)
		if ((x[i] ^ y[i]) | (x[i + 1] ^ y[i + 1]) | (x[i + 2] ^ y[i + 2]) | (x[i + 3] ^ y[i + 3]))
			return true;
	return false;
}

/* ---- which pages ---- */

static size_t copies_at(size_t head, uint32_t pages)
{
	size_t each = sizeof(uint64_t) + sizeof(uint32_t) + sizeof(bool); /* page, dirty, wrote */
	return (head + pages * each + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
}

size_t copied_bytes(size_t head, uint32_t pages)
{
	return copies_at(head, pages) + (size_t)pages * PAGE_BYTES;
}

void copied_at(struct copied *c, void *memory, size_t head, uint32_t pages)
{
	c->page = (uint64_t *)((char *)memory + head);
	c->dirty = (uint32_t *)(c->page + pages);
	c->wrote = (bool *)(c->dirty + pages);
	c->copy = (char *)memory + copies_at(head, pages);
	bool avx2 = ctl_avx && processor_has_avx2();
	c->restore = avx2 ? rewind_page_avx2 : copy_page;
	c->differs = avx2 ? page_differs_avx2 : page_differs;
}

/* Ends the last run: drops it if it is short. */
static void end_run(struct copied *c)
{
	if (c->n_runs && c->run[c->n_runs - 1].n < LONG_RUN)
		c->n_runs--;
}

void copied_add(struct copied *c, const struct mapping *m, uint64_t addr)
{
	struct copied_run *r = c->n_runs ? &c->run[c->n_runs - 1] : NULL;
	bool goes_on = r && r->lo == m->lo && r->first + r->n == c->n && c->page[c->n - 1] + PAGE_BYTES == addr;
	if (!goes_on) {
		end_run(c);
		r = NULL;
		if (c->n_runs < COPIED_RUNS && !m->stack) { /* the kernel changes the size of the first stack: it cannot be watched */
			r = &c->run[c->n_runs++];
			*r = (struct copied_run){ .lo = m->lo, .hi = m->hi, .first = c->n };
		}
	}
	if (r && ++r->n >= LONG_RUN)
		c->long_runs += r->n == LONG_RUN ? LONG_RUN : 1;
	c->page[c->n++] = addr;
}

bool copied_watch(struct copied *c)
{
	end_run(c);
	if (!c->n_runs || !watch_open(&c->watch))
		return false;
	for (uint32_t i = 0; i < c->n_runs; i++) {
		struct copied_run *r = &c->run[i];
		bool same = i && r[-1].lo == r->lo;
		r->watched = same ? r[-1].watched : watch_mapping(&c->watch, r->lo, r->hi);
		c->watched += r->watched ? r->n : 0;
	}
	return c->watched;
}

bool copied_watches(const struct copied *c, uint64_t lo, uint64_t hi)
{
	for (const struct copied_run *r = c->run; r < c->run + c->n_runs; r++)
		if (r->watched && c->page[r->first] < hi && lo <= c->page[r->first + r->n - 1])
			return true;
	return false;
}

/* ---- copying and restoring ---- */

static void *original(const struct copied *c, uint32_t i)
{
	return (void *)c->page[i];
}

static char *copy_of(const struct copied *c, uint32_t i)
{
	return c->copy + (uint64_t)i * PAGE_BYTES;
}

/* Zero pages are not copied: the copy is zero already and takes no memory there. */
static bool all_zero(const uint64_t *page)
{
	for (unsigned i = 0; i < PAGE_BYTES / 8; i += 4)
		if (page[i] | page[i + 1] | page[i + 2] | page[i + 3])
			return false;
	return true;
}

static void watch_no_more(struct copied *c)
{
	for (uint32_t i = 0; i < c->n_runs; i++)
		c->run[i].watched = false;
	c->watched = c->written = c->n_dirty = 0;
}

void copied_make(struct copied *c)
{
	bool ok = true;
	for (uint32_t i = 0; i < c->n; i++)
		if (!all_zero(original(c, i)))
			copy_page(copy_of(c, i), original(c, i));
	for (const struct copied_run *r = c->run; r < c->run + c->n_runs; r++)
		if (r->watched)
			ok &= watch_start(&c->watch, c->page[r->first], c->page[r->first + r->n - 1] + PAGE_BYTES);
	if (!ok)
		watch_no_more(c);
}

static void note_page(void *ctx, uint64_t addr, bool written)
{
	struct copied *c = ctx;
	c->dirty[c->n_dirty++] = c->from + (uint32_t)((addr - c->page[c->from]) / PAGE_BYTES);
	c->written += written;
}

void copied_look(struct copied *c)
{
	bool ok = true;
	c->n_dirty = c->written = 0;
	if (!c->watched)
		return;
	for (const struct copied_run *r = c->run; r < c->run + c->n_runs && ok; r++) {
		c->from = r->first;
		if (r->watched)
			ok = watch_look(&c->watch, c->page[r->first], c->page[r->first + r->n - 1] + PAGE_BYTES, note_page, c);
	}
	if (!ok)
		watch_no_more(c);
}

/* Restores the written pages of a run, from dirty[at] on. Returns the index in dirty[] where those of the next run begin. */
static uint32_t put_run_back(struct copied *c, const struct copied_run *r, uint32_t at, bool *ok)
{
	uint32_t first = at;
	for (; at < c->n_dirty && c->dirty[at] < r->first + r->n; at++)
		c->restore(original(c, c->dirty[at]), copy_of(c, c->dirty[at]));
	if (at > first)
		*ok &= watch_start(&c->watch, c->page[c->dirty[first]], c->page[c->dirty[at - 1]] + PAGE_BYTES);
	return at;
}

bool copied_keep(const struct copied *c, struct versions *v)
{
	for (uint32_t i = 0; i < c->n; i++)
		if (c->differs(original(c, i), versions_newest(v, i, copy_of(c, i))) && !versions_add(v, i, original(c, i)))
			return false;
	return true;
}

void copied_wrote(struct copied *c, const uint64_t *page, uint32_t n)
{
	uint32_t k = 0;
	for (uint32_t i = 0; i < n; i++) {
		while (k < c->n && c->page[k] < page[i])
			k++;
		if (k < c->n && c->page[k] == page[i])
			c->wrote[k] = true;
	}
	c->n_dirty = 0;
	for (k = 0; k < c->n; k++)
		if (c->wrote[k])
			c->dirty[c->n_dirty++] = k;
}

void copied_put_back_wrote(const struct copied *c)
{
	for (uint32_t i = 0; i < c->n_dirty; i++)
		c->restore(original(c, c->dirty[i]), copy_of(c, c->dirty[i]));
}

uint64_t copied_put_back(struct copied *c, const struct versions *v)
{
	uint32_t i = 0, done = 0;
	uint64_t dirty = 0;
	bool ok = true;
	for (const struct copied_run *r = c->run; i < c->n; r++) {
		while (r < c->run + c->n_runs && !r->watched)
			r++;
		uint32_t end = r < c->run + c->n_runs ? r->first : c->n;
		for (; i < end; i++)
			dirty += c->restore(original(c, i), versions_newest(v, i, copy_of(c, i)));
		if (i < c->n) {
			done = put_run_back(c, r, done, &ok);
			i += r->n;
		}
	}
	if (!ok)
		watch_no_more(c);
	return dirty;
}
