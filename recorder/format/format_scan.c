/* The lexical level of the `.simul` format: escaping, and a cursor that never leaves the text. */
#include "base/hash.h"
#include "recorder/format/format.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

uint64_t format_checksum(const char *data, size_t size)
{
	return hash_bytes(HASH_START, data, size);
}

/* Returns the length of the valid UTF-8 sequence of several bytes at p, or 0 if there is none or it encodes a control character. */
static size_t utf8_length(const unsigned char *p)
{
	size_t n = p[0] >= 0xc2 && p[0] < 0xe0 ? 2 : p[0] >= 0xe0 && p[0] < 0xf0 ? 3 :
		p[0] >= 0xf0 && p[0] < 0xf5 ? 4 : 0;

	for (size_t i = 1; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	if ((p[0] == 0xc2 && p[1] < 0xa0) || (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] >= 0xa0) ||
		(p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] >= 0x90))
		return 0;
	return n;
}

static void put_escaped(FILE *out, unsigned char c)
{
	switch (c) {
	case '\n':
		fputs("\\n", out);
		break;
	case '\t':
		fputs("\\t", out);
		break;
	case '"':
	case '\\':
		fprintf(out, "\\%c", c);
		break;
	default:
		if (c < 0x20 || c >= 0x7f)
			fprintf(out, "\\x%02x", c);
		else
			fputc(c, out);
	}
}

void format_put_string(FILE *out, const char *text)
{
	const unsigned char *p = (const unsigned char *)text;

	if (!text) {
		fputc('-', out);
		return;
	}
	fputc('"', out);
	while (*p) {
		size_t n = utf8_length(p);
		if (n) {
			fwrite(p, 1, n, out);
			p += n;
		} else {
			put_escaped(out, *p++);
		}
	}
	fputc('"', out);
}

bool scan_fail(struct scan *s, const char *fmt, ...)
{
	va_list ap;

	if (s->problem[0])
		return false;
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

static void skip_blanks(struct scan *s)
{
	while (s->at < s->line_end && *s->at == ' ')
		s->at++;
}

bool scan_word(struct scan *s, char *buf, size_t size)
{
	size_t n = 0;

	skip_blanks(s);
	while (s->at < s->line_end && *s->at != ' ') {
		if (n + 1 >= size || *s->at == '"' || *s->at == '\0')
			return scan_fail(s, "a word is too long or has an invalid character");
		buf[n++] = *s->at++;
	}
	buf[n] = '\0';
	return n ? true : scan_fail(s, "the line ends too early");
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

/* Reads the escape sequence after a backslash. Returns -1 when it is invalid. */
static int read_escape(struct scan *s)
{
	int high, low;

	if (s->at >= s->line_end)
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
		high = hex_digit(s->at[0]);
		low = hex_digit(s->at[1]);
		s->at += 2;
		return high < 0 || low < 0 || high + low == 0 ? -1 : high * 16 + low;
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
		if (c < 0x20)
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

bool scan_string(struct scan *s, char **out)
{
	char *buf;

	*out = NULL;
	skip_blanks(s);
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

	skip_blanks(s);
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

bool scan_more(struct scan *s)
{
	skip_blanks(s);
	return s->at < s->line_end && *s->at != ';';
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
