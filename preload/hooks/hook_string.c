/*
 * memcpy and its family, strlen and its family. These hooks report the accesses that libc makes for the program (mem.h).
 *
 * While no accesses are recorded, a hook is a test and a jump. Any code calls these functions, even before the constructor. simul itself
 * calls the real functions (own_string.c). A hook reports the bytes that the standard lets the function read and write, not the bytes that
 * libc's vector instructions touch. None of these accesses is atomic.
 */
#include <string.h>

#include "preload/base/real.h"
#include "preload/accesses/ranges.h"
/* This file does not include preload/base/rules.h, which forbids strdup. It calls none of the functions that it defines. */

#define CALLER ((uintptr_t)__builtin_return_address(0))
#define ALL SIZE_MAX

#define UP_TO(q, p) ((size_t)((const char *)(q) - (const char *)(p)) + 1)

/* ---- bytes: copies ---- */

void *memcpy(void *to, const void *from, size_t n)
{
	return watched() ? range_copy_as(to, from, n, MEM_COPY, CALLER) : real_memcpy(to, from, n);
}

void *memmove(void *to, const void *from, size_t n)
{
	return watched() ? range_copy_as(to, from, n, MEM_COPY, CALLER) : real_memmove(to, from, n);
}

void *mempcpy(void *to, const void *from, size_t n)
{
	if (!watched())
		return real_mempcpy(to, from, n);
	return (char *)range_copy_as(to, from, n, MEM_COPY, CALLER) + n;
}

void *__mempcpy(void *to, const void *from, size_t n)
{
	if (!watched())
		return real___mempcpy(to, from, n);
	return (char *)range_copy_as(to, from, n, MEM_COPY, CALLER) + n;
}

void *__memcpy_chk(void *to, const void *from, size_t n, size_t room)
{
	return watched() && n <= room ? range_copy_as(to, from, n, MEM_COPY, CALLER) : real___memcpy_chk(to, from, n, room);
}

void *__memmove_chk(void *to, const void *from, size_t n, size_t room)
{
	return watched() && n <= room ? range_copy_as(to, from, n, MEM_COPY, CALLER) : real___memmove_chk(to, from, n, room);
}

void *__mempcpy_chk(void *to, const void *from, size_t n, size_t room)
{
	if (!watched() || n > room)
		return real___mempcpy_chk(to, from, n, room);
	return (char *)range_copy_as(to, from, n, MEM_COPY, CALLER) + n;
}

void bcopy(const void *from, void *to, size_t n)
{
	if (!watched()) {
		real_bcopy(from, to, n);
		return;
	}
	range_copy_as(to, from, n, MEM_COPY, CALLER);
}

/* Reports a read of p[0..n) up to the first c, and with `string` at most up to the first 0. Returns the index of that c; n when there is
   none. A string has no other limit: n is ALL then. */
static size_t find(const char *p, int c, size_t n, bool string, uintptr_t pc)
{
	const char *stop = string ? real_strchrnul(p, c) : n == ALL ? real_rawmemchr(p, c) : real_memchr(p, c, n);
	size_t k = stop ? (size_t)(stop - p) : n;
	size_t noted = k < n ? k + 1 : n;
	bool found = k < n && p[k] == (char)c;
	if (range_peeked(p, noted, pc)) {
		struct reader r = range_reader(p, n, noted, pc);

		found = false;
		for (k = 0; k < n && !found; k++) {
			char at = (char)reader_byte(&r, k);

			found = at == (char)c;
			if (found || (string && !at))
				break;
		}
	}
	return found ? k : n;
}

void *memccpy(void *to, const void *from, int c, size_t n)
{
	if (!watched())
		return real_memccpy(to, from, c, n);
	size_t k = find(from, c, n, false, CALLER);
	range_put(to, from, k < n ? k + 1 : n, CALLER);
	return k < n ? (char *)to + k + 1 : NULL;
}

void swab(const void *from, void *to, ssize_t n)
{
	if (watched() && n > 1) {
		size_t pairs = (size_t)n / 2 * 2;

		range_read(from, pairs, CALLER);
		range_put(to, from, pairs, CALLER); /* copies the bytes; real_swab below swaps them */
	}
	real_swab(from, to, n);
}

/* ---- bytes: the others ---- */

void *memset(void *to, int c, size_t n)
{
	return watched() ? range_set_as(to, c, n, MEM_COPY, CALLER) : real_memset(to, c, n);
}

void *__memset_chk(void *to, int c, size_t n, size_t room)
{
	return watched() && n <= room ? range_set_as(to, c, n, MEM_COPY, CALLER) : real___memset_chk(to, c, n, room);
}

