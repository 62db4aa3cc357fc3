#include "cli/nightly/stress/last_line.h"

#include <string.h>

#include "base/printable.h"
#include "base/xalloc.h"
#include "cli/base/say.h"

char *last_line(const char *text)
{
	const char *end, *from;
	char *line;

	if (!text)
		return xstrdup("");
	end = text + strlen(text);
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
