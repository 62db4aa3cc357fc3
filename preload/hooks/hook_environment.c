/* getenv. The hooks note the name of each variable that the program finds. */
#include <stdlib.h>
#include <string.h>

#include "base/session.h"
#include "preload/control/ctl.h"
#include "preload/hooks/environment_reads.h"
#include "preload/base/real.h"
#include "preload/base/rules.h"

/* Holds the names until the session is mapped, because constructors of other libraries may run earlier. */
static struct session_reads early;

static bool is_noted(const struct session_reads *r, const char *name)
{
	for (const char *at = r->name; at < r->name + r->bytes; at += strlen(at) + 1)
		if (!strcmp(at, name))
			return true;
	return false;
}

static void note_read(const char *name)
{
	struct session_reads *r = ctl_session ? &ctl_session->reads : &early;
	size_t n = strlen(name) + 1;

	if (r->all || r->bytes > sizeof r->name || is_noted(r, name))
		return;
	if (n > sizeof r->name - r->bytes) {
		r->all = 1;
		return;
	}
	memcpy(r->name + r->bytes, name, n);
	r->bytes += (uint32_t)n;
}

void reads_all(void)
{
	(ctl_session ? &ctl_session->reads : &early)->all = 1;
}

void reads_begin(void)
{
	ctl_session->reads.all |= early.all;
	for (const char *at = early.name; at < early.name + early.bytes; at += strlen(at) + 1)
		note_read(at);
}

char *getenv(const char *name)
{
	char *value = real_getenv(name);

	if (value)
		note_read(name);
	return value;
}

char *secure_getenv(const char *name)
{
	char *value = real_secure_getenv(name);

	if (value)
		note_read(name);
	return value;
}
