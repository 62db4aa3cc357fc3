/*
 * strlen and its family: these hooks report the accesses that libc makes for the program, like hook_bytes.c.
 */
#include <string.h>

#include "preload/accesses/ranges.h"
#include "preload/base/real.h"
#include "preload/hooks/search.h"
/* This file does not include preload/base/rules.h, because that forbids strdup. It calls none of the functions that it defines. */

#define CALLER ((uintptr_t)__builtin_return_address(0) | RANGE_HELD)
#define ALL SIZE_MAX

/* ---- reading ---- */

static size_t length(const char *s, size_t n, uintptr_t pc)
{
	return range_string(s, n, 1, pc, NULL, NULL);
}

/* Reports the read of a string of at most n bytes. Returns it with the values that it had then: s itself, or a copy in
   *k. */
static const char *taken(struct kept *k, const char *s, size_t n, uintptr_t pc)
{
	const void *data;

	range_string(s, n, 1, pc, k, &data);
	return data;
}

/* Converts a pointer into what taken() returned for s to the same place in s. */
static char *in_place(const char *s, const char *taken, const char *found)
{
	return found ? (char *)(uintptr_t)s + (found - taken) : NULL;
}

size_t strlen(const char *s)
{
	return watched() ? length(s, ALL, CALLER) : real_strlen(s);
}

size_t strnlen(const char *s, size_t n)
{
	return watched() ? length(s, n, CALLER) : real_strnlen(s, n);
}

char *strchr(const char *s, int c)
{
	return watched() ? search_found(s, search_byte(s, c, ALL, true, CALLER), ALL) : real_strchr(s, c);
}

char *index(const char *s, int c)
{
	return watched() ? search_found(s, search_byte(s, c, ALL, true, CALLER), ALL) : real_index(s, c);
}

static char *last(const char *s, int c, char *(*real)(const char *, int), uintptr_t pc)
{
	struct kept k;
	const char *t = watched() ? taken(&k, s, ALL, pc) : s;

	return in_place(s, t, real(t, c));
}

char *strrchr(const char *s, int c)
{
	return last(s, c, real_strrchr, CALLER);
}

char *rindex(const char *s, int c)
{
	return last(s, c, real_rindex, CALLER);
}

static char *first(const char *s, const char *what, char *(*real)(const char *, const char *), uintptr_t pc)
{
	struct kept kw, ks;

	if (!watched())
		return real(s, what);
	what = taken(&kw, what, ALL, pc);
	const char *t = taken(&ks, s, ALL, pc);
	return in_place(s, t, real(t, what));
}

char *strstr(const char *s, const char *what)
{
	return first(s, what, real_strstr, CALLER);
}

char *strcasestr(const char *s, const char *what)
{
	return first(s, what, real_strcasestr, CALLER);
}

char *__strcasestr(const char *s, const char *what)
{
	return first(s, what, real___strcasestr, CALLER);
}

/* Like search_span, but also reports the read of `set`. */
static size_t span(const char *s, const char *set, bool inside, char *end, uintptr_t pc)
{
	struct kept k;

	return search_span(s, taken(&k, set, ALL, pc), inside, end, pc);
}

size_t strspn(const char *s, const char *set)
{
	return watched() ? span(s, set, true, NULL, CALLER) : real_strspn(s, set);
}

size_t strcspn(const char *s, const char *set)
{
	return watched() ? span(s, set, false, NULL, CALLER) : real_strcspn(s, set);
}

char *strpbrk(const char *s, const char *set)
{
	if (!watched())
		return real_strpbrk(s, set);
	char end;
	size_t k = span(s, set, false, &end, CALLER);
	return end ? (char *)(uintptr_t)s + k : NULL;
}

char *strchrnul(const char *s, int c)
{
	char set[2] = { (char)c, 0 };

	return watched() ? (char *)(uintptr_t)s + search_span(s, set, false, NULL, CALLER) : real_strchrnul(s, c);
}

/* ---- comparing ---- */

static int fold(int c)
{
	return c >= 'A' && c <= 'Z' ? c + 'a' - 'A' : c;
}

/* Returns the first index at which the strings differ or end; at most n. */
static size_t common(const char *a, const char *b, size_t n, bool exact)
{
	size_t k = 0;

	while (k < n && a[k] && (exact ? a[k] == b[k] : fold(a[k]) == fold(b[k])))
		k++;
	return k;
}

/* Reports the reads of both strings, up to the first difference or the end. Returns true if some of these bytes are visible; *result is
   then the result for the values that were reported. If it returns false, the caller compares the strings itself. */
static bool compared(const char *a, const char *b, size_t n, bool exact, int *result, uintptr_t pc)
{
	size_t k = common(a, b, range_quiet(a, range_quiet(b, n)), exact), noted = k < n ? k + 1 : n;
	bool again = range_peeked(a, noted, pc);

	again |= range_peeked(b, noted, pc);
	if (!again)
		return false;
	struct reader ra = range_reader(a, n, pc), rb = range_reader(b, n, pc);
	*result = 0;
	for (k = 0; k < n && !*result; k++) {
		int x = reader_byte(&ra, k), y = reader_byte(&rb, k);

		*result = exact ? x - y : fold(x) - fold(y);
		if (!x)
			break;
	}
	return true;
}

int strcmp(const char *a, const char *b)
{
	int r;

	return watched() && compared(a, b, ALL, true, &r, CALLER) ? r : real_strcmp(a, b);
}

int strncmp(const char *a, const char *b, size_t n)
{
	int r;

	return watched() && compared(a, b, n, true, &r, CALLER) ? r : real_strncmp(a, b, n);
}

/* Limit: among visible bytes, only the letters of the C locale are compared without case. */
int strcasecmp(const char *a, const char *b)
{
	int r;

	return watched() && compared(a, b, ALL, false, &r, CALLER) ? r : real_strcasecmp(a, b);
}

