/* Ranges of memory that functions read and write; see ranges.h. */
#include "preload/accesses/ranges.h"

#include "preload/base/state.h"
#include "preload/memory/left_out.h"

#include <limits.h>
#include <sys/mman.h>

#include "preload/memory/aliases.h"
#include "preload/memory/blocks.h"
#include "preload/base/real.h"
#include "preload/base/sys.h"
#include "sched/memory.h"
#include "preload/base/rules.h"

#define PAGE 4096u

static void perform(const void *p, size_t n, unsigned flags, uintptr_t pc)
{
	struct mem_access a = { .addr = (uintptr_t)p, .size = n, .flags = flags | MEM_PLAIN, .pc = pc };

	mem_perform(&a);
}

/* pc: of the call. */
static bool note_range(const void *p, size_t n, unsigned flags, uintptr_t pc)
{
	return n && !left_out(pc - 1) && mem_note((uintptr_t)p, n, flags | MEM_PLAIN);
}

bool range_read(const void *p, size_t n, uintptr_t pc)
{
	if (!note_range(p, n, MEM_READ, pc))
		return false;
	perform(p, n, MEM_READ, pc);
	return true;
}

void range_touch(const void *p, size_t n, unsigned flags, uintptr_t pc)
{
	struct mem_access a = { .addr = (uintptr_t)p, .size = n, .flags = flags & MEM_ATOMIC ? flags : flags | MEM_PLAIN, .pc = pc };

	if (n && !left_out(pc - 1) && mem_note(a.addr, n, a.flags))
		mem_perform(&a);
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
void *range_copy_as(void *to, const void *from, size_t n, unsigned flags, uintptr_t pc)
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
			perform(f, piece, MEM_READ | flags, pc);
		if (w) {
			data = r ? range_keep(&k, f, piece) : f;
			perform(t, piece, MEM_WRITE | flags, pc);
		}
		real_memmove(t, data, piece);
	}
	return start;
}

void *range_copy(void *to, const void *from, size_t n, uintptr_t pc)
{
	return range_copy_as(to, from, n, 0, pc);
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
	}
}

void *range_set_as(void *to, int c, size_t n, unsigned flags, uintptr_t pc)
{
	if (!note_range(to, n, MEM_WRITE, pc))
		return real_memset(to, c, n);
	for (char *t = to; n;) {
		size_t piece = in_page(t, n);

		perform(t, piece, MEM_WRITE | flags, pc);
		real_memset(t, c, piece);
		t += piece;
		n -= piece;
	}
	return to;
}

void *range_set(void *to, int c, size_t n, uintptr_t pc)
{
	return range_set_as(to, c, n, 0, pc);
}

/* ---- strings ---- */

