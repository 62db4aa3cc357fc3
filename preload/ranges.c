/* Ranges of memory that functions read and write; see ranges.h. */
#include "preload/ranges.h"

#include "preload/real.h"
#include "preload/rules.h"

#define PAGE 4096u

static void perform(const void *p, size_t n, unsigned flags, uintptr_t pc)
{
	struct mem_access a = { .addr = (uintptr_t)p, .size = n, .flags = flags | MEM_PLAIN, .pc = pc };

	mem_perform(&a);
}

static bool note(const void *p, size_t n, unsigned flags)
{
	return n && mem_note((uintptr_t)p, n, flags | MEM_PLAIN);
}

bool range_read(const void *p, size_t n, uintptr_t pc)
{
	if (!note(p, n, MEM_READ))
		return false;
	perform(p, n, MEM_READ, pc);
	return true;
}

const void *range_keep(struct kept *k, const void *p, size_t n)
{
	return n <= KEPT ? real_memcpy(k->bytes, p, n) : p;
}

/* So many of the n bytes at p lie in its first page. */
static size_t in_page(const char *p, size_t n)
{
	size_t room = PAGE - (uintptr_t)p % PAGE;

	return n < room ? n : room;
}

/* The same for the n bytes before `end`, and the last page. */
static size_t in_last_page(const char *end, size_t n)
{
	size_t room = ((uintptr_t)end - 1) % PAGE + 1;

	return n < room ? n : room;
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* An event lies within one page, and is followed at once by what it stands for. */
void *range_copy(void *to, const void *from, size_t n, uintptr_t pc)
{
	bool r = note(from, n, MEM_READ), w = note(to, n, MEM_WRITE);
	bool down = (uintptr_t)to - (uintptr_t)from < n; /* its beginning would overwrite what is still to be read */
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
			data = r ? range_keep(&k, f, piece) : f;
			perform(t, piece, MEM_WRITE, pc);
		}
		real_memmove(t, data, piece);
	}
	return start;
}

void range_put(void *to, const void *from, size_t n, uintptr_t pc)
{
	struct kept k;

	if (!note(to, n, MEM_WRITE)) {
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

void *range_set(void *to, int c, size_t n, uintptr_t pc)
{
	if (!note(to, n, MEM_WRITE))
		return real_memset(to, c, n);
	for (char *t = to; n;) {
		size_t piece = in_page(t, n);

		perform(t, piece, MEM_WRITE, pc);
		real_memset(t, c, piece);
		t += piece;
		n -= piece;
	}
	return to;
}

size_t range_string(const void *s, size_t n, size_t unit, uintptr_t pc)
{
	for (size_t told = 0;;) {
		/* what has been told was read then, and held no terminator unless this is it */
		size_t len = unit == 1 ? real_strnlen(s, n) : real_wcsnlen(s, n);
		size_t need = least(len + 1, n);

		if (need <= told || !range_read((const char *)s + told * unit, (need - told) * unit, pc))
			return len;
		told = need;
	}
}
