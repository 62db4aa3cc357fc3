/*
 * qsort, and strtok and its variants.
 *
 * simul splits strings itself. The bytes that strtok writes depend on those that it reads, so each byte must be read at the moment when its
 * access is reported. strtok keeps its position in a variable of simul, which is reported like a variable of the program.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "preload/accesses/libc_state.h"
#include "preload/accesses/landing.h"
#include "preload/base/real.h"
#include "preload/base/sys.h"
#include "preload/hooks/search.h"

#include "preload/base/rules.h"

#define CALLER ((uintptr_t)__builtin_return_address(0))

/* ---- splitting strings ---- */

static size_t span(const char *s, const char *set, bool inside, uintptr_t pc)
{
	if (watched())
		return search_span(s, set, inside, NULL, pc);
	return inside ? real_strspn(s, set) : real_strcspn(s, set);
}

static char *load(char **from, uintptr_t pc)
{
	if (watched())
		range_read(from, sizeof(*from), pc);
	return *from;
}

static void store(char **to, char *value, uintptr_t pc)
{
	if (watched())
		range_put(to, &value, sizeof(value), pc);
	else
		*to = value;
}

static bool at_end(const char *s, uintptr_t pc)
{
	if (watched())
		range_read(s, 1, pc);
	return !*s;
}

/* Writes a terminator at `end`. Returns the start of the rest of the string. */
static char *cut(char *end, uintptr_t pc)
{
	if (watched())
		range_set(end, 0, 1, pc);
	else
		*end = 0;
	return end + 1;
}

static char *next_piece(char *s, const char *set, char **place, uintptr_t pc)
{
	if (watched())
		range_string(set, SIZE_MAX, 1, pc, NULL, NULL);
	if (!s)
		s = load(place, pc);
	if (!s)
		return NULL;
	s += span(s, set, true, pc);
	if (at_end(s, pc)) {
		store(place, s, pc);
		return NULL;
	}
	char *end = s + span(s, set, false, pc);

	store(place, at_end(end, pc) ? end : cut(end, pc), pc);
	return s;
}

char *strtok(char *restrict s, const char *restrict set)
{
	return next_piece(s, set, libc_strtok_place(), CALLER);
}

char *strtok_r(char *restrict s, const char *restrict set, char **restrict place)
{
	return next_piece(s, set, place, CALLER);
}

char *__strtok_r(char *restrict s, const char *restrict set, char **restrict place)
{
	return next_piece(s, set, place, CALLER);
}

static char *separate(char **place, const char *set, uintptr_t pc)
{
	char *s = load(place, pc);

	if (!s)
		return NULL;
	if (watched())
		range_string(set, SIZE_MAX, 1, pc, NULL, NULL);
	char *end = s + span(s, set, false, pc);

	store(place, at_end(end, pc) ? NULL : cut(end, pc), pc);
	return s;
}

char *strsep(char **restrict place, const char *restrict set)
{
	return separate(place, set, CALLER);
}

char *__strsep_g(char **restrict place, const char *restrict set)
{
	return separate(place, set, CALLER);
}

/* ---- sorting ---- */

/* Reports a read and a write of the whole array. A shared array is copied after the read and written back at the end. The comparison
   function works on the copy, and other threads may run meanwhile. */
static void sort(void *array, size_t n, size_t size, __compar_d_fn_t compare, void *arg, uintptr_t pc)
{
	size_t bytes;
	void *copy;

	if (!watched() || __builtin_mul_overflow(n, size, &bytes) || !bytes) {
		real_qsort_r(array, n, size, compare, arg);
		return;
	}
	bool shared = range_is_shared(array, bytes);

	range_touch(array, bytes, MEM_READ, pc);
	copy = shared ? sys_mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) : NULL;
	if (!shared || sys_failed((long)copy)) {
		range_touch(array, bytes, MEM_WRITE, pc);
		real_qsort_r(array, n, size, compare, arg);
		return;
	}
	real_memcpy(copy, array, bytes);
	real_qsort_r(copy, n, size, compare, arg);
	range_put(array, copy, bytes, pc);
	sys_munmap(copy, bytes);
}

void qsort(void *array, size_t n, size_t size, __compar_fn_t compare)
{
	if (watched())
		sort(array, n, size, (__compar_d_fn_t)(void *)compare, NULL, CALLER);
	else
		real_qsort(array, n, size, compare);
}

void qsort_r(void *array, size_t n, size_t size, __compar_d_fn_t compare, void *arg)
{
	if (watched())
		sort(array, n, size, compare, arg, CALLER);
	else
		real_qsort_r(array, n, size, compare, arg);
}
