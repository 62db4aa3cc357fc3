#include "base/printable.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

#define LONGEST 11 /* "\u{10ffff}" and the terminator */
#define NO_UTF8 (~0ul)

/* Returns the character at s, which must not be the end of the text, and sets *bytes to its length. NO_UTF8: no character begins there, and
   the length is 1. */
static unsigned long decode(const unsigned char *s, size_t *bytes)
{
	static const unsigned long least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t n = *s < 0x80 ? 1 : *s < 0xc0 ? 0 : *s < 0xe0 ? 2 : *s < 0xf0 ? 3 : *s < 0xf8 ? 4 : 0;
	unsigned long c = n == 1 ? *s : n ? *s & (0x7fu >> n) : 0;

	*bytes = 1;
	if (!n)
		return NO_UTF8;
	for (size_t i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return NO_UTF8;
		c = c << 6 | (s[i] & 0x3f);
	}
	if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return NO_UTF8;
	*bytes = n;
	return c;
}

bool printable_is_harmful(unsigned long c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xad || c == 0x61c || c == 0x180e || c == 0x200b || c == 0x200e || c == 0x200f ||
	       (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff || (c >= 0xfff9 && c <= 0xfffb) || (c & 0xfffe) == 0xfffe ||
	       (c >= 0xe0000 && c <= 0xe0fff);
}

/* Writes how the character at s is shown, terminated, to `shown`, and sets *bytes to its length in s. */
static void show(const unsigned char *s, enum printable how, char shown[LONGEST], size_t *bytes)
{
	unsigned long c = decode(s, bytes);

	if (c == NO_UTF8)
		snprintf(shown, LONGEST, "\\x%02x", *s);
	else if (c == '\t' || (c == '\n' && how == PRINTABLE_LINES))
		snprintf(shown, LONGEST, "%c", how == PRINTABLE_LINES ? (char)c : ' ');
	else if (c == '\n')
		snprintf(shown, LONGEST, "\\n");
	else if (!printable_is_harmful(c))
		snprintf(shown, LONGEST, "%.*s", (int)*bytes, (const char *)s);
	else
		snprintf(shown, LONGEST, c < 0x100 ? "\\x%02lx" : c < 0x10000 ? "\\u%04lx" : "\\u{%lx}", c);
}

void printable_into(const char *text, enum printable how, char *buf, size_t size)
{
	size_t n = 0, bytes, length;

	for (const unsigned char *s = (const unsigned char *)text; *s; s += bytes) {
		char shown[LONGEST];

		if (*s >= 0x20 && *s < 0x7f) { /* most of them */
			bytes = length = 1;
			shown[0] = (char)*s;
		} else {
			show(s, how, shown, &bytes);
			length = strlen(shown);
		}
		if (n + length >= size)
			break;
		memcpy(buf + n, shown, length);
		n += length;
	}
	buf[n] = '\0';
}

char *printable(const char *text, enum printable how)
{
	size_t size;
	char *buf;

	if (!text)
		return NULL;
	size = strlen(text) * 4 + 1; /* no byte becomes more than four; a character of three or four becomes fewer for each */
	buf = xcalloc(size, 1);
	printable_into(text, how, buf, size);
	return buf;
}

void printable_in_place(char *buf, size_t size, enum printable how)
{
	char *copy = xstrdup(buf);

	printable_into(copy, how, buf, size);
	free(copy);
}

void printable_replace(char **text, enum printable how)
{
	char *made = printable(*text, how);

	free(*text);
	*text = made;
}

/* ---- the stream ---- */

struct filter {
	FILE *out;
	char *text;
	size_t n;
};

static ssize_t take(void *cookie, const char *data, size_t size)
{
	struct filter *f = cookie;

	f->text = xgrow_text(f->text, f->n, size + 1);
	for (size_t i = 0; i < size; i++)
		f->text[f->n++] = data[i] ? data[i] : '?';
	f->text[f->n] = '\0';
	return (ssize_t)size;
}

static int give(void *cookie)
{
	struct filter *f = cookie;
	char *text = printable(f->text, PRINTABLE_LINES);

	if (text)
		fputs(text, f->out);
	free(text);
	free(f->text);
	free(f);
	return 0;
}

FILE *printable_stream(FILE *out)
{
	struct filter *f = xcalloc(1, sizeof(*f));
	FILE *stream;

	f->out = out;
	stream = fopencookie(f, "w", (cookie_io_functions_t){ .write = take, .close = give });
	INVARIANT(stream, "out of memory");
	return stream;
}
