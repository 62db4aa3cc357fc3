#include "cli/bugs/rerun.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "cli/base/interrupt.h"
#include "cli/base/say.h"
#include "cli/segment/segment_for_target.h"
#include "cli/segment/segment_keep.h"
#include "cli/supervise/search.h"
#include "cli/supervise/supervisor.h"

#define LONGEST 60 /* times --hang-timeout; no execution takes that long */
#define OUT_OF_TIME "it was stopped because the time limit was reached"

struct rerun rerun_of_search(const struct search *search, const struct schedule *schedule)
{
	return (struct rerun){
		.target = &search->target,
		.input = &search->capture,
		.config = search->config,
		.patterns = search->opt.patch.value,
		.schedule = schedule,
	};
}

struct rerun_state {
	const struct rerun *r;
	const struct segment *seg;
	const struct capture *output;
	struct confirm_outcome *out;
	bool collected;
};

/* Reads the outcome from the segment. */
static void read_outcome(struct rerun_state *st)
{
	struct execution *e = xcalloc(1, sizeof(*e));
	struct confirm_outcome *out = st->out;

	if (segment_execution(st->seg, e, out->text, sizeof(out->text))) {
		out->bug = e->bug;
		memcpy(&out->divergence, &st->seg->session->divergence, sizeof(out->divergence));
		if (out->divergence.step > st->r->schedule->n)
			out->divergence.step = st->r->schedule->n;
		confirm_judge(out, st->r->signature);
		execution_free(e);
	} else {
		out->kind = CONFIRM_NOT_RUN;
	}
	free(e);
}

static void collect(struct rerun_state *st, pid_t pid)
{
	read_outcome(st);
	st->collected = true;
	if (st->r->at_end)
		st->r->at_end(st->r->ctx, st->seg, st->output, pid, st->out);
}

static bool at_pause(void *ctx, pid_t pid)
{
	collect(ctx, pid);
	return false;
}

static void at_step(void *ctx, pid_t pid)
{
	const struct rerun_state *st = ctx;

	if (st->r->at_step)
		st->r->at_step(st->r->ctx, st->seg, st->output, pid);
}

/* The session ended without pausing at the end of the execution. If the execution died, reads what it left; otherwise says how it ended. */
static void not_paused(struct rerun_state *st, const struct supervision *s)
{
	struct confirm_outcome *out = st->out;

	switch (s->end) {
	case SESSION_OVER:
		collect(st, 0);
		return;
	case SESSION_NO_THREADS:
	case SESSION_DIED:
		read_outcome(st);
		out->kind = CONFIRM_NOT_RUN;
		text_set(out->text, sizeof(out->text), "the program ended before it created a thread%s%s",
			out->bug.message[0] ? ": " : "", out->bug.message);
		return;
	case SESSION_SLOW_START:
		text_set(out->text, sizeof(out->text), "the program did not reach the creation of its first thread");
		break;
	case SESSION_STUCK:
		text_set(out->text, sizeof(out->text), "the program repeatedly dies during startup");
		break;
	case SESSION_REFUSED:
	case SESSION_INTERNAL:
		text_set(out->text, sizeof(out->text), "%s", s->text);
		break;
	case SESSION_AGAIN: /* only searches of several machines */
	case SESSION_STOPPED:
		if (s->cause == STOP_TIME)
			text_set(out->text, sizeof(out->text), OUT_OF_TIME);
		break;
	}
	out->kind = s->end == SESSION_STOPPED ? CONFIRM_INTERRUPTED : CONFIRM_NOT_RUN;
}

/* Returns the limit of the run; 0: none, since the user is debugging it. */
static uint64_t longest_ns(const struct rerun *r, uint64_t now)
{
	if (r->config.debug != DEBUGGED_BY_NOBODY)
		return 0;
	if (!r->until_ns)
		return r->config.hang_ns * LONGEST;
	return r->until_ns > now ? r->until_ns - now : 1;
}

static void run_session(struct rerun_state *st, struct segment *seg)
{
	const struct rerun *r = st->r;
	uint64_t now = wall_clock_ns();
	struct supervision s = {
		.seg = seg,
		.target = r->target,
		.capture = st->output,
		.start_ns = now,
		.time_ns = longest_ns(r, now),
		.hang_ns = r->config.hang_ns,
		.on_bug = at_pause,
		.on_step = at_step,
		.ctx = st,
	};

	supervise(&s);
	if (!st->collected)
		not_paused(st, &s);
}

bool rerun_segment(const struct rerun *r, struct segment *seg, char *why, size_t size)
{
	struct session_config config = r->config;
	uint32_t steps = r->turn ? segment_guided_steps(r->turns, r->notes) : r->schedule->n;
	bool forks = false;

	config.mode = r->turn ? MODE_GUIDED : MODE_FORCED;
	config.keep_stacks = r->stacks;
	config.pause_at_end = 1;
	config.max_executions = 0;
	config.race = r->schedule->memory.raced ? r->signature : 0;
	if (!segment_create(seg, &config, 0, steps, r->patterns, NULL, why, size))
		return false;
	segment_set_names(seg, &r->schedule->names);
	if (r->turn)
		segment_set_guided(seg, r->turn, r->turns, r->notes);
	else
		segment_set_forced(seg, r->schedule->step, r->schedule->n);
	seg->session->pool = r->schedule->pool;
	for (uint32_t i = 0; i < r->schedule->n; i++)
		forks |= r->schedule->step[i].kind == EV_FORK;
	segment_set_fork_sees(seg, forks);
	if (segment_set_memory(seg, &r->schedule->memory))
		return true;
	text_set(why, size, "its memory cannot be placed as the recording requires");
	segment_close(seg);
	return false;
}

void rerun_discard(struct segment *seg)
{
	segment_put_files_back(seg);
	segment_close(seg);
}

/* out->kind stays CONFIRM_NOT_RUN if the run cannot be started. */
void rerun_once(const struct rerun *r, struct confirm_outcome *out)
{
	struct segment seg;
	struct capture output;
	struct rerun_state st = {.r = r, .seg = &seg, .output = &output, .out = out};

	memset(out, 0, sizeof(*out));
	out->kind = CONFIRM_NOT_RUN;
	if (interrupt_count() || (r->until_ns && wall_clock_ns() >= r->until_ns)) {
		out->kind = CONFIRM_INTERRUPTED;
		text_set(out->text, sizeof(out->text), "%s", interrupt_count() ? "" : "no time was left to run it");
		return;
	}
	if (!capture_open_like(&output, r->input)) {
		text_set(out->text, sizeof(out->text), "cannot create a file for its output");
		return;
	}
	if (rerun_segment(r, &seg, out->text, sizeof(out->text))) {
		run_session(&st, &seg);
		rerun_discard(&seg);
	}
	capture_close(&output);
}
