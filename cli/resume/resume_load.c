/* Loads a saved search. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "cli/base/say.h"
#include "cli/bugs/finding.h"
#include "cli/resume/resume_internal.h"
#include "cli/resume/resume_memory.h"
#include "cli/resume/saved_finding.h"

static bool bad(const struct resume *r, const char *why)
{
	say("--resume %s: %s; remove %s to start over, or use another directory", r->dir, why, r->path);
	return false;
}

static bool trouble(const struct resume *r, enum state_trouble t)
{
	char why[300];

	switch (t) {
	case STATE_GOOD:
	case STATE_MISSING:
		return true;
	case STATE_UNREADABLE:
		text_set(why, sizeof(why), "cannot read the saved search: %s", strerror(errno));
		return bad(r, why);
	case STATE_FOREIGN:
		return bad(r, "simul-state is not a saved search");
	case STATE_OTHER_FORMAT:
		return bad(r, "the search was saved by another version of simul");
	case STATE_DAMAGED:
		return bad(r, "the saved search is damaged (its checksum is wrong)");
	}
	return false;
}

static bool load_identity(struct resume *r, struct state_reader *file)
{
	struct identity now;
	const void *data;
	size_t size;
	char why[1200], note[256];
	bool same;

	if (!state_find(file, SECTION_IDENTITY, &data, &size))
		return bad(r, "the saved search is damaged");
	identity_make(&now, r->search, NULL);
	same = identity_same(&now, data, size, why, sizeof(why));
	identity_free(&now);
	if (!same || !identity_restore(&r->restored, &r->search->target, data, size, note, sizeof(note), why, sizeof(why)))
		return bad(r, why);
	if (note[0] && !r->search->opt.quiet)
		say("note: the program runs with the environment saved at the start of the search; now different: %s", note);
	r->identity.text = xcalloc(size, 1);
	memcpy(r->identity.text, data, size);
	r->identity.size = size;
	return true;
}

static bool load_totals(struct resume *r, struct state_reader *file)
{
	struct state_totals totals;
	const void *data;
	size_t size;

	if (!state_find(file, SECTION_TOTALS, &data, &size) || size != sizeof(totals))
		return false;
	memcpy(&totals, data, sizeof(totals));
	r->earlier_ns = totals.nanoseconds;
	r->saved_executions = totals.executions;
	r->search->sup.randomised = totals.randomised;
	if (state_find(file, SECTION_MAPS, &data, &size) && size && !((const char *)data)[size - 1])
		r->search->maps = xstrdup(data);
	return state_find(file, SECTION_LAYOUT, &data, &size) && size == sizeof(r->search->seg.layout) &&
	       memcmp(data, &r->search->seg.layout, size) == 0;
}

static bool load_findings(struct resume *r, struct state_reader *file)
{
	enum state_section section;
	const void *data;
	size_t size;

	state_rewind(file);
	while (state_next(file, &section, &data, &size))
		if (section == SECTION_FINDING && !saved_finding_load(r->findings, data, size, r->path))
			return false;
	return true;
}

static bool is_finding(const struct findings *findings, uint64_t signature)
{
	for (size_t i = 0; i < findings->n; i++)
		if (findings->list[i].signature == signature)
			return true;
	return false;
}

/* Returns whether the recording of a bug is missing that the search has handed over. The search would not hand it over again. */
static bool lacks_finding(const struct resume *r)
{
	for (unsigned k = 0; k < r->search->workers.n; k++) {
		const struct session *s = (k ? r->search->workers.w[k]->seg : &r->search->seg)->session;

		for (uint32_t i = 0; i < s->signatures && i < SESSION_SIGNATURES; i++)
			if (s->seen[i].handed_over && !is_finding(r->findings, s->seen[i].signature))
				return true;
	}
	return false;
}

static void tell(const struct resume *r)
{
	char bugs[48] = "";

	if (r->search->opt.quiet)
		return;
	if (r->findings->n)
		text_set(bugs, sizeof(bugs), " and %zu bug%s", r->findings->n, r->findings->n == 1 ? "" : "s");
	if (!r->loaded)
		say("--resume %s: starting a new search", r->dir);
	else if (r->finished)
		say("--resume %s: the search already finished, after %" PRIu64 " executions%s; nothing to run", r->dir, r->saved_executions, bugs);
	else
		say("--resume %s: continuing the search after %" PRIu64 " executions%s", r->dir, r->saved_executions, bugs);
}

static bool load(struct resume *r, struct state_reader *file)
{
	struct search *search = r->search;
	char why[SESSION_MESSAGE];

	if (!load_identity(r, file))
		return false;
	r->loaded = true;
	if (!load_totals(r, file))
		return bad(r, "the saved search is damaged");
	if (!resume_memory_load(search, file, !r->put_back, why, sizeof(why)))
		return bad(r, why);
	if (!load_findings(r, file))
		return bad(r, "the saved search is damaged");
	if (lacks_finding(r))
		return bad(r, "the saved search has met a bug whose recording is missing");
	for (size_t i = 0; i < r->findings->n; i++)
		workers_handle(&search->workers, r->findings->list[i].signature);
	r->started = search->seg.session->ctl.execution.executions_started;
	r->loaded_executions = resume_executions(search);
	search->config.settings.start_time = search->seg.session->config.settings.start_time;
	search->config.max_executions = search->seg.session->config.max_executions;
	r->uncontrolled = search->seg.session->ctl.facts.uncontrolled;
	r->native_children = search->seg.session->ctl.facts.native_children;
	r->finished = workers_finished(&search->workers, &search->seg);
	if (r->finished) {
		search->sup.end = SESSION_OVER;
		workers_end(&search->workers);
	}
	return true;
}

bool resume_uses_windows(const struct resume *r)
{
	struct state_reader file;
	struct state_totals totals = {0};
	const void *data;
	size_t size;

	if (state_open(&file, r->path) != STATE_GOOD)
		return false; /* resume_load says why */
	if (state_find(&file, SECTION_TOTALS, &data, &size) && size == sizeof(totals))
		memcpy(&totals, data, sizeof(totals));
	state_close(&file);
	return totals.windows;
}

bool resume_load(struct resume *r)
{
	struct state_reader file;
	enum state_trouble t = state_open(&file, r->path);
	bool ok = trouble(r, t);

	if (t == STATE_GOOD) {
		ok = load(r, &file);
		state_close(&file);
	}
	if (ok)
		tell(r);
	return ok;
}
