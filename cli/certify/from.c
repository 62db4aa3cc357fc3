/* The recording that a certificate begins with. See from.h. */
#include "cli/certify/from.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "cli/base/say.h"
#include "cli/bugs/rerun.h"
#include "cli/options/run_options.h"
#include "cli/supervise/search.h"
#include "cli/verdict/verdict.h"
#include "recorder/format/recording_file.h"
#include "recorder/secrets.h"
#include "sched/await.h"
#include "sched/repeats.h"

static bool refuse(const struct search *search, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static bool refuse(const struct search *search, const char *fmt, ...)
{
	char text[2048];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	say("certify: --from %s: %s", search->opt.from, text);
	return false;
}

static bool check_outcome(const struct search *search, const struct recording *r)
{
	char *bug;

	if (r->failure.kind == BUG_NONE)
		return true;
	bug = verdict_bug_text(r);
	refuse(search, "this execution failed (%s), and a certificate begins with one that passed: record one with simul run --passing FILE", bug);
	free(bug);
	return false;
}

static bool check_program(const struct search *search, const struct recording *r)
{
	char *const *now = search->target.argv, *const *then = r->start.argv;
	size_t i = 1;

	if (search->target.script)
		return refuse(search, "a script starts the program: certify the program itself");
	if (strcmp(r->start.build_id, search->target.build_id))
		return refuse(search, "it was recorded with %s%s (build-id %.12s, here %.12s)",
			strcmp(r->start.program, search->target.path) ? "another program, " : "another build of ", r->start.program, r->start.build_id,
			search->target.build_id);
	if (!now[0] || !then[0] || !secret_same_arguments(now, then, &i))
		return refuse(search, "it was recorded with other arguments: argument %zu was %s%s%s, and is now %s%s%s", i,
			then[0] && then[i] ? "\"" : "", then[0] && then[i] ? then[i] : "missing", then[0] && then[i] ? "\"" : "",
			now[0] && now[i] ? "\"" : "", now[0] && now[i] ? now[i] : "missing", now[0] && now[i] ? "\"" : "");
	return true;
}

/* Checks the options that decide which steps an execution has. */
static bool check_settings(const struct search *search, const struct recording *r)
{
	const struct settings *now = &search->config.settings, *then = &r->settings;

	for (unsigned i = 0; i < SETTINGS; i++) {
		const struct setting *s = &settings_table[i];
		uint64_t value = setting_get(then, s);
		char text[64];

		setting_text(then, s, text, sizeof(text));
		if (s->certificate == CERTIFICATE_ONLY_0 && value)
			return refuse(search, "it was recorded with --%s %s, which a certificate does not allow: record it without", run_option_of(s), text);
		if (s->certificate == CERTIFICATE_SAME && value != setting_get(now, s))
			return refuse(search, "it was recorded with --%s %s: use the same here", run_option_of(s), text);
	}
	for (uint32_t i = 0; i < r->memory.n_nodes; i++)
		if (await_is_lock(&r->memory.node[i]))
			return refuse(search, "it was recorded with locks of the program's own taken as locks, which a certificate does not allow: record it with --own-locks explore and without --lock");
		else if (repeats_is_left_out(&r->memory.node[i]))
			return refuse(search, "it was recorded with repeated reads left out, which a certificate does not allow: record it with --own-locks explore");
	if (!then->patch)
		return refuse(search, "it was recorded with --no-patch, so it has no accesses to memory: record it without");
	if (then->memory_check != now->memory_check)
		return refuse(search, "it was recorded with%s --no-memory-check: use the same here", then->memory_check ? "out" : "");
	if (!r->n_steps || r->n_steps > now->max_steps)
		return refuse(search, "it has %zu steps, and --max-steps allows %" PRIu32, r->n_steps, now->max_steps);
	return true;
}

/* Replays the recording once, so that a schedule that cannot be followed is refused before the search. */
static bool check_replay(const struct search *search)
{
	struct confirm_outcome *out = xcalloc(1, sizeof(*out));
	const struct rerun rerun = rerun_of_search(search, search->from);
	char text[SESSION_MESSAGE];
	bool ok;

	rerun_once(&rerun, out);
	ok = out->kind == CONFIRM_NO_FAILURE;
	confirm_describe(out, text, sizeof(text));
	free(out);
	return ok || refuse(search, "it does not replay here: %s", text);
}

bool certify_from(struct search *search)
{
	enum recording_error error;
	char text[1024];
	struct recording *r = recording_read(search->opt.from, &error, text, sizeof(text));
	bool ok = false;

	if (!r) {
		say("certify: --from: %s", text);
		return false;
	}
	if (check_outcome(search, r) && check_program(search, r) && check_settings(search, r)) {
		search->config.settings.seed = r->settings.seed; /* the program's random numbers and its clock, as recorded */
		search->config.settings.start_time = r->settings.start_time;
		search->from = xcalloc(1, sizeof(*search->from));
		ok = schedule_from_recording(search->from, r, text, sizeof(text)) ? check_replay(search) : refuse(search, "it is damaged: %s", text);
	}
	recording_free(r);
	return ok;
}

void certify_from_free(struct search *search)
{
	if (search->from)
		schedule_free(search->from);
	free(search->from);
	search->from = NULL;
}
