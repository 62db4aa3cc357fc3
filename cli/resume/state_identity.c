#include "cli/resume/state_identity.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/base_name.h"
#include "base/hash.h"
#include "base/lock_owners.h"
#include "cli/collect/collect.h"
#include "cli/verdict/sampling.h"
#include "cli/base/proc_text.h"
#include "cli/base/say.h"
#include "cli/collect/kept_env.h"
#include "cli/options/run_options.h"
#include "cli/supervise/search.h"
#include "recorder/secrets.h"
#include "recorder/symbols/symbols.h"
#include "base/xalloc.h"
#include "replay/confirm.h"

#define LIBRARY "library "       /* prefix of names: a library's path follows */
#define ENVIRONMENT "variable "  /* prefix of names: a variable's name follows */
#define NEXT_VALUE(name) ((name) + strlen(name) + 1)
#define NEXT_NAME(value) ((value) + strlen(value) + 1)

/* ---- making ---- */

static void add_value(FILE *f, const char *name, const char *value)
{
	fwrite(name, 1, strlen(name) + 1, f);
	fwrite(value, 1, strlen(value) + 1, f);
}

static void add_number(FILE *f, const char *name, uint64_t n)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, n);
	add_value(f, name, text);
}

static void add_choice(FILE *f, const char *name, const char *const *names, uint32_t k)
{
	add_value(f, name, names[k]);
}

static void add_id(FILE *f, const char *name, const char *path)
{
	char *id = elf_build_id(path);

	add_value(f, name, id ? id : "unreadable");
	free(id);
}

/* The program's own name counts too, since it is on the first stack. Secrets are masked. */
static void add_arguments(FILE *f, char *const *argv)
{
	char *text = NULL, **masked = secret_masked_arguments(argv);
	size_t size;
	FILE *words = open_memstream(&text, &size);

	INVARIANT(words, "out of memory");
	for (char **a = masked; *a; a++)
		fprintf(words, strpbrk(*a, " '") || !**a ? "%s'%s'" : "%s%s", a == masked ? "" : " ", *a);
	INVARIANT(fclose(words) == 0, "out of memory");
	add_value(f, "the command line", text);
	free(text);
	secret_free_list(masked);
}

/* Describes the program's input by its bytes, not by its source. */
static void add_input(FILE *f, const struct capture *c)
{
	uint64_t n, h = capture_input_hash(c, &n);
	char text[64] = "empty";

	if (n)
		snprintf(text, sizeof(text), "%" PRIu64 " bytes (%016" PRIx64 ")", n, h);
	add_value(f, "the standard input", text);
}

/* Describes the settings that an option sets to a value. */
static void add_settings(FILE *f, const struct settings *settings)
{
	char text[32], name[64];

	for (unsigned i = 0; i < SETTINGS; i++) {
		const struct setting *s = &settings_table[i];

		setting_text(settings, s, text, sizeof(text));
		if (run_option_of(s) && (s->kind != SETTING_TIME || setting_get(settings, s))) { /* without a time the option was not given */
			snprintf(name, sizeof(name), "--%s", run_option_of(s));
			add_value(f, name, text);
		}
	}
}

static void add_options(FILE *f, const struct search *search)
{
	static const char *const flags[] = {"not given", "given"};
	static const char *const certifying[] = {"not used", "used", "used with --keep-going"};
	const struct run_options *o = &search->opt;
	char text[32];

	add_value(f, "--strategy", explore_strategy_name(o->strategy));
	add_settings(f, &o->settings);
	add_choice(f, "--isolation", choices_isolation, o->isolation);
	if (o->preemptions != NO_BOUND)
		add_number(f, "--preemptions", o->preemptions);
	add_number(f, "--depth", sampling_depth(o));
	add_number(f, "--shuffle", o->shuffle);
	add_choice(f, "--own-locks", choices_own_locks, o->own_locks);
	snprintf(text, sizeof(text), "%.9gs", (double)o->hang_ns / (double)NS_PER_S);
	add_value(f, "--hang-timeout", text);
	snprintf(text, sizeof(text), o->memory % 1048576 ? "%" PRIu64 : "%" PRIu64 "M", o->memory % 1048576 ? o->memory : o->memory >> 20);
	add_value(f, "--memory", text);
	add_choice(f, "simul certify", certifying, !o->certificate ? 0 : 1 + o->keep_going);
	if (search->from) {
		snprintf(text, sizeof(text), "the schedule %016" PRIx64, hash_bytes(HASH_START, search->from->step, search->from->n * sizeof(*search->from->step)));
		add_value(f, "--from", text);
	} else {
		add_value(f, "--from", "not given");
	}
	add_choice(f, "--no-memory-check", flags, !o->settings.memory_check);
	add_choice(f, "--no-patch", flags, o->no_patch);
	add_choice(f, "--sections", flags, o->sections);
	for (size_t i = 0; i < o->patch.n; i++)
		add_value(f, "--patch", o->patch.value[i]);
	add_value(f, "--patch", "");
}

