/* See scan.h. */
#include "base/scan.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

bool scan_fail(struct scan *s, const char *fmt, ...)
{
	va_list ap;

	if (s->bad)
		return false;
	s->bad = true;
	va_start(ap, fmt);
	vsnprintf(s->problem, sizeof(s->problem), fmt, ap);
	va_end(ap);
	return false;
}

bool scan_line(struct scan *s)
{
	while (s->line_end < s->end) {
		/* line_end is at a newline, or at the start of the text */
		s->at = s->line ? s->line_end + 1 : s->line_end;
		if (s->at >= s->end)
			return false;
		s->line++;
		s->line_end = memchr(s->at, '\n', (size_t)(s->end - s->at));
		if (!s->line_end)
			s->line_end = s->end;
		if (s->at < s->line_end && *s->at != '#')
			return true;
	}
	return false;
}

bool scan_word(struct scan *s, char *buf, size_t size)
{
	size_t n = 0;

	scan_blanks(s);
	while (s->at < s->line_end && *s->at != ' ' && n + 1 < size && (*s->at != '"' || s->raw) && *s->at)
		buf[n++] = *s->at++;
	buf[n] = '\0';
	if (s->at < s->line_end && *s->at != ' ')
		return scan_fail(s, "a word is too long or has an invalid character");
	return n ? true : scan_fail(s, "the line ends too early");
}

/* ---- digits ---- */

/* Returns the value of the digit; 99: it is none. */
static unsigned digit(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned)(c - '0');
	return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : 99;
}

uint64_t scan_digits(struct scan *s, unsigned base, uint64_t most)
{
	const char *from = s->at;
	bool over = false;
	uint64_t v = 0;

	for (; s->at < s->line_end && digit(*s->at) < base; s->at++)
		over |= __builtin_mul_overflow(v, base, &v) || __builtin_add_overflow(v, digit(*s->at), &v);
	if (s->at == from || over || v > most)
		scan_fail(s, "a number is missing or out of range");
	return s->bad ? 0 : v;
}

/* ---- strings ---- */

/* Reads the escape sequence after a backslash. Returns -1 when it is invalid. */
static int read_escape(struct scan *s)
{
	unsigned high, low;

	if (s->at >= s->line_end || (s->raw && *s->at != 'x'))
		return -1;
	switch (*s->at++) {
	case 'n':
		return '\n';
	case 't':
		return '\t';
	case '"':
		return '"';
	case '\\':
		return '\\';
	case 'x':
		if (s->line_end - s->at < 2)
			return -1;
		high = digit(s->at[0]);
		low = digit(s->at[1]);
		s->at += 2;
		return high > 15 || low > 15 || high + low == 0 ? -1 : (int)(high * 16 + low);
	default:
		return -1;
	}
}

/* Reads up to the closing quote into buf, which has room for the rest of the line. */
static bool read_quoted(struct scan *s, char *buf)
{
	size_t n = 0;

	while (s->at < s->line_end && *s->at != '"') {
		int c = (unsigned char)*s->at++;
		if (c < 0x20 && !s->raw)
			return scan_fail(s, "a string holds a control character");
		if (c == '\\')
			c = read_escape(s);
		if (c < 0)
			return scan_fail(s, "a string holds an unknown escape");
		buf[n++] = (char)c;
	}
	buf[n] = '\0';
	if (s->at >= s->line_end)
		return scan_fail(s, "a string has no closing quote");
	s->at++;
	return true;
}

const char *scan_plain(struct scan *s, size_t *n)
{
	scan_blanks(s);
	if (s->at >= s->line_end || *s->at != '"')
		return NULL;
	const char *from = s->at + 1, *p = from;
	while (p < s->line_end && *p != '"' && *p != '\\' && (unsigned char)*p >= 0x20)
		p++;
	if (p >= s->line_end || *p != '"')
		return NULL;
	s->at = p + 1;
	*n = (size_t)(p - from);
	return from;
}

bool scan_string(struct scan *s, char **out)
{
	char *buf;

	*out = NULL;
	scan_blanks(s);
	if (s->at < s->line_end && *s->at == '-') {
		s->at++;
		return true;
	}
	if (s->at >= s->line_end || *s->at != '"')
		return scan_fail(s, "a quoted string is missing");
	s->at++;
	buf = xcalloc((size_t)(s->line_end - s->at) + 1, 1);
	if (!read_quoted(s, buf)) {
		free(buf);
		return false;
	}
	*out = xstrdup(buf); /* copied to release the unused room */
	free(buf);
	return true;
}

bool scan_text(struct scan *s, char **out)
{
	return scan_string(s, out) && (*out || scan_fail(s, "a string is missing"));
}

/* ---- words ---- */

bool scan_u64(struct scan *s, uint64_t max, uint64_t *out)
{
	char buf[24], *end;

	if (!scan_word(s, buf, sizeof(buf)))
		return false;
	errno = 0;
	*out = strtoull(buf, &end, strncmp(buf, "0x", 2) == 0 ? 16 : 10);
	if (*end || errno || buf[0] < '0' || buf[0] > '9')
		return scan_fail(s, "\"%s\" is not a number", buf);
	if (*out > max)
		return scan_fail(s, "the number %s is out of range", buf);
	return true;
}

bool scan_i32(struct scan *s, int32_t *out)
{
	uint64_t v;

	scan_blanks(s);
	if (s->at < s->line_end && *s->at == '-') {
		s->at++;
		if (!scan_u64(s, UINT64_C(0x80000000), &v))
			return false;
		*out = (int32_t)(-(int64_t)v);
		return true;
	}
	if (!scan_u64(s, INT32_MAX, &v))
		return false;
	*out = (int32_t)v;
	return true;
}

bool scan_end(struct scan *s)
{
	scan_blanks(s);
	return s->at == s->line_end;
}

bool scan_more(struct scan *s)
{
	return !scan_end(s) && *s->at != ';';
}

bool scan_done(struct scan *s)
{
	return !scan_more(s) || scan_fail(s, "the line has extra text at its end");
}

bool scan_u32(struct scan *s, uint32_t *out)
{
	uint64_t v;

	if (!scan_u64(s, UINT32_MAX, &v))
		return false;
	*out = (uint32_t)v;
	return true;
}

bool scan_ref(struct scan *s, char letter, uint64_t *out)
{
	char buf[24], *end;

	*out = 0;
	if (!scan_word(s, buf, sizeof(buf)))
		return false;
	if (strcmp(buf, "-") == 0)
		return true;
	if (buf[0] == letter && isdigit((unsigned char)buf[1]))
		*out = strtoull(buf + 1, &end, 10);
	if (*out == 0 || *out > UINT32_MAX || *end)
		return scan_fail(s, "\"%s\" is not a reference", buf);
	return true;
}

bool scan_name(struct scan *s, int (*parse)(const char *), const char *what, int *out)
{
	char buf[64];

	if (!scan_word(s, buf, sizeof(buf)))
		return false;
	*out = parse(buf);
	return *out >= 0 || scan_fail(s, "\"%s\" is not %s", buf, what);
}
