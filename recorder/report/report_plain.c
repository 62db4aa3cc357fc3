/* Plain text in columns: without control characters, padded, wrapped. */
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "recorder/report/report_internal.h"

void report_clean_text(const char *text, char *buf, size_t size)
{
	printable_into(text, PRINTABLE_LINE, buf, size);
}

void report_clean(FILE *out, const char *text)
{
	char *clean = printable(text, PRINTABLE_LINE);

	fputs(clean, out);
	free(clean);
}

static bool continues(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

unsigned report_width(const char *text)
{
	unsigned n = 0;

	for (; *text; text++)
		n += !continues(*text);
	return n;
}

void report_pad(FILE *out, const char *text, unsigned width)
{
	unsigned n = report_width(text);

	if (n <= width) {
		fprintf(out, "%s%*s", text, (int)(width - n), "");
		return;
	}
	for (unsigned k = 0; *text; text++) {
		k += !continues(*text);
		if (k >= width)
			break;
		fputc(*text, out);
	}
	fputs("…", out);
}

static unsigned word_width(const char *word, size_t n)
{
	unsigned width = 0;

	for (size_t i = 0; i < n; i++) {
		if (word[i] == '\033')
			while (i < n && word[i] != 'm')
				i++;
		else
			width += ((unsigned char)word[i] & 0xc0) != 0x80;
	}
	return width;
}

void report_wrapped(FILE *out, const char *text, unsigned width)
{
	unsigned column = 0;

	while (*text) {
		size_t n = strcspn(text, " \n");
		unsigned w = word_width(text, n);
		if (column > 4 && column + w > width) {
			fputs("\n      ", out);
			column = 6;
		}
		fwrite(text, 1, n, out);
		column += w;
		text += n;
		if (*text == '\n') {
			fputc('\n', out);
			column = 0;
			text++;
		} else if (*text) {
			/* the blank is printed only if the next word fits */
			size_t next = strcspn(text + 1, " \n");
			text++;
			if (column <= 4 || column + 1 + word_width(text, next) <= width) {
				fputc(' ', out);
				column++;
			} else {
				column = width;
			}
		}
	}
}
