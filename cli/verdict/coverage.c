#include "cli/verdict/coverage.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/base_name.h"
#include "base/lock_owners.h"
#include "cli/base/say.h"
#include "preload/patch/patch.h"

#define NAME_CHARACTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"
#define NAMED 3 /* functions named in the verdict */

static void add_words(struct coverage *c, const char *text)
{
	text_add(c->why, sizeof(c->why), "%s%s", c->why[0] ? "; " : "", text);
}

static void add_holes(struct coverage *c, const struct session_sensors *s, struct symbols *symbols)
{
	unsigned named = 0;
	char text[512];

	c->uncovered = s->holes;
	if (!s->holes)
		return;
	text_set(text, sizeof(text), "%u function%s whose memory accesses are not seen", s->holes,
		s->holes == 1 ? "" : "s");
	for (uint32_t i = 0; i < s->holes && i < SESSION_HOLES && named < NAMED && symbols; i++) {
		char *name = symbolize_function(symbols, s->hole[i].addr);

		if (name)
			text_add(text, sizeof(text), "%s%.80s: %s", named++ ? ", " : " (", name,
				patch_reason_text(s->hole[i].reason));
		free(name);
	}
	if (named)
		text_add(text, sizeof(text), "%s)", s->holes > named ? ", ..." : "");
	add_words(c, text);
}

/* Describes unpatched modules. Module 0 is the program, unless its compiler instrumented it. */
static void add_modules(struct coverage *c, const struct session_sensors *s, struct symbols *symbols)
{
	uint64_t accesses = 0;
	char *name;
	char text[512];

	for (uint32_t i = 0; i < s->modules && i < SESSION_MODULES; i++) {
		const struct session_module *m = &s->module[i];

		accesses += m->not_hooked;
		if (!m->refused[0] || (i && !m->executed))
			continue;
		name = m->executed && symbols ? symbolize_function(symbols, m->first) : NULL;
		text_set(text, sizeof(text), "the memory accesses of %.80s, which are not seen: %s", base_name(m->path), m->refused);
		if (name)
			text_add(text, sizeof(text), "; threads ran its function %.80s", name);
		free(name);
		add_words(c, text);
	}
	if (!accesses)
		return;
	text_set(text, sizeof(text), "%" PRIu64 " instruction%s whose memory access is not seen", accesses,
		accesses == 1 ? "" : "s");
	add_words(c, text);
}

/* Adds the lines of these callers to text: " (x.c:12, y.c:30)". */
static void add_callers(char *text, size_t size, const struct session_callers *at, struct symbols *symbols)
{
	unsigned named = 0;

	for (uint32_t i = 0; i < at->n && i < SESSION_CALLERS && symbols; i++) {
		char *where = symbolize_where(symbols, at->pc[i]);

		if (where)
			text_add(text, size, "%s%.80s", named++ ? ", " : " (", where);
		free(where);
	}
	if (named)
		text_add(text, size, "%s)", at->n > named ? ", ..." : "");
}

/* Describes calls of libc functions whose accesses are not seen. The target wrote the names. */
static void add_calls(struct coverage *c, const struct session_unseen *calls, struct symbols *symbols)
{
	char text[512] = "calls of libc's ";

	for (uint32_t i = 0; i < calls->n && i < SESSION_UNSEEN; i++) {
		char name[sizeof(calls->name[i]) + 1] = "";

		memcpy(name, calls->name[i], sizeof(calls->name[i]));
		name[strspn(name, NAME_CHARACTERS)] = 0;
		text_add(text, sizeof(text), "%s%s", i ? ", " : "", name);
		add_callers(text, sizeof(text), &calls->at[i], symbols);
	}
	if (!calls->n)
		return;
	text_add(text, sizeof(text), "%s, whose memory accesses are not seen", calls->n > SESSION_UNSEEN ? " and others" : "");
	add_words(c, text);
}

static void add_exceptions(struct coverage *c, const struct session_control *ctl, struct symbols *symbols)
{
	static const char *const words[] = {
#define EXCEPTION(name, words) words,
#include "base/exceptions.def"
#undef EXCEPTION
	};
	char text[512];

	for (unsigned i = 0; i < EXCEPTIONS; i++) {
		if (!ctl->facts.exception[i].done)
			continue;
		text_set(text, sizeof(text), "%s", words[i]);
		add_callers(text, sizeof(text), &ctl->facts.exception[i], symbols);
		add_words(c, text);
	}
}

