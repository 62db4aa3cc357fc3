#include "cli/nightly/stress/last_line.h"

#include <string.h>

#include "base/printable.h"
#include "base/xalloc.h"
#include "cli/base/say.h"

/* Returns the last line of text[0..end-text), without blanks at its end. malloc()ed. */
static char *line_before(const char *text, const char *end)
{
	const char *from;
	char *line;

	while (end > text && strchr("\r\n\t ", end[-1]))
		end--;
	for (from = end; from > text && from[-1] != '\n';)
		from--;
	if (!strncmp(from, "simul: ", 7))
		from += 7;
	line = xasprintf("%.*s", (int)(end > from ? end - from : 0), from);
	printable_replace(&line, PRINTABLE_LINE);
	return line;
}

char *last_line(const char *text)
{
	return text ? line_before(text, text + strlen(text)) : xstrdup("");
}

char *error_line(const char *text)
{
	const char *at = text ? strstr(text, "error:") : NULL;

	return at ? line_before(text, at + strcspn(at, "\n")) : last_line(text);
}
