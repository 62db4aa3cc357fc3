#include "cli/base/say.h"

#include <stdarg.h>
#include <string.h>

bool say_line_open;

void say(const char *fmt, ...)
{
	va_list ap;

	fflush(stdout);
	if (say_line_open)
		fputs("\r\033[K", stderr);
	say_line_open = false;
	fputs("simul: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

void text_set(char *buf, size_t size, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf, size, fmt, ap);
	va_end(ap);
}

void text_add(char *buf, size_t size, const char *fmt, ...)
{
	size_t used = strlen(buf);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf + used, size - used, fmt, ap);
	va_end(ap);
}

/* Bytes at s that are one character a terminal may obey, or that turns text around; 0: it is harmless. Bytes that are no UTF-8 count: 0x9b alone begins an
   escape sequence. */
static size_t harmful(const unsigned char *s, bool lines)
{
	size_t n = *s < 0x80 ? 1 : *s >= 0xc2 && *s < 0xe0 ? 2 : *s >= 0xe0 && *s < 0xf0 ? 3 : *s >= 0xf0 && *s < 0xf5 ? 4 : 0;

	if (n == 1)
		return (*s < 32 && !(lines && (*s == '\n' || *s == '\t'))) || *s == 127;
	for (size_t i = 1; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 1;
	if (!n)
		return 1;
	if (n == 2)
		return *s == 0xc2 && s[1] < 0xa0 ? 2 : 0; /* U+0080 to U+009F */
	if (n == 3 && s[0] == 0xe2 && s[1] == 0x80)
		return s[2] == 0x8e || s[2] == 0x8f || (s[2] >= 0xa8 && s[2] <= 0xae) ? 3 : 0; /* U+200E, U+200F, U+2028 to U+202E */
	return n == 3 && s[0] == 0xe2 && s[1] == 0x81 && s[2] >= 0xa6 && s[2] <= 0xa9 ? 3 : 0; /* U+2066 to U+2069 */
}

static void replace_harmful(char *text, bool lines)
{
	for (unsigned char *s = (unsigned char *)text; *s;) {
		size_t n = harmful(s, lines);

		memset(s, '?', n);
		if (!n) /* one character that is all right */
			n = *s < 0x80 ? 1 : *s < 0xe0 ? 2 : *s < 0xf0 ? 3 : 4;
		s += n;
	}
}

void make_printable(char *s)
{
	replace_harmful(s, false);
}

void make_printable_lines(char *s)
{
	replace_harmful(s, true);
}
