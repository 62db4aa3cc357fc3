#include "cli/say.h"

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

void make_printable(char *s)
{
	for (; *s; s++)
		if ((unsigned char)*s < 32 || *s == 127)
			*s = '?';
}