static const struct memory_table *table(void)
{
	return ctl_segment(ctl_session->layout.memory_off);
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

/* Reports byte k and the visible bytes after it in one event, up to the end of its cell. Bytes after the end of the block are left out:
   they may be visible only because a larger block was there. */
static void report_run(struct reader *r, size_t k)
{
	uintptr_t at = (uintptr_t)r->p + k;
	size_t n = 1, room = MEMORY_CELL - at % MEMORY_CELL;

	while (n < room && k + n < r->limit && mem_is_visible(at + n, 1) && block_holds(at + n))
		n++;
	perform(r->p + k, n, MEM_READ, r->pc);
	real_memcpy(r->bytes, r->p + k, n);
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
	size_t len = unit == 1 ? real_strnlen(s, n) : real_wcsnlen(s, n), noted = least(len + 1, n) * unit;
	size_t limit = n > SIZE_MAX / unit ? SIZE_MAX : n * unit;

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
	if (kept && len * unit <= KEPT)
		*data = kept->bytes;
	return len;
}

/* ---- accesses that libc or the kernel makes ---- */

bool range_is_shared(const void *p, size_t n)
{
	uintptr_t at = (uintptr_t)p, end = at + n;

	while (at < end) {
		uintptr_t next = (at | (PAGE - 1)) + 1;

		next = next < end ? next : end;
		if (memory_page_find(table(), alias_key(at)) && mem_is_visible(at, next - at))
			return true;
		at = next;
	}
	return false;
}

void range_vectors_read(const struct iovec *v, size_t n, uintptr_t pc)
{
	range_touch(v, v ? n * sizeof(*v) : 0, MEM_READ, pc);
	for (size_t i = 0; v && i < n; i++)
		range_touch(v[i].iov_base, v[i].iov_len, MEM_READ, pc);
}

void range_vectors_write(const struct iovec *v, size_t n, uintptr_t pc)
{
	range_touch(v, v ? n * sizeof(*v) : 0, MEM_READ, pc);
	for (size_t i = 0; v && i < n; i++)
		if (range_is_shared(v[i].iov_base, v[i].iov_len))
			range_touch(v[i].iov_base, v[i].iov_len, MEM_WRITE, pc);
}

void range_vectors_written(const struct iovec *v, size_t n, ssize_t got, uintptr_t pc)
{
	size_t left = got > 0 ? (size_t)got : 0;

	for (size_t i = 0; v && i < n && left; i++) {
		size_t part = least(v[i].iov_len, left);

		if (!range_is_shared(v[i].iov_base, v[i].iov_len))
			range_touch(v[i].iov_base, part, MEM_WRITE, pc);
		left -= part;
	}
}

void *landing_begin(struct landing *l, void *to, size_t n, uintptr_t pc)
{
	l->to = l->at = to;
	l->n = n;
	l->reported = false;
	if (!watched() || !n || !range_is_shared(to, n))
		return to;
	l->at = n <= KEPT ? l->bytes : sys_mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (sys_failed((long)l->at)) {
		range_touch(to, n, MEM_WRITE, pc);
		l->reported = true;
		l->at = to;
	}
	return l->at;
}

void landing_end(struct landing *l, ssize_t got, uintptr_t pc)
{
	size_t n = got > 0 ? least((size_t)got, l->n) : 0;

	if (l->at != l->to && n)
		range_put(l->to, l->at, n, pc);
	else if (watched() && n && !l->reported)
		range_touch(l->to, n, MEM_WRITE, pc);
	if (l->at != l->to && l->at != l->bytes)
		sys_munmap(l->at, l->n);
}

/* Returns the size of all pieces if the call can use one buffer instead, else 0. The kernel rejects more than IOV_MAX pieces and sizes that
   overflow; such calls must reach it unchanged. */
static size_t size_for_buffer(const struct iovec *v, size_t n)
{
	size_t total = 0;
	bool shared = false;

	if (!v || n > IOV_MAX)
		return 0;
	for (size_t i = 0; i < n; i++) {
		if (v[i].iov_len > INT_MAX || total > INT_MAX)
			return 0;
		total += v[i].iov_len;
		shared |= range_is_shared(v[i].iov_base, v[i].iov_len);
	}
	return shared ? total : 0;
}

const struct iovec *vector_landing_begin(struct vector_landing *l, const struct iovec *to, size_t *n, uintptr_t pc)
{
	*l = (struct vector_landing){ .to = to, .n = *n };
	if (!watched())
		return to;
	size_t total = size_for_buffer(to, *n);
	void *at = total ? sys_mmap(NULL, total, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) : NULL;

	if (!total || sys_failed((long)at)) {
		if (*n <= IOV_MAX)
			range_vectors_write(to, *n, pc);
		return to;
	}
	range_touch(to, *n * sizeof(*to), MEM_READ, pc);
	l->buffer = (struct iovec){ at, total };
	*n = 1;
	return &l->buffer;
}

void vector_landing_end(struct vector_landing *l, ssize_t got, uintptr_t pc)
{
	size_t left = got > 0 ? (size_t)got : 0;
	const char *from = l->buffer.iov_base;

	if (!from) {
		if (watched())
			range_vectors_written(l->to, l->n, got, pc);
		return;
	}
	for (size_t i = 0; i < l->n && left; i++) {
		size_t part = least(l->to[i].iov_len, left);

		if (part)
			range_put(l->to[i].iov_base, from, part, pc);
		from += part;
		left -= part;
	}
	sys_munmap(l->buffer.iov_base, l->buffer.iov_len);
}
