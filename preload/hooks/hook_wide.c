/* Wide characters: like hook_string.c, with units of four bytes. */
#include <wchar.h>

#include "preload/base/real.h"
#include "preload/accesses/ranges.h"
#include "preload/base/rules.h"

#define CALLER ((uintptr_t)__builtin_return_address(0))
#define HERE (CALLER | RANGE_HELD)
#define ALL SIZE_MAX
#define W sizeof(wchar_t)

static void copy(wchar_t *to, const wchar_t *from, size_t n, uintptr_t pc)
{
	range_copy(to, from, n * W, pc);
}

static void fill_wide(wchar_t *to, wchar_t c, size_t n, uintptr_t pc)
{
	for (size_t i = 0; i < n; i++)
		range_put(to + i, &c, W, pc);
}

/* Copies `from` with its terminator, of `room` characters at most. Returns the address of the terminator; NULL: there
   is not enough room. */
static wchar_t *copy_within(wchar_t *to, const wchar_t *from, size_t room, uintptr_t pc)
{
	struct kept k;
	const void *data;
	size_t n = range_string(from, ALL, W, pc, &k, &data);

	if (n >= room)
		return NULL;
	range_put(to, data, n * W, pc);
	fill_wide(to + n, 0, 1, pc);
	return to + n;
}

static bool append_within(wchar_t *to, const wchar_t *from, size_t room, uintptr_t pc)
{
	size_t has = range_string(to, ALL, W, pc, NULL, NULL);

	return has < room && copy_within(to + has, from, room - has, pc);
}

/* Reports the read of a string. Returns it with the values that it had then: s itself, or a copy in *k. */
static const wchar_t *taken(struct kept *k, const wchar_t *s, uintptr_t pc)
{
	const void *data;

	range_string(s, ALL, W, pc, k, &data);
	return data;
}

/* Converts a pointer into `taken`, a copy of what is at p, to the same place at p. */
static wchar_t *in_place(const wchar_t *p, const wchar_t *taken, const wchar_t *found)
{
	return found ? (wchar_t *)(uintptr_t)p + (found - taken) : NULL;
}

/* Reports the reads of both strings, up to the first difference or the end. */
static void read_both(const wchar_t *a, const wchar_t *b, size_t n, uintptr_t pc)
{
	size_t k = 0;

	while (k < n && a[k] && a[k] == b[k])
		k++;
	n = k < n ? k + 1 : n;
	range_read(a, n * W, pc);
	range_read(b, n * W, pc);
}

/* ---- arrays ---- */

wchar_t *wmemcpy(wchar_t *to, const wchar_t *from, size_t n)
{
	if (!watched())
		return real_wmemcpy(to, from, n);
	copy(to, from, n, HERE);
	return to;
}

wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t n)
{
	if (!watched())
		return real_wmemmove(to, from, n);
	copy(to, from, n, HERE);
	return to;
}

wchar_t *wmempcpy(wchar_t *to, const wchar_t *from, size_t n)
{
	if (!watched())
		return real_wmempcpy(to, from, n);
	copy(to, from, n, HERE);
	return to + n;
}

wchar_t *wmemset(wchar_t *to, wchar_t c, size_t n)
{
	if (!watched())
		return real_wmemset(to, c, n);
	fill_wide(to, c, n, HERE);
	return to;
}

wchar_t *__wmemcpy_chk(wchar_t *to, const wchar_t *from, size_t n, size_t room)
{
	if (!watched() || n > room)
		return real___wmemcpy_chk(to, from, n, room);
	copy(to, from, n, HERE);
	return to;
}

wchar_t *__wmemmove_chk(wchar_t *to, const wchar_t *from, size_t n, size_t room)
{
	if (!watched() || n > room)
		return real___wmemmove_chk(to, from, n, room);
	copy(to, from, n, HERE);
	return to;
}

wchar_t *__wmempcpy_chk(wchar_t *to, const wchar_t *from, size_t n, size_t room)
{
	if (!watched() || n > room)
		return real___wmempcpy_chk(to, from, n, room);
	copy(to, from, n, HERE);
	return to + n;
}

wchar_t *__wmemset_chk(wchar_t *to, wchar_t c, size_t n, size_t room)
{
	if (!watched() || n > room)
		return real___wmemset_chk(to, c, n, room);
	fill_wide(to, c, n, HERE);
	return to;
}

int wmemcmp(const wchar_t *a, const wchar_t *b, size_t n)
{
	struct kept ka, kb;

	if (!watched())
		return real_wmemcmp(a, b, n);
	a = range_take(&ka, a, n * W, HERE);
	return real_wmemcmp(a, range_take(&kb, b, n * W, HERE), n);
}

wchar_t *wmemchr(const wchar_t *p, wchar_t c, size_t n)
{
	struct kept k;
	const wchar_t *t = watched() ? range_take(&k, p, n * W, HERE) : p;

	return in_place(p, t, real_wmemchr(t, c, n));
}

/* ---- strings ---- */

size_t wcslen(const wchar_t *s)
{
	return watched() ? range_string(s, ALL, W, HERE, NULL, NULL) : real_wcslen(s);
}

size_t wcsnlen(const wchar_t *s, size_t n)
{
	return watched() ? range_string(s, n, W, HERE, NULL, NULL) : real_wcsnlen(s, n);
}

wchar_t *wcschr(const wchar_t *s, wchar_t c)
{
	struct kept k;
	const wchar_t *t = watched() ? taken(&k, s, HERE) : s;

	return in_place(s, t, real_wcschr(t, c));
}

wchar_t *wcsrchr(const wchar_t *s, wchar_t c)
{
	struct kept k;
	const wchar_t *t = watched() ? taken(&k, s, HERE) : s;

	return in_place(s, t, real_wcsrchr(t, c));
}

int wcscmp(const wchar_t *a, const wchar_t *b)
{
	if (watched())
		read_both(a, b, ALL, CALLER);
	return real_wcscmp(a, b);
}

int wcsncmp(const wchar_t *a, const wchar_t *b, size_t n)
{
	if (watched())
		read_both(a, b, n, CALLER);
	return real_wcsncmp(a, b, n);
}

wchar_t *wcscpy(wchar_t *to, const wchar_t *from)
{
	if (!watched())
		return real_wcscpy(to, from);
	copy_within(to, from, ALL, HERE);
	return to;
}

wchar_t *wcpcpy(wchar_t *to, const wchar_t *from)
{
	return watched() ? copy_within(to, from, ALL, HERE) : real_wcpcpy(to, from);
}

wchar_t *wcscat(wchar_t *to, const wchar_t *from)
{
	if (!watched())
		return real_wcscat(to, from);
	append_within(to, from, ALL, HERE);
	return to;
}

wchar_t *wcsdup(const wchar_t *s)
{
	struct kept k;

	return real_wcsdup(watched() ? taken(&k, s, HERE) : s);
}

wchar_t *__wcscpy_chk(wchar_t *to, const wchar_t *from, size_t room)
{
	return watched() && copy_within(to, from, room, HERE) ? to : real___wcscpy_chk(to, from, room);
}

wchar_t *__wcpcpy_chk(wchar_t *to, const wchar_t *from, size_t room)
{
	wchar_t *end = watched() ? copy_within(to, from, room, HERE) : NULL;

	return end ? end : real___wcpcpy_chk(to, from, room);
}

wchar_t *__wcscat_chk(wchar_t *to, const wchar_t *from, size_t room)
{
	return watched() && append_within(to, from, room, HERE) ? to : real___wcscat_chk(to, from, room);
}
