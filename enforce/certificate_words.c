/* See certificate_words.h. */
#include "enforce/certificate_words.h"

#include <stdlib.h>

uint64_t words_number(struct reader *r, uint64_t most)
{
	scan_blanks(&r->s);
	return scan_digits(&r->s, 10, most);
}

uint32_t words_ref(struct reader *r, char letter, uint64_t most)
{
	scan_blanks(&r->s);
	if (r->s.at >= r->s.line_end || *r->s.at != letter) {
		r->s.bad = true;
		return 0;
	}
	r->s.at++;
	return (uint32_t)scan_digits(&r->s, 10, most);
}

char *words_string(struct reader *r)
{
	char *text = NULL;

	if (!scan_take(&r->s, "-"))
		scan_text(&r->s, &text);
	return text;
}

const char *words_place(struct reader *r)
{
	size_t size;
	const char *plain = scan_plain(&r->s, &size), *place;

	if (plain)
		return certificate_place(r->c, plain, size);
	char *text = words_string(r);
	place = text ? certificate_place(r->c, text, strlen(text)) : NULL;
	free(text);
	return place;
}

/* Reads bytes on a stack, or thread-local bytes: "-0x40/4". */
static struct cert_range take_area(struct reader *r, uint32_t area)
{
	struct cert_range range = {.module = HEAP_MODULE};
	uint64_t down;

	r->s.bad |= !scan_mark(&r->s, "-0x");
	down = scan_digits(&r->s, 16, STACK_BYTES - 1);
	range.offset = STACK_TOP(area) - down;
	r->s.bad |= !scan_mark(&r->s, "/") || !down;
	range.size = (uint32_t)scan_digits(&r->s, 10, down);
	return range;
}

static uint32_t thread_number(struct reader *r)
{
	if (r->c->n_threads)
		return (uint32_t)scan_digits(&r->s, 10, r->c->n_threads - 1);
	r->s.bad = true;
	return 0;
}

struct cert_range words_range(struct reader *r, bool may_miss)
{
	struct cert_range range = {.module = NO_MODULE};

	if (may_miss && scan_take(&r->s, "-"))
		return range;
	scan_blanks(&r->s);
	if (may_miss && scan_mark(&r->s, "files")) {
		range.module = FILES_MODULE;
		return range;
	}
	if (scan_mark(&r->s, "tls"))
		return take_area(r, TLS_FIRST + thread_number(r));
	if (scan_mark(&r->s, "t"))
		return take_area(r, thread_number(r));
	if (scan_mark(&r->s, "heap"))
		range.module = HEAP_MODULE;
	else
		range.module = r->c->n_modules ? words_ref(r, 'm', r->c->n_modules - 1) : (r->s.bad = true, 0);
	r->s.bad |= !scan_mark(&r->s, "+0x");
	range.offset = scan_digits(&r->s, 16, UINT64_C(1) << 46);
	r->s.bad |= !scan_mark(&r->s, "/");
	range.size = (uint32_t)scan_digits(&r->s, 10, UINT32_C(1) << 30);
	return range;
}