static void add_surroundings(FILE *f, const struct target *t)
{
	struct environment_size size = target_environment(t);
	struct rlimit limit = {0, 0};

	getrlimit(RLIMIT_STACK, &limit);
	add_number(f, "stack limit", t->stack_limit ? t->stack_limit : limit.rlim_cur);
	add_value(f, "inherited descriptors", t->inherited);
	add_number(f, "environment entries", size.entries);
	add_number(f, "environment bytes", size.bytes);
	for (char **e = t->env; *e; e++) {
		size_t n = strcspn(*e, "=");
		char *name;

		if (!kept_env_matters(*e))
			continue;
		name = xasprintf(ENVIRONMENT "%.*s", (int)n, *e);
		add_value(f, name, *e + n + 1);
		free(name);
	}
}

/* ---- files ---- */

static void add_libraries(FILE *f, const struct target *t, const char *maps)
{
	struct mapping m;
	char last[sizeof(m.path)] = "";

	while (proc_text_mapping(&maps, &m)) {
		char *name;

		if (!m.code || m.path[0] != '/' || !strcmp(m.path, last) || !strcmp(m.path, t->library) || !strcmp(m.path, t->path))
			continue;
		strcpy(last, m.path);
		name = xasprintf(LIBRARY "%s", m.path);
		add_id(f, name, m.path);
		free(name);
	}
}

/* Adds the part of the identity that depends only on these files. */
static void add_files(FILE *f, const struct target *t)
{
	add_value(f, "version of simul", SIMUL_VERSION);
	add_id(f, "build of simul", "/proc/self/exe");
	add_id(f, "build of libsimul.so", t->library);
	add_value(f, "the program", t->path);
	add_id(f, "build of the program", t->path);
}

void identity_make(struct identity *id, const struct search *search, const char *maps)
{
	const struct target *t = &search->target;
	char *cwd = getcwd(NULL, 0);
	FILE *f = open_memstream(&id->text, &id->size);

	INVARIANT(f, "out of memory");
	add_files(f, t);
	add_arguments(f, t->argv);
	add_value(f, "the working directory", cwd ? cwd : "");
	add_input(f, &search->capture);
	add_options(f, search);
	add_surroundings(f, t);
	if (maps)
		add_libraries(f, t, maps);
	INVARIANT(fclose(f) == 0, "out of memory");
	free(cwd);
}

void identity_free(struct identity *id)
{
	free(id->text);
	id->text = NULL;
}

/* ---- comparing ---- */

static bool is(const char *name, const char *what)
{
	return !strncmp(name, what, strlen(what));
}

/* Returns whether a difference in this value is restored instead of refused. */
static bool is_restored(const char *name)
{
	return is(name, ENVIRONMENT) || is(name, "environment ") || is(name, "stack limit");
}

size_t identity_fixed(const struct identity *id)
{
	const char *name = id->text;

	while (name < id->text + id->size && !is_restored(name))
		name = NEXT_NAME(NEXT_VALUE(name));
	return (size_t)(name - id->text);
}

/* Returns whether the text consists of pairs up to its end. */
static bool well_formed(const char *text, size_t size)
{
	size_t strings = 0;

	for (size_t i = 0; i < size; i++)
		strings += !text[i];
	return size && !text[size - 1] && strings % 2 == 0;
}

/* Describes a difference in a way that shows the user what to do. */
/* given: a pattern of --patch, --lock or --leave-out, as the session has it. */
static void describe_pattern(const char *how, const char *given, char *why, size_t size)
{
	const char *option = is(given, LOCK_PATTERN) ? "--lock" : is(given, LEAVE_PATTERN) ? "--leave-out" : "--patch";

	text_set(why, size, "this search was started %s %s '%.200s'", how, option, strcmp(option, "--patch") ? strchr(given, ':') + 1 : given);
}

static void describe(const char *name, const char *before, const char *now, char *why, size_t size)
{
	if (is(name, "version of") || is(name, "build of simul") || is(name, "build of lib"))
		text_set(why, size, "this search was started by another version of simul (%s %.40s, now %.40s)", name, before, now);
	else if (!strcmp(name, "build of the program"))
		text_set(why, size, "this search was started with another build of the program (build-id %.12s..., now %.12s...), and a search "
			"cannot continue in changed code", before, now);
	else if (is(name, "--") && !strcmp(now, "given"))
		text_set(why, size, "this search was started without %s", name);
	else if (is(name, "--") && !strcmp(before, "given"))
		text_set(why, size, "this search was started with %s", name);
	else if (!strcmp(name, "--patch") && (!*before || !*now))
		describe_pattern(*now ? "without" : "with", *now ? now : before, why, size);
	else
		text_set(why, size, "this search was started with %s %.400s, not %.400s", name, before, now);
}

static bool libraries_same(const char *text, const char *end, char *why, size_t size)
{
	for (const char *name = text; name < end; name = NEXT_NAME(NEXT_VALUE(name))) {
		char *id;
		bool same;

		if (!is(name, LIBRARY))
			continue;
		id = elf_build_id(name + strlen(LIBRARY));
		same = id && !strcmp(id, NEXT_VALUE(name));
		free(id);
		if (same)
			continue;
		text_set(why, size, "%.900s has changed since this search was started, and a search cannot continue in changed code",
			name + strlen(LIBRARY));
		return false;
	}
	return true;
}