void bzero(void *to, size_t n)
{
	if (watched())
		range_set_as(to, 0, n, MEM_COPY, CALLER);
	else
		real_bzero(to, n);
}

void __bzero(void *to, size_t n)
{
	if (watched())
		range_set_as(to, 0, n, MEM_COPY, CALLER);
	else
		real___bzero(to, n);
}

void explicit_bzero(void *to, size_t n)
{
	if (watched())
		range_set(to, 0, n, CALLER);
	else
		real_explicit_bzero(to, n);
}

void __explicit_bzero_chk(void *to, size_t n, size_t room)
{
	if (watched() && n <= room)
		range_set(to, 0, n, CALLER);
	else
		real___explicit_bzero_chk(to, n, room);
}

/* Compares like memcmp. Keeps the bytes of the first block while the read of the second is reported. */
static int compare(const void *a, const void *b, size_t n, uintptr_t pc)
{
	struct kept k;
	const void *was = a;

	if (range_read(a, n, pc))
		was = range_keep(&k, a, n);
	range_read(b, n, pc);
	return real_memcmp(was, b, n);
}

int memcmp(const void *a, const void *b, size_t n)
{
	return watched() ? compare(a, b, n, CALLER) : real_memcmp(a, b, n);
}

int bcmp(const void *a, const void *b, size_t n)
{
	return watched() ? compare(a, b, n, CALLER) : real_bcmp(a, b, n);
}

int __memcmpeq(const void *a, const void *b, size_t n)
{
	return watched() ? compare(a, b, n, CALLER) : real___memcmpeq(a, b, n);
}

static void *found_at(const void *p, size_t k, size_t n)
{
	return k < n ? (char *)(uintptr_t)p + k : NULL;
}

void *memchr(const void *p, int c, size_t n)
{
	return watched() ? found_at(p, find(p, c, n, false, CALLER), n) : real_memchr(p, c, n);
}

void *memrchr(const void *p, int c, size_t n)
{
	if (!watched())
		return real_memrchr(p, c, n);
	range_read(p, n, CALLER);
	return real_memrchr(p, c, n);
}

void *rawmemchr(const void *p, int c)
{
	return watched() ? found_at(p, find(p, c, ALL, false, CALLER), ALL) : real_rawmemchr(p, c);
}

void *__rawmemchr(const void *p, int c)
{
	return watched() ? found_at(p, find(p, c, ALL, false, CALLER), ALL) : real___rawmemchr(p, c);
}

void *memmem(const void *p, size_t n, const void *what, size_t m)
{
	if (watched()) {
		range_read(what, m, CALLER);
		range_read(p, n, CALLER);
	}
	return real_memmem(p, n, what, m);
}

/* ---- strings: reading ---- */

static size_t length(const char *s, size_t n, uintptr_t pc)
{
	return range_string(s, n, 1, pc, NULL, NULL);
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
	return watched() ? found_at(s, find(s, c, ALL, true, CALLER), ALL) : real_strchr(s, c);
}

char *index(const char *s, int c)
{
	return watched() ? found_at(s, find(s, c, ALL, true, CALLER), ALL) : real_index(s, c);
}

char *strrchr(const char *s, int c)
{
	if (watched())
		length(s, ALL, CALLER);
	return real_strrchr(s, c);
}

char *rindex(const char *s, int c)
{
	if (watched())
		length(s, ALL, CALLER);
	return real_rindex(s, c);
}

char *strstr(const char *s, const char *what)
{
	if (watched()) {
		length(what, ALL, CALLER);
		length(s, ALL, CALLER);
	}
	return real_strstr(s, what);
}

char *strcasestr(const char *s, const char *what)
{
	if (watched()) {
		length(what, ALL, CALLER);
		length(s, ALL, CALLER);
	}
	return real_strcasestr(s, what);
}

char *__strcasestr(const char *s, const char *what)
{
	if (watched()) {
		length(what, ALL, CALLER);
		length(s, ALL, CALLER);
	}
	return real___strcasestr(s, what);
}

/* Length of the first part of s that has only bytes of `set` (inside), or none of them. */
static size_t span(const char *s, const char *set, bool inside, uintptr_t pc)
{
	length(set, ALL, pc);
	size_t k = inside ? real_strspn(s, set) : real_strcspn(s, set);

	if (!range_peeked(s, k + 1, pc))
		return k;
	struct reader r = range_reader(s, ALL, k + 1, pc);
	for (k = 0;; k++) {
		char c = (char)reader_byte(&r, k);

		if (!c || (real_strchr(set, c) != NULL) != inside)
			return k;
	}
}

size_t strspn(const char *s, const char *set)
{
	return watched() ? span(s, set, true, CALLER) : real_strspn(s, set);
}

