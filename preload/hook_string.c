/*
 * memcpy and its family, strlen and its family: sensors (mem.h) for what libc does with the program's memory in its stead.
 *
 * A hook is a test and a jump as long as nobody watches. They are called from everywhere, also before the constructor;
 * simul itself calls the real ones (own_string.c). What each reads and writes is what the standard lets it read and write,
 * not what libc's vector instructions touch. None of it is atomic.
 */
#include <string.h>

#include "preload/real.h"
#include "preload/ranges.h"
/* Without preload/rules.h: it forbids strdup. Nothing here is called by its own name. */

#define CALLER ((uintptr_t)__builtin_return_address(0))
#define ALL SIZE_MAX

/* Runs `call`, which reads `bytes` (both expressions; the second may use `result`), tells that, and runs it again when
   others may have run meanwhile. */
#define SCAN(type, call, p, bytes)                                                                 \
	size_t told = 0;                                                                           \
	for (;;) {                                                                                 \
		type result = call;                                                                \
		size_t need = bytes;                                                               \
		if (need <= told || !range_read((const char *)(p) + told, need - told, CALLER))    \
			return result;                                                             \
		told = need;                                                                       \
	}

#define UP_TO(q, p) ((size_t)((const char *)(q) - (const char *)(p)) + 1)

/* ---- bytes: copies ---- */

void *memcpy(void *to, const void *from, size_t n)
{
	return watched() ? range_copy(to, from, n, CALLER) : real_memcpy(to, from, n);
}

void *memmove(void *to, const void *from, size_t n)
{
	return watched() ? range_copy(to, from, n, CALLER) : real_memmove(to, from, n);
}

void *mempcpy(void *to, const void *from, size_t n)
{
	if (!watched())
		return real_mempcpy(to, from, n);
	return (char *)range_copy(to, from, n, CALLER) + n;
}

void *__mempcpy(void *to, const void *from, size_t n)
{
	if (!watched())
		return real___mempcpy(to, from, n);
	return (char *)range_copy(to, from, n, CALLER) + n;
}

void *__memcpy_chk(void *to, const void *from, size_t n, size_t room)
{
	return watched() && n <= room ? range_copy(to, from, n, CALLER) : real___memcpy_chk(to, from, n, room);
}

void *__memmove_chk(void *to, const void *from, size_t n, size_t room)
{
	return watched() && n <= room ? range_copy(to, from, n, CALLER) : real___memmove_chk(to, from, n, room);
}

void *__mempcpy_chk(void *to, const void *from, size_t n, size_t room)
{
	if (!watched() || n > room)
		return real___mempcpy_chk(to, from, n, room);
	return (char *)range_copy(to, from, n, CALLER) + n;
}

void bcopy(const void *from, void *to, size_t n)
{
	if (!watched()) {
		real_bcopy(from, to, n);
		return;
	}
	range_copy(to, from, n, CALLER);
}

/* Bytes of p[0..n) up to and including the first c. */
static size_t up_to_byte(const void *p, int c, size_t n)
{
	const void *q = real_memchr(p, c, n);

	return q ? UP_TO(q, p) : n;
}

void *memccpy(void *to, const void *from, int c, size_t n)
{
	if (!watched())
		return real_memccpy(to, from, c, n);
	size_t told = 0, need;
	while ((need = up_to_byte(from, c, n)) > told && range_read((const char *)from + told, need - told, CALLER))
		told = need;
	bool found = real_memchr(from, c, need) != NULL;
	range_put(to, from, need, CALLER);
	return found ? (char *)to + need : NULL;
}

void swab(const void *from, void *to, ssize_t n)
{
	if (watched() && n > 1) {
		size_t pairs = (size_t)n / 2 * 2;

		range_read(from, pairs, CALLER);
		range_put(to, from, pairs, CALLER); /* where it ends up; swapped below */
	}
	real_swab(from, to, n);
}

/* ---- bytes: the others ---- */

void *memset(void *to, int c, size_t n)
{
	return watched() ? range_set(to, c, n, CALLER) : real_memset(to, c, n);
}

