/* See certificate_words.h. */
#include "enforce/certificate_words.h"

#include "base/xalloc.h"

void words_skip(struct reader *r)
{
	while (r->p < r->end && *r->p == ' ')
		r->p++;
}

bool words_end(struct reader *r)
{
	words_skip(r);
	return r->p == r->end;
}

bool words_take(struct reader *r, const char *word)
{
	size_t n = strlen(word);

	words_skip(r);
	if ((size_t)(r->end - r->p) < n || memcmp(r->p, word, n) || (r->p + n < r->end && r->p[n] != ' '))
		return false;
	r->p += n;
	return true;
}

const char *words_next(struct reader *r, char *buf, size_t size)
{
	size_t n = 0;

	words_skip(r);
	while (r->p + n < r->end && r->p[n] != ' ')
		n++;
	if (!n || n >= size)
		r->bad = true;
	else
		memcpy(buf, r->p, n);
	buf[r->bad ? 0 : n] = 0;
	r->p += n;
	return buf;
}

static bool digit(char ch, unsigned base, unsigned *value)
{
	*value = ch >= '0' && ch <= '9' ? (unsigned)(ch - '0') : ch >= 'a' && ch <= 'f' ? (unsigned)(ch - 'a') + 10 : 99;
	return *value < base;
}

uint64_t words_digits(struct reader *r, unsigned base, uint64_t most)
{
	uint64_t v = 0;
	unsigned d, n = 0;

	for (; r->p < r->end && digit(*r->p, base, &d); r->p++, n++)
		if (__builtin_mul_overflow(v, base, &v) || __builtin_add_overflow(v, d, &v)) {
			r->bad = true;
			return 0;
		}
	if (!n || v > most)
		r->bad = true;
	return r->bad ? 0 : v;
}

uint64_t words_number(struct reader *r, uint64_t most)
{
	words_skip(r);
	return words_digits(r, 10, most);
}

uint32_t words_ref(struct reader *r, char letter, uint64_t most)
{
	words_skip(r);
	if (r->p >= r->end || *r->p != letter) {
		r->bad = true;
		return 0;
	}
	r->p++;
	return (uint32_t)words_digits(r, 10, most);
}

char *words_string(struct reader *r)
{
	char *text;
	size_t n = 0;
	unsigned hi, lo;

	if (words_take(r, "-"))
		return NULL;
	words_skip(r);
	if (r->p >= r->end || *r->p != '"') {
		r->bad = true;
		return NULL;
	}
	text = xcalloc((size_t)(r->end - r->p) + 1, 1);
	for (r->p++; r->p < r->end && *r->p != '"'; r->p++) {
		unsigned char ch = (unsigned char)*r->p;

		if (ch == '\\') {
			if (r->end - r->p < 4 || r->p[1] != 'x' || !digit(r->p[2], 16, &hi) || !digit(r->p[3], 16, &lo) || !(hi | lo)) {
				r->bad = true;
				break;
			}
			ch = (unsigned char)(hi << 4 | lo);
			r->p += 3;
		}
		text[n++] = (char)ch;
	}
	if (r->p >= r->end || *r->p != '"') {
		r->bad = true;
		free(text);
		return NULL;
	}
	r->p++;
	return text;
}

/* Reads bytes on a stack, or thread-local bytes: "-0x40/4". */
static struct cert_range take_area(struct reader *r, uint32_t area)
{
	struct cert_range range = {.module = HEAP_MODULE};
	uint64_t down;

	if (r->bad || r->end - r->p < 3 || memcmp(r->p, "-0x", 3)) {
		r->bad = true;
		return range;
	}
	r->p += 3;
	down = words_digits(r, 16, STACK_BYTES - 1);
	range.offset = STACK_TOP(area) - down;
	if (r->p >= r->end || *r->p != '/') {
		r->bad = true;
		return range;
	}
	r->p++;
	range.size = (uint32_t)words_digits(r, 10, down);
	r->bad |= !down;
	return range;
}

static uint32_t thread_ref(struct reader *r, char letter)
{
	if (r->c->n_threads)
		return words_ref(r, letter, r->c->n_threads - 1);
	r->bad = true;
	return 0;
}

struct cert_range words_range(struct reader *r, bool may_miss)
{
	struct cert_range range = {.module = NO_MODULE};

	if (may_miss && words_take(r, "-"))
		return range;
	words_skip(r);
	if (r->end - r->p > 3 && !memcmp(r->p, "tls", 3)) {
		r->p += 2;
		return take_area(r, TLS_FIRST + thread_ref(r, 's'));
	}
	if (r->p < r->end && *r->p == 't')
		return take_area(r, thread_ref(r, 't'));
	if (r->end - r->p > 4 && !memcmp(r->p, "heap", 4)) {
		range.module = HEAP_MODULE;
		r->p += 4;
	} else {
		range.module = r->c->n_modules ? words_ref(r, 'm', r->c->n_modules - 1) : (r->bad = true, 0);
	}
	if (r->bad || r->end - r->p < 3 || memcmp(r->p, "+0x", 3)) {
		r->bad = true;
		return range;
	}
	r->p += 3;
	range.offset = words_digits(r, 16, UINT64_C(1) << 46);
	if (r->p >= r->end || *r->p != '/') {
		r->bad = true;
		return range;
	}
	r->p++;
	range.size = (uint32_t)words_digits(r, 10, UINT32_C(1) << 30);
	return range;
}
