#include "preload/unseen.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "preload/rules.h"

#define MOST 128      /* of more the first ones are known */
#define PATH_BYTES 256

static struct library {
	uint64_t lo, hi;
	char path[PATH_BYTES];
} library[MOST];
static unsigned libraries;

/* What they let threads wait for is memory of the program's own inlined code, or libc's, whose calls have hooks. */
static bool is_runtime(const char *path)
{
	static const char *const names[] = { "libc.so", "libc-", "ld-linux", "libpthread", "libstdc++.so", "libc++.so", "libc++abi.so", "libgcc_s.so",
		"linux-vdso.so" };
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
		if (!strncmp(base, names[i], strlen(names[i])))
			return true;
	return false;
}

void unseen_add(const char *path, uint64_t lo, uint64_t hi)
{
	unsigned i = 0;
	while (i < libraries && (library[i].lo != lo || library[i].hi != hi))
		i++;
	if (is_runtime(path) || i == MOST)
		return;
	libraries += i == libraries;
	library[i].lo = lo;
	library[i].hi = hi;
	snprintf(library[i].path, sizeof library[i].path, "%s", path);
}

const char *unseen_at(uint64_t pc)
{
	for (unsigned i = libraries; i-- > 0;)
		if (pc >= library[i].lo && pc < library[i].hi)
			return library[i].path;
	return NULL;
}
