/* Searches that report what they read; see search.h. */
#include "preload/hooks/search.h"

#include <string.h>

#include "preload/accesses/ranges.h"
#include "preload/base/real.h"
#include "preload/base/rules.h"

size_t search_byte(const char *p, int c, size_t n, bool string, uintptr_t pc)
{
	const char *stop = string ? real_strchrnul(p, c) : n == SIZE_MAX ? real_rawmemchr(p, c) : real_memchr(p, c, n);
	size_t k = stop ? (size_t)(stop - p) : n;
	size_t noted = k < n ? k + 1 : n;
	bool found = k < n && p[k] == (char)c;
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

size_t search_span(const char *s, const char *set, bool inside, uintptr_t pc)
{
	size_t k = inside ? real_strspn(s, set) : real_strcspn(s, set);

	if (!range_peeked(s, k + 1, pc))
		return k;
	struct reader r = range_reader(s, SIZE_MAX, pc);

	for (k = 0;; k++) {
		char c = (char)reader_byte(&r, k);

		if (!c || (real_strchr(set, c) != NULL) != inside)
			return k;
	}
}
