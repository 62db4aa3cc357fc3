#include "preload/cooperative/label_text.h"

#include "base/session.h"
#include "preload/base/rules.h"

size_t label_add(char *text, size_t used, const char *more, size_t most)
{
	for (size_t i = 0; i < most && more[i] && used < SESSION_LABEL_TEXT - 1; i++)
		text[used++] = more[i];
	text[used] = 0;
	return used;
}

size_t label_add_number(char *text, size_t used, uint64_t n)
{
	char digits[24];
	size_t at = sizeof digits - 1;
	digits[at] = 0;
	do
		digits[--at] = (char)('0' + n % 10);
	while (n /= 10);
	return label_add(text, used, digits + at, SIZE_MAX);
}
