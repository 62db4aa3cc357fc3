/* Records an execution that passed. See passing.h. */
#include "cli/bugs/passing.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "cli/base/say.h"
#include "cli/bugs/findings.h"
#include "cli/bugs/rerun.h"
#include "cli/collect/collect.h"
#include "cli/collect/origin.h"
#include "cli/supervise/search.h"
#include "explore/explore.h"
#include "recorder/format/recording_file.h"

struct passing {
	const struct search *search;
	uint32_t n; /* events of the execution */
	struct recording *recording;
};

static void at_end(void *ctx, const struct segment *seg, const struct capture *output, pid_t pid, const struct confirm_outcome *outcome)
{
	struct passing *x = ctx;
	struct execution e;
	char why[256];

	if (outcome->kind != CONFIRM_NO_FAILURE || x->recording || !segment_execution(seg, &e, why, sizeof(why)))
		return;
	if (e.n == x->n) {
		x->recording = collect_recording(&(struct collect_input){
			.target = &x->search->target,
			.seg = seg,
			.execution = &e,
			.config = &x->search->config,
			.patterns = x->search->opt.patch.value,
			.memory = &e.memory,
			.output = output,
			.pid = pid,
			.strategy = explore_strategy_name(x->search->config.strategy),
		});
		x->recording->failure.thread = NO_THREAD;
	}
	execution_free(&e);
}

/* Follows the schedule in a fresh process, which has names and places for everything. */
static bool record(struct passing *x, const struct event *event, const struct execution *end, char *why, size_t size)
{
	struct schedule schedule;
	struct confirm_outcome *out = xcalloc(1, sizeof(*out));
	struct rerun r = rerun_of_search(x->search, &schedule);

	r.stacks = true;
	r.at_end = at_end;
	r.ctx = x;
	schedule_from_events(&schedule, event, x->n, &end->names, &end->pool, &end->memory);
	rerun_once(&r, out);
	schedule_free(&schedule);
	if (!x->recording && out->kind == CONFIRM_NO_FAILURE)
		text_set(why, size, "the program is not deterministic");
	else if (!x->recording)
		confirm_describe(out, why, size);
	free(out);
	return x->recording;
}

/* Finds the execution and records it. false: `why` gives the reason. */
static bool make(struct passing *x, char *why, size_t size)
{
	const struct segment *seg = &x->search->seg;
	const struct event *event;
	struct event *copy;
	struct execution end;
	bool ok;

	if (!explore_passing((const char *)seg->session + seg->layout.explore_off, seg->layout.explore_size, &event, &x->n)) {
		text_set(why, size, "no execution passed");
		return false;
	}
	if (!segment_execution(seg, &end, why, size))
		return false;
	copy = xcalloc(x->n, sizeof(*copy));
	memcpy(copy, event, x->n * sizeof(*copy));
	ok = segment_events_valid(copy, x->n, &end.names);
	if (!ok)
		text_set(why, size, "the program overwrote simul's memory");
	ok = ok && record(x, copy, &end, why, size);
	free(copy);
	execution_free(&end);
	return ok;
}

bool passing_write(struct search *search, bool explored, FILE *out)
{
	struct passing x = {.search = search};
	char text[SESSION_MESSAGE] = "nothing was explored";
	const char *why = "";
	int error;

	findings_follow_refusals(&search->config, &search->seg);
	if (!explored || !make(&x, text, sizeof(text))) {
		say("no recording was written to %s: %s", search->opt.passing, text);
		return false;
	}
	origin_sign(x.recording);
	error = recording_write(x.recording, search->opt.passing, &why);
	if (error)
		say("cannot write the recording %s: %s: %s", search->opt.passing, why, strerror(-error));
	else
		fprintf(out, "recording: %s: an execution that passed, %" PRIu32 " steps\n", search->opt.passing, x.n);
	recording_free(x.recording);
	return !error;
}
