#include "cli/base/say.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"

bool say_line_open;

void say(const char *fmt, ...)
{
	char *text, *shown;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	va_end(ap);
	shown = printable(text ? text : "out of memory", PRINTABLE_LINES);
	fflush(stdout);
	if (say_line_open)
		fputs("\r\033[K", stderr);
	say_line_open = false;
	fprintf(stderr, "simul: %s\n", shown);
	free(shown);
	free(text);
}

void text_set(char *buf, size_t size, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf, size, fmt, ap);
	va_end(ap);
}

bool text_fail(char *buf, size_t size, const char *why)
{
	text_set(buf, size, "%s", why);
	return false;
}

void text_add(char *buf, size_t size, const char *fmt, ...)
{
	size_t used = strlen(buf);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf + used, size - used, fmt, ap);
	va_end(ap);
}