void *__memset_chk(void *to, int c, size_t n, size_t room)
{
	return watched() && n <= room ? range_set(to, c, n, CALLER) : real___memset_chk(to, c, n, room);
}

void bzero(void *to, size_t n)
{
	if (watched())
		range_set(to, 0, n, CALLER);
	else
		real_bzero(to, n);
}

void __bzero(void *to, size_t n)
{
	if (watched())
		range_set(to, 0, n, CALLER);
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

/* Reads both; what the first one held is kept while the second is told. */
static int compare(const void *a, const void *b, size_t n, uintptr_t pc)
{
	struct kept k;

	if (range_read(a, n, pc))
		a = range_keep(&k, a, n);
	range_read(b, n, pc);
	return real_memcmp(a, b, n);
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

void *memchr(const void *p, int c, size_t n)
{
	if (!watched())
		return real_memchr(p, c, n);
	SCAN(void *, real_memchr(p, c, n), p, result ? UP_TO(result, p) : n);
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
	if (!watched())
		return real_rawmemchr(p, c);
	SCAN(void *, real_rawmemchr(p, c), p, UP_TO(result, p));
}

void *__rawmemchr(const void *p, int c)
{
	if (!watched())
		return real___rawmemchr(p, c);
	SCAN(void *, real___rawmemchr(p, c), p, UP_TO(result, p));
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

size_t strlen(const char *s)
{
	return watched() ? range_string(s, ALL, 1, CALLER) : real_strlen(s);
}

size_t strnlen(const char *s, size_t n)
{
	return watched() ? range_string(s, n, 1, CALLER) : real_strnlen(s, n);
}

/* Bytes that a search has read which returned `found`, a place in s or NULL at its end. */
static size_t searched(const char *s, const char *found)
{
	return found ? UP_TO(found, s) : real_strlen(s) + 1;
}

char *strchr(const char *s, int c)
{
	if (!watched())
		return real_strchr(s, c);
	SCAN(char *, real_strchr(s, c), s, searched(s, result));
}

char *index(const char *s, int c)
{
	if (!watched())
		return real_index(s, c);
	SCAN(char *, real_index(s, c), s, searched(s, result));
}

char *strchrnul(const char *s, int c)
{
	if (!watched())
		return real_strchrnul(s, c);
	SCAN(char *, real_strchrnul(s, c), s, UP_TO(result, s));
}

char *strrchr(const char *s, int c)
{
	if (watched())
		range_string(s, ALL, 1, CALLER);
	return real_strrchr(s, c);
}

char *rindex(const char *s, int c)
{
	if (watched())
		range_string(s, ALL, 1, CALLER);
	return real_rindex(s, c);
}

char *strstr(const char *s, const char *what)
{
	if (watched()) {
		range_string(what, ALL, 1, CALLER);
		range_string(s, ALL, 1, CALLER);
	}
	return real_strstr(s, what);
}

char *strcasestr(const char *s, const char *what)
{
	if (watched()) {
		range_string(what, ALL, 1, CALLER);
		range_string(s, ALL, 1, CALLER);
	}
	return real_strcasestr(s, what);
}

char *__strcasestr(const char *s, const char *what)
{
	if (watched()) {
		range_string(what, ALL, 1, CALLER);
		range_string(s, ALL, 1, CALLER);
	}
	return real___strcasestr(s, what);
}

size_t strspn(const char *s, const char *set)
{
	if (!watched())
		return real_strspn(s, set);
	range_string(set, ALL, 1, CALLER);
	SCAN(size_t, real_strspn(s, set), s, result + 1);
}

size_t strcspn(const char *s, const char *set)
{
	if (!watched())
		return real_strcspn(s, set);
	range_string(set, ALL, 1, CALLER);
	SCAN(size_t, real_strcspn(s, set), s, result + 1);
}

char *strpbrk(const char *s, const char *set)
{
	if (!watched())
		return real_strpbrk(s, set);
	range_string(set, ALL, 1, CALLER);
	SCAN(char *, real_strpbrk(s, set), s, searched(s, result));
}

/* ---- strings: comparing ---- */

/* Both are read to the first difference or terminator; the functions that ignore case are taken to read on to the end
   of the shorter. `exact`: the former. */
static size_t common(const char *a, const char *b, size_t n, bool exact)
{
	size_t i = 0;

	for (; i < n && a[i] && b[i]; i++)
		if (exact && a[i] != b[i])
			break;
	return i < n ? i + 1 : n;
}

/* Tells what is read of both, as long as that grows. */
static void read_both(const char *a, const char *b, size_t n, bool exact, uintptr_t pc)
{
	for (size_t told = 0, need; (need = common(a, b, n, exact)) > told; told = need) {
		bool again = range_read(a + told, need - told, pc);

		again |= range_read(b + told, need - told, pc);
		if (!again)
			return;
	}
}

int strcmp(const char *a, const char *b)
{
	if (watched())
		read_both(a, b, ALL, true, CALLER);
	return real_strcmp(a, b);
}

int strncmp(const char *a, const char *b, size_t n)
{
	if (watched())
		read_both(a, b, n, true, CALLER);
	return real_strncmp(a, b, n);
}

int strcasecmp(const char *a, const char *b)
{
	if (watched())
		read_both(a, b, ALL, false, CALLER);
	return real_strcasecmp(a, b);
}

int __strcasecmp(const char *a, const char *b)
{
	if (watched())
		read_both(a, b, ALL, false, CALLER);
	return real___strcasecmp(a, b);
}

int strncasecmp(const char *a, const char *b, size_t n)
{
	if (watched())
		read_both(a, b, n, false, CALLER);
	return real_strncasecmp(a, b, n);
}

int strcoll(const char *a, const char *b)
{
	if (watched()) {
		range_string(a, ALL, 1, CALLER);
		range_string(b, ALL, 1, CALLER);
	}
	return real_strcoll(a, b);
}

/* ---- strings: writing ---- */

/* to = the first n bytes of `from`, whose reading has been told, and a terminator. Returns where that stands. */
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

/* to = n bytes: the string `from`, filled up with zeroes. Returns where its end is. */
static char *put_field(char *to, const char *from, size_t n, uintptr_t pc)
{
	size_t len = range_string(from, n, 1, pc);

	range_put(to, from, len, pc);
	range_set(to + len, 0, n - len, pc);
	return to + len;
}

static char *copy_string(char *to, const char *from, uintptr_t pc)
{
	return put_string(to, from, range_string(from, ALL, 1, pc), pc);
}

static void append(char *to, const char *from, size_t n, uintptr_t pc)
{
	size_t at = range_string(to, ALL, 1, pc);

	put_string(to + at, from, range_string(from, n, 1, pc), pc);
}

char *strcpy(char *to, const char *from)
{
	if (!watched())
		return real_strcpy(to, from);
	copy_string(to, from, CALLER);
	return to;
}

char *stpcpy(char *to, const char *from)
{
	return watched() ? copy_string(to, from, CALLER) : real_stpcpy(to, from);
}

char *__stpcpy(char *to, const char *from)
{
	return watched() ? copy_string(to, from, CALLER) : real___stpcpy(to, from);
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

/* The new block is the caller's alone. */
char *strdup(const char *s)
{
	if (watched())
		range_string(s, ALL, 1, CALLER);
	return real_strdup(s);
}

char *__strdup(const char *s)
{
	if (watched())
		range_string(s, ALL, 1, CALLER);
	return real___strdup(s);
}

char *strndup(const char *s, size_t n)
{
	if (watched())
		range_string(s, n, 1, CALLER);
	return real_strndup(s, n);
}

char *__strndup(const char *s, size_t n)
{
	if (watched())
		range_string(s, n, 1, CALLER);
	return real___strndup(s, n);
}

/* ---- strings: writing, with the room there is; the real ones say what is wrong and abort ---- */

char *__strcpy_chk(char *to, const char *from, size_t room)
{
	if (!watched() || real_strlen(from) >= room)
		return real___strcpy_chk(to, from, room);
	copy_string(to, from, CALLER);
	return to;
}

char *__stpcpy_chk(char *to, const char *from, size_t room)
{
	if (!watched() || real_strlen(from) >= room)
		return real___stpcpy_chk(to, from, room);
	return copy_string(to, from, CALLER);
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
