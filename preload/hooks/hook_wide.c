/* Wide characters: like hook_string.c, with units of four bytes. */
#include <wchar.h>

#include "preload/base/real.h"
#include "preload/accesses/ranges.h"
#include "preload/base/rules.h"

#define CALLER ((uintptr_t)__builtin_return_address(0))
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

static wchar_t *copy_string(wchar_t *to, const wchar_t *from, uintptr_t pc)
{
	struct kept k;
	const void *data;
	size_t n = range_string(from, ALL, W, pc, &k, &data);

	range_put(to, data, n * W, pc);
	fill_wide(to + n, 0, 1, pc);
	return to + n;
}

static void append(wchar_t *to, const wchar_t *from, uintptr_t pc)
{
	copy_string(to + range_string(to, ALL, W, pc, NULL, NULL), from, pc);
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
	copy(to, from, n, CALLER);
	return to;
}

wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t n)
{
	if (!watched())
		return real_wmemmove(to, from, n);
	copy(to, from, n, CALLER);
	return to;
}

wchar_t *wmempcpy(wchar_t *to, const wchar_t *from, size_t n)
{
	if (!watched())
		return real_wmempcpy(to, from, n);
	copy(to, from, n, CALLER);
	return to + n;
}

wchar_t *wmemset(wchar_t *to, wchar_t c, size_t n)
{
	if (!watched())
		return real_wmemset(to, c, n);
	fill_wide(to, c, n, CALLER);
	return to;
}

wchar_t *__wmemcpy_chk(wchar_t *to, const wchar_t *from, size_t n, size_t room)
{
	if (!watched() || n > room)
		return real___wmemcpy_chk(to, from, n, room);
	copy(to, from, n, CALLER);
	return to;
}

wchar_t *__wmemmove_chk(wchar_t *to, const wchar_t *from, size_t n, size_t room)
{
	if (!watched() || n > room)
		return real___wmemmove_chk(to, from, n, room);
	copy(to, from, n, CALLER);
	return to;
}

wchar_t *__wmempcpy_chk(wchar_t *to, const wchar_t *from, size_t n, size_t room)
{
	if (!watched() || n > room)
		return real___wmempcpy_chk(to, from, n, room);
	copy(to, from, n, CALLER);
	return to + n;
}

wchar_t *__wmemset_chk(wchar_t *to, wchar_t c, size_t n, size_t room)
{
	if (!watched() || n > room)
		return real___wmemset_chk(to, c, n, room);
	fill_wide(to, c, n, CALLER);
	return to;
}

int wmemcmp(const wchar_t *a, const wchar_t *b, size_t n)
{
	if (watched()) {
		range_read(a, n * W, CALLER);
		range_read(b, n * W, CALLER);
	}
	return real_wmemcmp(a, b, n);
}

wchar_t *wmemchr(const wchar_t *p, wchar_t c, size_t n)
{
	if (watched())
		range_read(p, n * W, CALLER);
	return real_wmemchr(p, c, n);
}

/* ---- strings ---- */

size_t wcslen(const wchar_t *s)
{
	return watched() ? range_string(s, ALL, W, CALLER, NULL, NULL) : real_wcslen(s);
}

size_t wcsnlen(const wchar_t *s, size_t n)
{
	return watched() ? range_string(s, n, W, CALLER, NULL, NULL) : real_wcsnlen(s, n);
}

wchar_t *wcschr(const wchar_t *s, wchar_t c)
{
	if (watched())
		range_string(s, ALL, W, CALLER, NULL, NULL);
	return real_wcschr(s, c);
}

wchar_t *wcsrchr(const wchar_t *s, wchar_t c)
{
	if (watched())
		range_string(s, ALL, W, CALLER, NULL, NULL);
	return real_wcsrchr(s, c);
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
	copy_string(to, from, CALLER);
	return to;
}

wchar_t *wcpcpy(wchar_t *to, const wchar_t *from)
{
	return watched() ? copy_string(to, from, CALLER) : real_wcpcpy(to, from);
}

wchar_t *wcscat(wchar_t *to, const wchar_t *from)
{
	if (!watched())
		return real_wcscat(to, from);
	append(to, from, CALLER);
	return to;
}

wchar_t *wcsdup(const wchar_t *s)
{
	if (watched())
		range_string(s, ALL, W, CALLER, NULL, NULL);
	return real_wcsdup(s);
}

wchar_t *__wcscpy_chk(wchar_t *to, const wchar_t *from, size_t room)
{
	if (!watched() || real_wcslen(from) >= room)
		return real___wcscpy_chk(to, from, room);
	copy_string(to, from, CALLER);
	return to;
}

wchar_t *__wcpcpy_chk(wchar_t *to, const wchar_t *from, size_t room)
{
	if (!watched() || real_wcslen(from) >= room)
		return real___wcpcpy_chk(to, from, room);
	return copy_string(to, from, CALLER);
}

wchar_t *__wcscat_chk(wchar_t *to, const wchar_t *from, size_t room)
{
	if (!watched() || real_wcslen(to) + real_wcslen(from) >= room)
		return real___wcscat_chk(to, from, room);
	append(to, from, CALLER);
	return to;
}
