/* The checksum and the strings of a recording, as they are written. base/scan.h reads strings. */
#include "base/hash.h"
#include "recorder/format/format.h"

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
