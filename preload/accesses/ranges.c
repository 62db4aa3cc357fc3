/* Ranges of memory that functions read and write; see ranges.h. The enforcement library has this file, too (mem.h). */
#include "preload/accesses/ranges.h"

#include "preload/base/real.h"
#include "sched/memory.h"
#include "preload/base/rules.h"

#define PAGE 4096u

static void perform(const void *p, size_t n, unsigned flags, uintptr_t pc)
{
	unsigned held = pc & RANGE_HELD ? MEM_HELD : 0;
	struct mem_access a = { (uintptr_t)p, n, .flags = flags | MEM_PLAIN | held, .pc = pc & ~RANGE_HELD };

	mem_perform(&a);
}

/* pc: of the call. */
static bool note_range(const void *p, size_t n, unsigned flags, uintptr_t pc)
{
	return n && mem_note_call((uintptr_t)p, n, flags | MEM_PLAIN, pc & ~RANGE_HELD);
}

bool range_read(const void *p, size_t n, uintptr_t pc)
{
	if (!note_range(p, n, MEM_READ, pc))
		return false;
	perform(p, n, MEM_READ, pc);
	return true;
}

const void *range_keep(struct kept *k, const void *p, size_t n)
{
	return n <= KEPT ? real_memcpy(k->bytes, p, n) : p;
}

/* Returns how many of the n bytes at p lie in the first page. */
static size_t in_page(const char *p, size_t n)
{
	size_t room = PAGE - (uintptr_t)p % PAGE;

	return n < room ? n : room;
}

/* Returns how many of the n bytes before `end` lie in the last page. */
static size_t in_last_page(const char *end, size_t n)
{
	size_t room = ((uintptr_t)end - 1) % PAGE + 1;

	return n < room ? n : room;
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* An event lies within one page, and the announced access must follow at once. So the bytes are copied piece by piece. */
void *range_copy(void *to, const void *from, size_t n, uintptr_t pc)
{
	bool r = note_range(from, n, MEM_READ, pc), w = note_range(to, n, MEM_WRITE, pc);
	bool down = (uintptr_t)to - (uintptr_t)from < n; /* copying upwards would overwrite bytes that are still to be read */
	struct kept k;
	void *start = to;

	if (!r && !w)
		return real_memmove(to, from, n);
	while (n) {
		char *t = to;
		const char *f = from;
		size_t piece = down ? least(in_last_page(t + n, n), in_last_page(f + n, n))
				    : least(in_page(t, n), in_page(f, n));

		if (r && w)
			piece = least(piece, KEPT);
		n -= piece;
		if (down) {
			t += n;
			f += n;
		} else {
			to = t + piece;
			from = f + piece;
		}
		const void *data = f;

		if (r)
			perform(f, piece, MEM_READ, pc);
		if (w) {
			if (r) {
				data = range_keep(&k, f, piece);
				mem_performed();
			}
			perform(t, piece, MEM_WRITE, pc);
		}
		real_memmove(t, data, piece);
		mem_performed();
	}
	return start;
}

void range_put(void *to, const void *from, size_t n, uintptr_t pc)
{
	struct kept k;

	if (!note_range(to, n, MEM_WRITE, pc)) {
		real_memmove(to, from, n);
		return;
	}
	from = range_keep(&k, from, n);
	for (size_t done = 0, piece; done < n; done += piece) {
		char *t = (char *)to + done;

		piece = in_page(t, n - done);
		perform(t, piece, MEM_WRITE, pc);
		real_memmove(t, (const char *)from + done, piece);
		mem_performed();
	}
}

void *range_set(void *to, int c, size_t n, uintptr_t pc)
{
	if (!note_range(to, n, MEM_WRITE, pc))
		return real_memset(to, c, n);
	for (char *t = to; n;) {
		size_t piece = in_page(t, n);

		perform(t, piece, MEM_WRITE, pc);
		real_memset(t, c, piece);
		mem_performed();
		t += piece;
		n -= piece;
	}
	return to;
}

const void *range_take(struct kept *k, const void *p, size_t n, uintptr_t pc)
{
	if (!note_range(p, n, MEM_READ, pc))
		return p;
	if (n > KEPT || !mem_is_visible((uintptr_t)p, n)) {
		if (mem_is_visible((uintptr_t)p, n))
			mem_read_again(pc & ~RANGE_HELD);
		perform(p, n, MEM_READ, pc);
		mem_performed();
		return p;
	}
	for (size_t done = 0, piece; done < n; done += piece) {
		const char *from = (const char *)p + done;

		piece = in_page(from, n - done);
		perform(from, piece, MEM_READ, pc);
		real_memcpy(k->bytes + done, from, piece);
		mem_performed();
	}
	return k->bytes;
}

/* ---- strings ---- */

size_t range_quiet(const void *p, size_t n)
{
	return least(n, mem_quiet((uintptr_t)p));
}

bool range_peeked(const void *p, size_t n, uintptr_t pc)
{
	if (!note_range(p, n, MEM_READ, pc))
		return false;
	if (!mem_is_visible((uintptr_t)p, n))
		perform(p, n, MEM_READ, pc); /* announced for spin_probe or because a store buffer must be empty */
	return true;
}

struct reader range_reader(const void *p, size_t limit, uintptr_t pc)
{
	return (struct reader){ .p = p, .limit = limit, .pc = pc };
}

/* Reports byte k and the visible bytes after it in one event, up to the end of its cell. */
static void report_run(struct reader *r, size_t k)
{
	uintptr_t at = (uintptr_t)r->p + k;
	size_t n = mem_run(at, least(MEMORY_CELL - at % MEMORY_CELL, r->limit - k));

	perform(r->p + k, n, MEM_READ, r->pc);
	real_memcpy(r->bytes, r->p + k, n);
	mem_performed();
	r->lo = k;
	r->hi = k + n;
}

unsigned char reader_byte(struct reader *r, size_t k)
{
	if (k >= r->lo && k < r->hi)
		return (unsigned char)r->bytes[k - r->lo];
	if (mem_is_visible((uintptr_t)r->p + k, 1))
		report_run(r, k);
	else if (note_range(r->p + k, 1, MEM_READ, r->pc))
		perform(r->p + k, 1, MEM_READ, r->pc); /* an access outside of all blocks is an error */
	return (unsigned char)(k < r->hi ? r->bytes[k - r->lo] : r->p[k]);
}

size_t range_string(const void *s, size_t n, size_t unit, uintptr_t pc, struct kept *kept, const void **data)
{
	size_t limit = n > SIZE_MAX / unit ? SIZE_MAX : n * unit, look = range_quiet(s, limit) / unit;
	size_t len = unit == 1 ? real_strnlen(s, look) : real_wcsnlen(s, look), noted = least(len + 1, n) * unit;

	if (data)
		*data = s;
	if (!range_peeked(s, noted, pc))
		return len;
	struct reader r = range_reader(s, limit, pc);
	for (len = 0; len < n; len++) {
		unsigned char any = 0;

		for (size_t i = 0; i < unit; i++) {
			unsigned char c = reader_byte(&r, len * unit + i);

			any |= c;
			if (kept && len * unit + i < KEPT)
				kept->bytes[len * unit + i] = (char)c;
		}
		if (!any)
			break;
	}
	if (!kept)
		return len;
	if ((len + 1) * unit <= KEPT) {
		real_memset(kept->bytes + len * unit, 0, unit);
		*data = kept->bytes;
	} else if (mem_is_visible((uintptr_t)s, len * unit)) {
		mem_read_again(pc & ~RANGE_HELD);
	}
	return len;
}