bool identity_same_files(const struct target *t, const char *text, size_t size, char *why, size_t why_size)
{
	struct identity now;
	FILE *f = open_memstream(&now.text, &now.size);
	bool same;

	INVARIANT(f, "out of memory");
	add_files(f, t);
	INVARIANT(fclose(f) == 0, "out of memory");
	same = identity_same(&now, text, size, why, why_size);
	identity_free(&now);
	return same;
}

/* Both texts start with the same names in the same order. Only --patch may occur several times. */
bool identity_same(const struct identity *now, const char *text, size_t size, char *why, size_t why_size)
{
	const char *a = text, *b = now->text, *a_end = text + size, *b_end = now->text + now->size;

	if (!well_formed(text, size)) {
		text_set(why, why_size, "its state is damaged");
		return false;
	}
	while (a < a_end && b < b_end && !is_restored(a)) {
		const char *before = NEXT_VALUE(a), *value = NEXT_VALUE(b);

		if (strcmp(a, b) || strcmp(before, value)) {
			describe(a, before, value, why, why_size);
			return false;
		}
		a = NEXT_NAME(before);
		b = NEXT_NAME(value);
	}
	return libraries_same(a, a_end, why, why_size);
}

/* ---- restoring ---- */

static const char *find(const char *text, size_t size, const char *wanted)
{
	for (const char *name = text; name < text + size; name = NEXT_NAME(NEXT_VALUE(name)))
		if (!strcmp(name, wanted))
			return NEXT_VALUE(name);
	return NULL;
}

const char *identity_value(const char *text, size_t size, const char *name)
{
	return well_formed(text, size) ? find(text, size, name) : NULL;
}

static uint64_t find_number(const char *text, size_t size, const char *wanted)
{
	const char *value = find(text, size, wanted);

	return value ? strtoull(value, NULL, 10) : 0;
}

static void note_difference(const struct restored *r, char *const *now, char *note, size_t size)
{
	unsigned n = 0;

	note[0] = 0;
	for (char *const *e = now; *e; e++) {
		char **k = r->env;

		while (*k && strcmp(*k, *e))
			k++;
		if (!*k && kept_env_matters(*e) && !n++)
			text_set(note, size, "%.*s", (int)strcspn(*e, "="), *e);
	}
	for (char **k = r->env; *k; k++) {
		size_t len = strcspn(*k, "=") + 1;
		char *const *e = now;

		while (*e && strncmp(*k, *e, len))
			e++;
		if (!*e && !n++)
			text_set(note, size, "%.*s", (int)len - 1, *k);
	}
	if (n > 1)
		text_add(note, size, " and %u more", n - 1);
}

static bool restore_limits(struct target *t, const char *text, size_t size, char *why, size_t why_size)
{
	const char *inherited = find(text, size, "inherited descriptors");
	struct environment_size got;
	struct rlimit limit = {0, RLIM_INFINITY};

	t->size.entries = (uint32_t)find_number(text, size, "environment entries");
	t->size.bytes = (uint32_t)find_number(text, size, "environment bytes");
	t->stack_limit = find_number(text, size, "stack limit");
	free(t->inherited);
	t->inherited = xstrdup(inherited ? inherited : "");
	getrlimit(RLIMIT_STACK, &limit);
	if (t->stack_limit > limit.rlim_max) {
		text_set(why, why_size, "this search was started with a larger stack limit than is allowed here (ulimit -Hs), so memory would have "
			"different addresses");
		return false;
	}
	got = target_environment(t);
	if (got.entries == t->size.entries && got.bytes == t->size.bytes)
		return true;
	text_set(why, why_size, "the environment cannot be made as large as it was (%u bytes), so memory would have different addresses",
		t->size.bytes);
	return false;
}

bool identity_restore(struct restored *r, struct target *t, const char *text, size_t size, char *note, size_t note_size, char *why,
	size_t why_size)
{
	char **now = t->env;
	size_t n = 0, spare = 0;

	for (const char *name = text; name < text + size; name = NEXT_NAME(NEXT_VALUE(name))) {
		if (!is(name, ENVIRONMENT))
			continue;
		r->env = xgrow(r->env, n, sizeof(*r->env));
		r->env[n++] = xasprintf("%s=%s", name + strlen(ENVIRONMENT), NEXT_VALUE(name));
	}
	r->env = xgrow(r->env, n, sizeof(*r->env));
	r->env[n] = NULL;
	for (char **e = now; *e; e++) {
		if (kept_env_matters(*e))
			continue;
		r->spare = xgrow(r->spare, spare, sizeof(*r->spare));
		r->spare[spare++] = *e;
	}
	r->spare = xgrow(r->spare, spare, sizeof(*r->spare));
	r->spare[spare] = NULL;
	note_difference(r, now, note, note_size);
	t->env = r->env;
	t->spare = r->spare;
	return restore_limits(t, text, size, why, why_size);
}

void identity_restore_free(struct restored *r)
{
	if (r->env)
		environment_free(r->env);
	free(r->spare);
	r->env = r->spare = NULL;
}