int __strcasecmp(const char *a, const char *b)
{
	int r;

	return watched() && compared(a, b, ALL, false, &r, CALLER) ? r : real___strcasecmp(a, b);
}

int strncasecmp(const char *a, const char *b, size_t n)
{
	int r;

	return watched() && compared(a, b, n, false, &r, CALLER) ? r : real_strncasecmp(a, b, n);
}

int strcoll(const char *a, const char *b)
{
	struct kept ka, kb;

	if (!watched())
		return real_strcoll(a, b);
	a = taken(&ka, a, ALL, CALLER);
	return real_strcoll(a, taken(&kb, b, ALL, CALLER));
}

/* ---- writing ---- */

/* Copies the first n bytes of `from`, whose read is reported already, and adds a terminator. Returns the address of the terminator. */
static char *put_string(char *to, const char *from, size_t n, uintptr_t pc)
{
	struct kept k;

	if (n < KEPT) {
		real_memcpy(k.bytes, from, n);
		k.bytes[n] = 0;
		range_put(to, k.bytes, n + 1, pc);
	} else {
		range_put(to, from, n, pc);
		range_set(to + n, 0, 1, pc);
	}
	return to + n;
}

/* Copies at most n bytes of the string `from`, and fills the rest of to[0..n) with zeroes. Returns the end of the copied bytes. */
static char *put_field(char *to, const char *from, size_t n, uintptr_t pc)
{
	struct kept k;
	const void *data;
	size_t len = range_string(from, n, 1, pc, &k, &data);

	range_put(to, data, len, pc);
	range_set(to + len, 0, n - len, pc);
	return to + len;
}

/* Copies at most n bytes of `from` and a terminator, in all `room` bytes at most. Returns the address of the
   terminator; NULL: there is not enough room. */
static char *copy_within(char *to, const char *from, size_t n, size_t room, uintptr_t pc)
{
	struct kept k;
	const void *data;
	size_t len = range_string(from, n, 1, pc, &k, &data);

	return len < room ? put_string(to, data, len, pc) : NULL;
}

static bool append_within(char *to, const char *from, size_t n, size_t room, uintptr_t pc)
{
	size_t has = length(to, ALL, pc);

	return has < room && copy_within(to + has, from, n, room - has, pc);
}

char *strcpy(char *to, const char *from)
{
	if (!watched())
		return real_strcpy(to, from);
	copy_within(to, from, ALL, ALL, CALLER);
	return to;
}

char *stpcpy(char *to, const char *from)
{
	return watched() ? copy_within(to, from, ALL, ALL, CALLER) : real_stpcpy(to, from);
}

char *__stpcpy(char *to, const char *from)
{
	return watched() ? copy_within(to, from, ALL, ALL, CALLER) : real___stpcpy(to, from);
}

char *strncpy(char *to, const char *from, size_t n)
{
	if (!watched())
		return real_strncpy(to, from, n);
	put_field(to, from, n, CALLER);
	return to;
}

char *stpncpy(char *to, const char *from, size_t n)
{
	return watched() ? put_field(to, from, n, CALLER) : real_stpncpy(to, from, n);
}

char *__stpncpy(char *to, const char *from, size_t n)
{
	return watched() ? put_field(to, from, n, CALLER) : real___stpncpy(to, from, n);
}

char *strcat(char *to, const char *from)
{
	if (!watched())
		return real_strcat(to, from);
	append_within(to, from, ALL, ALL, CALLER);
	return to;
}

char *strncat(char *to, const char *from, size_t n)
{
	if (!watched())
		return real_strncat(to, from, n);
	append_within(to, from, n, ALL, CALLER);
	return to;
}

/* Only the read is reported: no other thread knows the new block. */
char *strdup(const char *s)
{
	struct kept k;

	return real_strdup(watched() ? taken(&k, s, ALL, CALLER) : s);
}

char *__strdup(const char *s)
{
	struct kept k;

	return real___strdup(watched() ? taken(&k, s, ALL, CALLER) : s);
}

char *strndup(const char *s, size_t n)
{
	struct kept k;

	return real_strndup(watched() ? taken(&k, s, n, CALLER) : s, n);
}

char *__strndup(const char *s, size_t n)
{
	struct kept k;

	return real___strndup(watched() ? taken(&k, s, n, CALLER) : s, n);
}

/* ---- writing, with the size of the destination. The real functions report an overflow and abort ---- */

char *__strcpy_chk(char *to, const char *from, size_t room)
{
	return watched() && copy_within(to, from, ALL, room, CALLER) ? to : real___strcpy_chk(to, from, room);
}

char *__stpcpy_chk(char *to, const char *from, size_t room)
{
	char *end = watched() ? copy_within(to, from, ALL, room, CALLER) : NULL;

	return end ? end : real___stpcpy_chk(to, from, room);
}

char *__strncpy_chk(char *to, const char *from, size_t n, size_t room)
{
	if (!watched() || n > room)
		return real___strncpy_chk(to, from, n, room);
	put_field(to, from, n, CALLER);
	return to;
}

char *__stpncpy_chk(char *to, const char *from, size_t n, size_t room)
{
	if (!watched() || n > room)
		return real___stpncpy_chk(to, from, n, room);
	return put_field(to, from, n, CALLER);
}

char *__strcat_chk(char *to, const char *from, size_t room)
{
	return watched() && append_within(to, from, ALL, room, CALLER) ? to : real___strcat_chk(to, from, room);
}

char *__strncat_chk(char *to, const char *from, size_t n, size_t room)
{
	return watched() && append_within(to, from, n, room, CALLER) ? to : real___strncat_chk(to, from, n, room);
}