void coverage_decide(struct coverage *c, const struct session_sensors *s, const struct session_control *ctl,
	const struct session_config *config, struct symbols *symbols)
{
	memset(c, 0, sizeof(*c));
	c->library_only = !s->tsan && (!s->modules || s->module[0].refused[0]);
	if (c->library_only && !config->settings.patch)
		add_words(c, "--no-patch: memory accesses are not seen");
	else if (c->library_only && !s->modules)
		add_words(c, "no code of the program could be patched: memory accesses are not seen");
	if (s->tsan & 2) /* clang; gcc reports both accesses */
		add_words(c, "reads directly before a write to the same address, which clang does not instrument unless the program is built with -mllvm "
			"-tsan-instrument-read-before-write=1");
	add_modules(c, s, symbols);
	add_holes(c, s, symbols);
	add_calls(c, &ctl->facts.unseen, symbols);
	add_exceptions(c, ctl, symbols);
	if (s->generated_code && !c->library_only)
		add_words(c, "code that the program generates (memory that it makes executable), whose memory accesses are not seen");
	if (s->early_unlocks && model_has_buffers(config->settings.model))
		add_words(c, "the time that pthread_spin_unlock may stay in a store buffer: simul empties the buffer");
	if (c->library_only && model_has_buffers(config->settings.model))
		add_words(c, "so store buffers have no effect");
}

void coverage_locks(struct coverage *c, const struct segment *seg)
{
	static const char *const of[LOCK_OWNERS] = {
#define RUNTIME(id, words, test) [LOCK_OF_##id] = "of " words,
#include "base/runtimes.def"
	}, *const steps[LOCK_OWNERS] = {
#define STEPS(id, words) [LOCK_OF_##id] = words,
#include "base/runtimes.def"
	};
	char left[128] = "", one_step[128] = "";
	uint32_t repeats = segment_repeats(seg);

	for (uint32_t owner = 1; owner < LOCK_OWNERS; owner++) {
		uint32_t n = segment_locks(seg, owner);
		bool named = owner == LOCK_OF_USER;

		if (n)
			text_add(c->locks, sizeof(c->locks), "%slocks %s (%" PRIu32 " object%s)", c->locks[0] ? ", " : "", named ? "named with --lock" : of[owner], n,
				n == 1 ? "" : "s");
		if (shared_load(&seg->session->ctl.facts.one_step) >> owner & 1)
			text_add(one_step, sizeof(one_step), "%s%s %s", one_step[0] ? ", " : "", steps[owner], of[owner]);
		if (shared_load(&seg->session->ctl.facts.left_out) >> owner & 1)
			text_add(left, sizeof(left), "%s%s%s", left[0] ? ", " : "", named ? "functions named with --leave-out" : "bookkeeping ", named ? "" : of[owner]);
	}
	if (c->locks[0])
		text_add(c->locks, sizeof(c->locks), " taken as locks");
	if (one_step[0])
		text_add(c->locks, sizeof(c->locks), "%s%s taken as one step", c->locks[0] ? ", " : "", one_step);
	if (left[0])
		text_add(c->locks, sizeof(c->locks), "%s%s left out", c->locks[0] ? ", " : "", left);
	if (shared_load(&seg->session->ctl.facts.task_pieces))
		text_add(c->locks, sizeof(c->locks), "%seach piece of TBB's scheduler between two calls taken as one step", c->locks[0] ? ", " : "");
	if (shared_load(&seg->session->ctl.facts.own_allocator))
		text_add(c->locks, sizeof(c->locks), "%smalloc in place of TBB's allocator", c->locks[0] ? ", " : "");
	if (repeats)
		text_add(c->locks, sizeof(c->locks), "%srepeated reads of %" PRIu32 " loop%s that give%s up left out", c->locks[0] ? ", " : "", repeats,
			repeats == 1 ? "" : "s", repeats == 1 ? "s" : "");
}

bool coverage_matches(const struct session_sensors *s, const char *pattern)
{
	bool matches = s->modules > SESSION_MODULES; /* some modules are not described, and one of them may match */

	for (uint32_t i = 0; i < s->modules && i < SESSION_MODULES; i++) {
		const char *path = s->module[i].path;

		matches |= !fnmatch(pattern, path, 0) || !fnmatch(pattern, base_name(path), 0);
	}
	return matches;
}

void coverage_text(const struct coverage *c, char *buf, size_t size)
{
	buf[0] = 0;
	if (c->library_only)
		text_set(buf, size, " for library-level operations (%s)", c->why);
	else if (c->why[0])
		text_set(buf, size, ", except for %s", c->why);
	if (c->locks[0])
		text_add(buf, size, "; %s", c->locks);
}