size_t strcspn(const char *s, const char *set)
{
	return watched() ? span(s, set, false, CALLER) : real_strcspn(s, set);
}

char *strpbrk(const char *s, const char *set)
{
	if (!watched())
		return real_strpbrk(s, set);
	size_t k = span(s, set, false, CALLER);
	return s[k] ? (char *)(uintptr_t)s + k : NULL;
}

char *strchrnul(const char *s, int c)
{
	char set[2] = { (char)c, 0 };

	return watched() ? (char *)(uintptr_t)s + span(s, set, false, CALLER) : real_strchrnul(s, c);
}

/* ---- strings: comparing ---- */

static int fold(int c)
{
	return c >= 'A' && c <= 'Z' ? c + 'a' - 'A' : c;
}

/* The first index where the strings differ or end; at most n. */
static size_t common(const char *a, const char *b, size_t n, bool exact)
{
	size_t k = 0;

	while (k < n && a[k] && (exact ? a[k] == b[k] : fold(a[k]) == fold(b[k])))
		k++;
	return k;
}

/* Reports the reads of both strings, up to the first difference or the end. Returns true when some of these bytes are visible: *result is
   then the result for the bytes as they were when they were reported. false: the caller compares the strings itself. */
static bool compared(const char *a, const char *b, size_t n, bool exact, int *result, uintptr_t pc)
{
	size_t k = common(a, b, n, exact), noted = k < n ? k + 1 : n;
	bool again = range_peeked(a, noted, pc);

	again |= range_peeked(b, noted, pc);
	if (!again)
		return false;
	struct reader ra = range_reader(a, n, noted, pc), rb = range_reader(b, n, noted, pc);
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

/* For visible bytes this folds only the letters of the C locale. */
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
	if (watched()) {
		length(a, ALL, CALLER);
		length(b, ALL, CALLER);
	}
	return real_strcoll(a, b);
}

/* ---- strings: writing ---- */

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

/* Copies at most n bytes of `from`, and adds a terminator. Returns its address. */
static char *copy_string(char *to, const char *from, size_t n, uintptr_t pc)
{
	struct kept k;
	const void *data;
	size_t len = range_string(from, n, 1, pc, &k, &data);

	return put_string(to, data, len, pc);
}

static void append(char *to, const char *from, size_t n, uintptr_t pc)
{
	copy_string(to + length(to, ALL, pc), from, n, pc);
}

char *strcpy(char *to, const char *from)
{
	if (!watched())
		return real_strcpy(to, from);
	copy_string(to, from, ALL, CALLER);
	return to;
}

char *stpcpy(char *to, const char *from)
{
	return watched() ? copy_string(to, from, ALL, CALLER) : real_stpcpy(to, from);
}

char *__stpcpy(char *to, const char *from)
{
	return watched() ? copy_string(to, from, ALL, CALLER) : real___stpcpy(to, from);
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
	append(to, from, ALL, CALLER);
	return to;
}

char *strncat(char *to, const char *from, size_t n)
{
	if (!watched())
		return real_strncat(to, from, n);
	append(to, from, n, CALLER);
	return to;
}

/* Only the read is reported: no other thread knows the new block. */
char *strdup(const char *s)
{
	if (watched())
		length(s, ALL, CALLER);
	return real_strdup(s);
}

char *__strdup(const char *s)
{
	if (watched())
		length(s, ALL, CALLER);
	return real___strdup(s);
}

char *strndup(const char *s, size_t n)
{
	if (watched())
		length(s, n, CALLER);
	return real_strndup(s, n);
}

char *__strndup(const char *s, size_t n)
{
	if (watched())
		length(s, n, CALLER);
	return real___strndup(s, n);
}

/* ---- strings: writing, with the size of the destination. The real functions report an overflow and abort ---- */

char *__strcpy_chk(char *to, const char *from, size_t room)
{
	if (!watched() || real_strlen(from) >= room)
		return real___strcpy_chk(to, from, room);
	copy_string(to, from, ALL, CALLER);
	return to;
}

char *__stpcpy_chk(char *to, const char *from, size_t room)
{
	if (!watched() || real_strlen(from) >= room)
		return real___stpcpy_chk(to, from, room);
	return copy_string(to, from, ALL, CALLER);
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
	if (!watched() || real_strlen(to) + real_strlen(from) >= room)
		return real___strcat_chk(to, from, room);
	append(to, from, ALL, CALLER);
	return to;
}

char *__strncat_chk(char *to, const char *from, size_t n, size_t room)
{
	if (!watched() || real_strlen(to) + real_strnlen(from, n) >= room)
		return real___strncat_chk(to, from, n, room);
	append(to, from, n, CALLER);
	return to;
}
