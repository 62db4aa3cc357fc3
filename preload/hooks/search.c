/* Searches that report what they read; see search.h. */
#include "preload/hooks/search.h"

#include <string.h>

#include "preload/accesses/ranges.h"
#include "preload/base/real.h"
#include "preload/base/rules.h"

/* Returns the index of the first c, or, with `string`, of the first 0; n when there is neither. */
static size_t look_for(const char *p, int c, size_t n, bool string)
{
	const char *stop;
	size_t k = 0;

	if (n == SIZE_MAX)
		return (size_t)((string ? real_strchrnul(p, c) : (const char *)real_rawmemchr(p, c)) - p);
	if (!string) {
		stop = real_memchr(p, c, n);
		return stop ? (size_t)(stop - p) : n;
	}
	while (k < n && p[k] && p[k] != (char)c)
		k++;
	return k;
}

size_t search_byte(const char *p, int c, size_t n, bool string, uintptr_t pc)
{
	size_t quiet = range_quiet(p, n), k = look_for(p, c, quiet, string), noted = k < n ? k + 1 : n;
	bool found = k < quiet && p[k] == (char)c;

	if (range_peeked(p, noted, pc)) {
		struct reader r = range_reader(p, n, pc);

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

void *search_found(const void *p, size_t k, size_t n)
{
	return k < n ? (char *)(uintptr_t)p + k : NULL;
}

/* Returns whether a search for bytes of the set (inside), or for others, continues after c. */
static bool goes_on(char c, const char *set, bool inside)
{
	return c && (real_strchr(set, c) != NULL) == inside;
}

size_t search_span(const char *s, const char *set, bool inside, char *end, uintptr_t pc)
{
	size_t quiet = range_quiet(s, SIZE_MAX), k = 0;
	char c = 1;

	if (quiet == SIZE_MAX)
		k = inside ? real_strspn(s, set) : real_strcspn(s, set);
	else
		while (k < quiet && goes_on(s[k], set, inside))
			k++;
	if (range_peeked(s, k + 1, pc)) {
		struct reader r = range_reader(s, SIZE_MAX, pc);

		for (k = 0; goes_on(c = (char)reader_byte(&r, k), set, inside); k++)
			;
	} else {
		c = s[k];
	}
	if (end)
		*end = c;
	return k;
}
