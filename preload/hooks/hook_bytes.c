/*
 * memcpy and its family: these hooks report the accesses that libc makes for the program (mem.h).
 *
 * While no accesses are recorded, a hook is a test and a jump. Any code calls these functions, even before the constructor. simul itself
 * calls the real functions (own_string.c). A hook reports the bytes that the standard lets the function read and write, not the bytes that
 * libc's vector instructions touch. None of these accesses is atomic.
 */
#include <string.h>

#include "preload/accesses/ranges.h"
#include "preload/base/real.h"
#include "preload/hooks/search.h"
#include "preload/base/rules.h"

#define CALLER ((uintptr_t)__builtin_return_address(0))
#define HERE (CALLER | RANGE_HELD)
#define ALL SIZE_MAX

/* ---- copies ---- */

void *memcpy(void *to, const void *from, size_t n)
{
	return watched() ? range_copy(to, from, n, HERE) : real_memcpy(to, from, n);
}

void *memmove(void *to, const void *from, size_t n)
{
	return watched() ? range_copy(to, from, n, HERE) : real_memmove(to, from, n);
}

void *mempcpy(void *to, const void *from, size_t n)
{
	if (!watched())
		return real_mempcpy(to, from, n);
	return (char *)range_copy(to, from, n, HERE) + n;
}

void *__mempcpy(void *to, const void *from, size_t n)
{
	if (!watched())
		return real___mempcpy(to, from, n);
	return (char *)range_copy(to, from, n, HERE) + n;
}

void *__memcpy_chk(void *to, const void *from, size_t n, size_t room)
{
	return watched() && n <= room ? range_copy(to, from, n, HERE) : real___memcpy_chk(to, from, n, room);
}

void *__memmove_chk(void *to, const void *from, size_t n, size_t room)
{
	return watched() && n <= room ? range_copy(to, from, n, HERE) : real___memmove_chk(to, from, n, room);
}

void *__mempcpy_chk(void *to, const void *from, size_t n, size_t room)
{
	if (!watched() || n > room)
		return real___mempcpy_chk(to, from, n, room);
	return (char *)range_copy(to, from, n, HERE) + n;
}

void bcopy(const void *from, void *to, size_t n)
{
	if (!watched()) {
		real_bcopy(from, to, n);
		return;
	}
	range_copy(to, from, n, HERE);
}

void *memccpy(void *to, const void *from, int c, size_t n)
{
	if (!watched())
		return real_memccpy(to, from, c, n);
	size_t k = search_byte(from, c, n, false, CALLER);
	range_put(to, from, k < n ? k + 1 : n, CALLER);
	return k < n ? (char *)to + k + 1 : NULL;
}

void swab(const void *from, void *to, ssize_t n)
{
	if (watched() && n > 1) {
		size_t pairs = (size_t)n / 2 * 2;

		range_read(from, pairs, CALLER);
		range_put(to, from, pairs, CALLER); /* only reports and copies; real_swab below swaps the bytes */
	}
	real_swab(from, to, n);
}

/* ---- the others ---- */

void *memset(void *to, int c, size_t n)
{
	return watched() ? range_set(to, c, n, HERE) : real_memset(to, c, n);
}

void *__memset_chk(void *to, int c, size_t n, size_t room)
{
	return watched() && n <= room ? range_set(to, c, n, HERE) : real___memset_chk(to, c, n, room);
}

void bzero(void *to, size_t n)
{
	if (watched())
		range_set(to, 0, n, HERE);
	else
		real_bzero(to, n);
}

void __bzero(void *to, size_t n)
{
	if (watched())
		range_set(to, 0, n, HERE);
	else
		real___bzero(to, n);
}

void explicit_bzero(void *to, size_t n)
{
	if (watched())
		range_set(to, 0, n, HERE);
	else
		real_explicit_bzero(to, n);
}

void __explicit_bzero_chk(void *to, size_t n, size_t room)
{
	if (watched() && n <= room)
		range_set(to, 0, n, HERE);
	else
		real___explicit_bzero_chk(to, n, room);
}

static int compare(const void *a, const void *b, size_t n, uintptr_t pc)
{
	struct kept ka, kb;
	const void *x = range_take(&ka, a, n, pc);

	return real_memcmp(x, range_take(&kb, b, n, pc), n);
}

int memcmp(const void *a, const void *b, size_t n)
{
	return watched() ? compare(a, b, n, HERE) : real_memcmp(a, b, n);
}

int bcmp(const void *a, const void *b, size_t n)
{
	return watched() ? compare(a, b, n, HERE) : real_bcmp(a, b, n);
}

int __memcmpeq(const void *a, const void *b, size_t n)
{
	return watched() ? compare(a, b, n, HERE) : real___memcmpeq(a, b, n);
}

void *memchr(const void *p, int c, size_t n)
{
	return watched() ? search_found(p, search_byte(p, c, n, false, HERE), n) : real_memchr(p, c, n);
}

/* Converts a pointer into `taken`, which range_take returned for p, to the same place in p. */
static void *in_place(const void *p, const void *taken, const void *found)
{
	return found ? (char *)(uintptr_t)p + ((const char *)found - (const char *)taken) : NULL;
}

void *memrchr(const void *p, int c, size_t n)
{
	struct kept k;
	const void *taken = watched() ? range_take(&k, p, n, HERE) : p;

	return in_place(p, taken, real_memrchr(taken, c, n));
}

void *rawmemchr(const void *p, int c)
{
	return watched() ? search_found(p, search_byte(p, c, ALL, false, HERE), ALL) : real_rawmemchr(p, c);
}

void *__rawmemchr(const void *p, int c)
{
	return watched() ? search_found(p, search_byte(p, c, ALL, false, HERE), ALL) : real___rawmemchr(p, c);
}

void *memmem(const void *p, size_t n, const void *what, size_t m)
{
	struct kept kw, kp;

	if (!watched())
		return real_memmem(p, n, what, m);
	what = range_take(&kw, what, m, HERE);
	const void *taken = range_take(&kp, p, n, HERE);
	return in_place(p, taken, real_memmem(taken, n, what, m));
}
