#include "cli/nightly/machines/probe.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "cli/base/say.h"
#include "cli/bugs/rerun.h"
#include "cli/collect/collect.h"
#include "cli/nightly/machines/machines_internal.h"
#include "cli/segment/segment_keep.h"
#include "cli/supervise/watchdog.h"
#include "explore/explore.h"
#include "recorder/format/format.h"
#include "recorder/format/recording_file.h"
#include "recorder/recording.h"
#include "replay/confirm.h"

#define MOST 9                  /* executions that are stored: the first one, and eight later ones */
#define MOST_OWN 3u             /* of these, by one worker */
#define MOST_BYTES (4u << 20)   /* of one execution */
#define PROBE_NS (5 * NS_PER_S) /* no further execution is repeated after this time */

/* ---- storing ---- */

/* Returns the last execution as a recording, malloc()ed; NULL: it is none that passed. */
static char *last_execution(const struct machines *m, size_t *size)
{
	const char *bad;
	char why[256], *text = NULL;
	struct execution e;
	struct session_config config = m->search->config;
	struct recording *r;

	if (!segment_execution(&m->search->seg, &e, why, sizeof(why)))
		return NULL;
	if (e.n && e.bug.kind == BUG_NONE && e.events[e.n - 1].kind == EV_EXIT) {
		config.settings.start_time = m->search->seg.session->config.settings.start_time;
		r = collect_recording(&(struct collect_input){
			.target = &m->search->target,
			.seg = &m->search->seg,
			.execution = &e,
			.config = &config,
			.patterns = m->search->opt.patch.value,
			.memory = &e.memory,
			.output = &m->search->capture,
			.strategy = explore_strategy_name(m->search->config.strategy),
		});
		r->failure.thread = NO_THREAD;
		text = recording_valid(r, &bad) ? recording_format(r, size) : NULL;
		recording_free(r);
	}
	execution_free(&e);
	if (text && *size > MOST_BYTES) {
		free(text);
		text = NULL;
	}
	return text;
}

bool probe_store(struct machines *m)
{
	size_t size = 0;
	char *text;
	bool ok;

	if (m->samples >= MOST_OWN)
		return true;
	text = last_execution(m, &size);
	if (!text)
		return true;
	m->samples++;
	ok = store_sample(&m->store, text, size, MOST);
	free(text);
	return ok;
}

/* ---- repeating ---- */

static bool differs(const struct session_divergence *d, const char *text)
{
	if (d->happened && d->expected.kind != d->found.kind && d->found.kind)
		say("--search: the program behaves differently here: at step %u of an execution of the other machines it does \"%s\" instead of \"%s\". Does it read "
			"files, or the number of processors?", d->step + 1, event_kind_text(d->found.kind), event_kind_text(d->expected.kind));
	else
		say("--search: the program behaves differently here than on the machines that explore it: %s", text);
	return false;
}

static bool repeat(struct machines *m, const char *data, size_t size)
{
	enum recording_error error;
	char text[1024];
	struct recording *r = recording_parse(data, size, "a stored execution", &error, text, sizeof(text));
	struct confirm_outcome *out = xcalloc(1, sizeof(*out));
	struct schedule schedule;
	struct rerun rerun = rerun_of_search(m->search, &schedule);
	bool ok = false;

	if (r && schedule_from_recording(&schedule, r, text, sizeof(text))) {
		rerun.config.settings.start_time = r->settings.start_time;
		rerun_once(&rerun, out);
		confirm_describe(out, text, sizeof(text));
		ok = out->kind == CONFIRM_NO_FAILURE;
		if (!ok && out->kind != CONFIRM_INTERRUPTED)
			differs(&out->divergence, text);
		else if (!ok)
			say("--search: interrupted");
		schedule_free(&schedule);
	} else {
		say("--search: a stored execution is damaged: %s", text);
	}
	recording_free(r);
	free(out);
	return ok;
}

bool probe_pass(struct machines *m)
{
	struct store_sample *sample = NULL;
	uint64_t begun = wall_clock_ns();
	size_t n = 0;
	bool ok;

	if (m->probed)
		return true;
	ok = store_samples(&m->store, MOST, MOST_BYTES, &sample, &n);
	if (!ok && !engine_is_lost(m->store.engine))
		say("--search: %s", engine_why(m->store.engine));
	for (size_t i = 0; ok && i < n && wall_clock_ns() - begun < PROBE_NS; i++)
		ok = repeat(m, sample[i].data, sample[i].size);
	for (size_t i = 0; i < n; i++)
		free(sample[i].data);
	free(sample);
	m->probed = ok;
	return ok;
}
