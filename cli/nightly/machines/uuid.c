#include "cli/nightly/machines/uuid.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "base/units.h"
#include "base/xalloc.h"

void uuid_random(char id[UUID])
{
	unsigned char r[16];

	INVARIANT(getrandom(r, sizeof(r), 0) == (ssize_t)sizeof(r), "getrandom failed");
	r[6] = (unsigned char)((r[6] & 0x0f) | 0x40);
	r[8] = (unsigned char)((r[8] & 0x3f) | 0x80);
	snprintf(id, UUID, "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7],
		r[8], r[9], r[10], r[11], r[12], r[13], r[14], r[15]);
}

void uuid_take(char id[UUID], const char *text, size_t size)
{
	bool ok = text && size == UUID - 1;

	for (size_t i = 0; ok && i < size; i++)
		ok = i == 8 || i == 13 || i == 18 || i == 23 ? text[i] == '-' : isxdigit((unsigned char)text[i]);
	memcpy(id, ok ? text : "", ok ? size : 1);
	id[ok ? size : 0] = 0;
}
