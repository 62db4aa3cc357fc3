#include "preload/life/page_copies.h"

#include "preload/control/ctl.h"
#include "preload/base/rules.h"

#define LONG_RUN 32u /* pages: fewer are compared faster than the kernel is asked */

bool rewind_page_avx2(void *to, const void *from); /* rewind_x86_64.S */

static bool has_avx2(void)
{
	uint32_t a = 7, b, c = 0, d;
	__asm__("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
	return ctl_avx && (b & 1u << 5);
}

/* rep movsb: at this point the program's registers are saved, and nothing of libc's may be used. Says, like rewind_page_avx2, that
   there was something to do: it does not know. */
static bool copy_page(void *to, const void *from)
{
	uint64_t n = PAGE_BYTES;
	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
	return true;
}

/* ---- which pages ---- */

static size_t copies_at(size_t head, uint32_t pages)
{
	return (head + pages * (sizeof(uint64_t) + sizeof(uint32_t)) + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
}

size_t copied_bytes(size_t head, uint32_t pages)
{
	return copies_at(head, pages) + (size_t)pages * PAGE_BYTES;
}

void copied_at(struct copied *c, void *memory, size_t head, uint32_t pages)
{
	c->page = (uint64_t *)((char *)memory + head);
	c->told = (uint32_t *)(c->page + pages);
	c->copy = (char *)memory + copies_at(head, pages);
	c->restore = has_avx2() ? rewind_page_avx2 : copy_page;
}

/* The last run has ended. */
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
		if (c->n_runs < COPIED_RUNS && !m->stack) { /* of which the kernel changes the size */
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

/* ---- there and back ---- */

static void *original(const struct copied *c, uint32_t i)
{
	return (void *)c->page[i];
}

static char *copy_of(const struct copied *c, uint32_t i)
{
	return c->copy + (uint64_t)i * PAGE_BYTES;
}

/* Memory that was never used takes none in the copy either, until it has to be put back. */
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
	c->watched = c->written = c->n_told = 0;
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
	c->told[c->n_told++] = c->from + (uint32_t)((addr - c->page[c->from]) / PAGE_BYTES);
	c->written += written;
}

void copied_look(struct copied *c)
{
	bool ok = true;
	c->n_told = c->written = 0;
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

/* The told pages of a run, from told[at] on. Returns where those of the next one begin. */
static uint32_t put_run_back(struct copied *c, const struct copied_run *r, uint32_t at, bool *ok)
{
	uint32_t first = at;
	for (; at < c->n_told && c->told[at] < r->first + r->n; at++)
		c->restore(original(c, c->told[at]), copy_of(c, c->told[at]));
	if (at > first)
		*ok &= watch_start(&c->watch, c->page[c->told[first]], c->page[c->told[at - 1]] + PAGE_BYTES);
	return at;
}

uint64_t copied_put_back(struct copied *c)
{
	uint32_t i = 0, told = 0;
	uint64_t dirty = 0;
	bool ok = true;
	for (const struct copied_run *r = c->run; i < c->n; r++) {
		while (r < c->run + c->n_runs && !r->watched)
			r++;
		uint32_t end = r < c->run + c->n_runs ? r->first : c->n;
		for (; i < end; i++)
			dirty += c->restore(original(c, i), copy_of(c, i));
		if (i < c->n) {
			told = put_run_back(c, r, told, &ok);
			i += r->n;
		}
	}
	if (!ok)
		watch_no_more(c);
	return dirty;
}
