#include "cli/target/environment.h"

#include <stdlib.h>
#include <string.h>

#include "base/session.h"
#include "base/xalloc.h"

#define MALLOC_TUNABLE "glibc.malloc.arena_max=1"

/* Makes gcc's OpenMP sleep at once. By default it spins 300,000 times first, which takes as long under simul as hundreds of executions, and
   reaches no other interleaving. */
#define SLEEP_AT_ONCE "GOMP_SPINCOUNT=0"

/* A panic of Rust prints no stack. Reading debug information for it takes longer than the rest of the execution, and depends on addresses. The
   report has the stack. */
#define BACKTRACE "RUST_BACKTRACE="
#define NO_BACKTRACE BACKTRACE "0"

struct builder {
	char **env;
	uint32_t n;
	uint64_t bytes;
	uint32_t preload; /* index of LD_PRELOAD */
};

static void add_variable(struct builder *b, char *entry)
{
	b->env = xgrow(b->env, b->n, sizeof(*b->env));
	b->env[b->n++] = entry;
	b->bytes += strlen(entry) + 1;
}

static const char *env_value(char *const *env, const char *name)
{
	size_t n = strlen(name);

	for (; *env; env++)
		if (!strncmp(*env, name, n) && (*env)[n] == '=')
			return *env + n + 1;
	return NULL;
}

static bool is_ours(const char *entry)
{
	return !strncmp(entry, SESSION_ENV "=", sizeof(SESSION_ENV)) ||
	       !strncmp(entry, "LD_PRELOAD=", 11) || !strncmp(entry, "GLIBC_TUNABLES=", 15);
}

/* Adds a variable of the user's. */
static void add_theirs(struct builder *b, const char *entry)
{
	add_variable(b, xstrdup(strncmp(entry, BACKTRACE, strlen(BACKTRACE)) ? entry : NO_BACKTRACE));
}

static void add_ours(struct builder *b, char *const *env, const char *library)
{
	const char *preload = env_value(env, "LD_PRELOAD");
	const char *tunables = env_value(env, "GLIBC_TUNABLES");

	add_variable(b, xasprintf("%s=%d", SESSION_ENV, ENVIRONMENT_SESSION_FD));
	b->preload = b->n;
	add_variable(b, preload && *preload ? xasprintf("LD_PRELOAD=%s:%s", library, preload)
				   : xasprintf("LD_PRELOAD=%s", library));
	if (!env_value(env, "OMP_WAIT_POLICY") && !env_value(env, "GOMP_SPINCOUNT"))
		add_variable(b, xstrdup(SLEEP_AT_ONCE));
	add_variable(b, tunables && *tunables ? xasprintf("GLIBC_TUNABLES=%s:" MALLOC_TUNABLE, tunables)
				     : xstrdup("GLIBC_TUNABLES=" MALLOC_TUNABLE));
}

/* The dynamic linker ignores empty names in LD_PRELOAD. */
static void lengthen_preload(struct builder *b, uint64_t bytes)
{
	char **entry = &b->env[b->preload], *longer = xasprintf("%s%*s", *entry, (int)bytes, "");

	for (char *p = longer + strlen(*entry); *p; p++)
		*p = ':';
	free(*entry);
	*entry = longer;
	b->bytes += bytes;
}

/* Returns whether `entries` variables can take exactly `bytes`. Each takes at least one. */
static bool can_fill(int64_t entries, int64_t bytes)
{
	return entries > 0 ? bytes >= entries : entries == 0 && bytes == 0;
}

static bool fits(const struct builder *b, const char *entry, struct environment_size wanted)
{
	return !wanted.entries || can_fill((int64_t)wanted.entries - b->n - 1,
		(int64_t)wanted.bytes - (int64_t)b->bytes - (int64_t)strlen(entry) - 1);
}

/* Returns a variable that takes `bytes`, terminator included: "_=xxx", or a shorter one if there is less room. */
static char *filler(uint64_t bytes)
{
	char *text = xcalloc(bytes, 1);

	memset(text, 'x', bytes - 1);
	for (uint64_t i = 0; i < 2 && i + 1 < bytes; i++)
		text[i] = "_="[i];
	return text;
}

static void fill(struct builder *b, struct environment_size wanted)
{
	if (wanted.entries && b->n == wanted.entries && b->bytes < wanted.bytes)
		lengthen_preload(b, wanted.bytes - b->bytes);
	if (!wanted.entries || !can_fill((int64_t)wanted.entries - b->n, (int64_t)wanted.bytes - (int64_t)b->bytes))
		return;
	while (b->n < wanted.entries) {
		uint64_t left = wanted.bytes - b->bytes, entries = wanted.entries - b->n;

		add_variable(b, filler(entries == 1 ? left : left >= 3 * entries ? 3 : left / entries));
	}
}

char **environment_build(char *const *env, char *const *spare, const char *library,
	struct environment_size wanted)
{
	struct builder b = {NULL, 0, 0, 0};

	for (size_t i = 0; env[i]; i++)
		if (!is_ours(env[i]))
			add_theirs(&b, env[i]);
	add_ours(&b, env, library);
	for (size_t i = 0; spare && spare[i]; i++)
		if (!is_ours(spare[i]) && fits(&b, spare[i], wanted))
			add_theirs(&b, spare[i]);
	fill(&b, wanted);
	b.env = xgrow(b.env, b.n, sizeof(*b.env));
	b.env[b.n] = NULL;
	return b.env;
}

void environment_free(char **env)
{
	for (char **e = env; *e; e++)
		free(*e);
	free(env);
}

struct environment_size environment_size(char *const *env)
{
	struct environment_size s = {0, 0};

	for (; env[s.entries]; s.entries++)
		s.bytes += (uint32_t)strlen(env[s.entries]) + 1;
	return s;
}
