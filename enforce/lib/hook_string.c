/*
 * memcpy, memset and similar functions. Where they access shared bytes of the certificate, they are divided into the same events as in the
 * search (preload/accesses/ranges.c): into pieces that lie within one page, and within KEPT bytes if both source and target are shared.
 * Certification refuses programs in which other functions of libc access shared memory.
 */
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "enforce/lib/memory.h"
#include "enforce/lib/real.h"
#include "preload/accesses/mem.h"

#define KEPT 256u
#define PAGE 4096u

void *__mempcpy(void *to, const void *from, size_t n);
void *__memcpy_chk(void *to, const void *from, size_t n, size_t room);
void *__memmove_chk(void *to, const void *from, size_t n, size_t room);
void *__mempcpy_chk(void *to, const void *from, size_t n, size_t room);
void *__memset_chk(void *to, int c, size_t n, size_t room);

/* This library's own calls of these functions. The linker redirects them here (Makefile: ENFORCE_LINK), so that copying and clearing
   inside realloc and calloc is no event of the program. */
void *__wrap_memcpy(void *to, const void *from, size_t n);
void *__wrap_memmove(void *to, const void *from, size_t n);
void *__wrap_memset(void *to, int c, size_t n);

void *__wrap_memcpy(void *to, const void *from, size_t n)
{
	return REAL(memcpy)(to, from, n);
}

void *__wrap_memmove(void *to, const void *from, size_t n)
{
	return REAL(memmove)(to, from, n);
}

void *__wrap_memset(void *to, int c, size_t n)
{
	return REAL(memset)(to, c, n);
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static size_t in_page(const char *p, size_t n)
{
	return least(n, PAGE - (uintptr_t)p % PAGE);
}

static size_t in_last_page(const char *end, size_t n)
{
	return least(n, ((uintptr_t)end - 1) % PAGE + 1);
}

static void copy_piece(char *to, const char *from, size_t n, bool reads, bool writes)
{
	char kept[KEPT];
	bool mine = reads && memory_range_begin((uintptr_t)from, n, MEM_READ);

	if (!writes) {
		REAL(memmove)(to, from, n);
		memory_range_end(mine);
		return;
	}
	if (reads) {
		from = REAL(memmove)(kept, from, n);
		memory_range_end(mine);
	}
	mine = memory_range_begin((uintptr_t)to, n, MEM_WRITE);
	REAL(memmove)(to, from, n);
	memory_range_end(mine);
}

static void *copy(void *to, const void *from, size_t n, bool reads, bool writes)
{
	bool down = (uintptr_t)to - (uintptr_t)from < n; /* true: copying forwards would overwrite bytes before they are read */
	char *t = to;
	const char *f = from;

	while (n) {
		size_t piece = down ? least(in_last_page(t + n, n), in_last_page(f + n, n)) : least(in_page(t, n), in_page(f, n));

		if (reads && writes)
			piece = least(piece, KEPT);
		n -= piece;
		copy_piece(down ? t + n : t, down ? f + n : f, piece, reads, writes);
		t += down ? 0 : piece;
		f += down ? 0 : piece;
	}
	return to;
}

static void *set(void *to, int c, size_t n)
{
	for (size_t done = 0, piece; done < n; done += piece) {
		char *t = (char *)to + done;
		bool mine;

		piece = in_page(t, n - done);
		mine = memory_range_begin((uintptr_t)t, piece, MEM_WRITE);
		REAL(memset)(t, c, piece);
		memory_range_end(mine);
	}
	return to;
}

#define COPY(to, from, n, plain) \
	({ \
		bool reads_ = memory_shared((uintptr_t)(from), n), writes_ = memory_shared((uintptr_t)(to), n); \
		reads_ || writes_ ? copy(to, from, n, reads_, writes_) : plain; \
	})

EXPORT void *memcpy(void *to, const void *from, size_t n)
{
	return COPY(to, from, n, REAL(memcpy)(to, from, n));
}

EXPORT void *memmove(void *to, const void *from, size_t n)
{
	return COPY(to, from, n, REAL(memmove)(to, from, n));
}

EXPORT void *mempcpy(void *to, const void *from, size_t n)
{
	return (char *)COPY(to, from, n, REAL(memmove)(to, from, n)) + n;
}

EXPORT void *__mempcpy(void *to, const void *from, size_t n)
{
	return (char *)COPY(to, from, n, REAL(memmove)(to, from, n)) + n;
}

EXPORT void *__memcpy_chk(void *to, const void *from, size_t n, size_t room)
{
	return n > room ? REAL(__memcpy_chk)(to, from, n, room) : COPY(to, from, n, REAL(memcpy)(to, from, n));
}

EXPORT void *__memmove_chk(void *to, const void *from, size_t n, size_t room)
{
	return n > room ? REAL(__memmove_chk)(to, from, n, room) : COPY(to, from, n, REAL(memmove)(to, from, n));
}

EXPORT void *__mempcpy_chk(void *to, const void *from, size_t n, size_t room)
{
	return n > room ? REAL(__mempcpy_chk)(to, from, n, room) : (char *)COPY(to, from, n, REAL(memmove)(to, from, n)) + n;
}

EXPORT void bcopy(const void *from, void *to, size_t n)
{
	COPY(to, from, n, REAL(memmove)(to, from, n));
}

EXPORT void *memset(void *to, int c, size_t n)
{
	return memory_shared((uintptr_t)to, n) ? set(to, c, n) : REAL(memset)(to, c, n);
}

EXPORT void *__memset_chk(void *to, int c, size_t n, size_t room)
{
	return n > room ? REAL(__memset_chk)(to, c, n, room) : memset(to, c, n);
}

EXPORT void bzero(void *to, size_t n)
{
	memset(to, 0, n);
}

EXPORT void __bzero(void *to, size_t n);
EXPORT void __bzero(void *to, size_t n)
{
	memset(to, 0, n);
}
