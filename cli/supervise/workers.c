#include "cli/supervise/workers.h"

#include <stdlib.h>
#include <string.h>

#include "cli/target/environment.h"
#include "cli/base/say.h"
#include "cli/segment/segment_keep.h"
#include "explore/shared/common.h"
#include "base/xalloc.h"

/* ---- adding ---- */

void workers_begin(struct workers *ws, struct segment *seg, const struct capture *capture)
{
	struct worker *w = xcalloc(1, sizeof(*w));

	w->seg = seg;
	w->capture = capture;
	ws->w[0] = w;
	ws->n = 1;
	if (!ws->most)
		ws->most = 1;
}

struct worker *workers_add_empty(struct workers *ws, char *why, size_t size)
{
	struct worker *w = xcalloc(1, sizeof(*w));
	const struct worker *first = ws->w[0];
	struct session_config config = first->seg->session->config;

	config.worker = ws->n;
	w->seg = &w->own_seg;
	w->capture = &w->own_capture;
	if (!capture_open_like(&w->own_capture, first->capture)) {
		text_set(why, size, "no memory for its output");
		free(w);
		return NULL;
	}
	if (!segment_create(w->seg, &config, ws->memory, 0, ws->patterns, ws->common, why, size)) {
		capture_close(&w->own_capture);
		free(w);
		return NULL;
	}
	w->fresh = true;
	ws->w[ws->n++] = w;
	return w;
}

struct worker *workers_add(struct workers *ws, char *why, size_t size)
{
	struct worker *w = workers_add_empty(ws, why, size);

	if (!w)
		return NULL;
	segment_copy_known(w->seg, ws->w[0]->seg);
	if (segment_new_search(w->seg)) /* what is known of regions and sections decides how it searches */
		return w;
	text_set(why, size, "simul has no room for more workers");
	workers_drop(ws, ws->n - 1);
	return NULL;
}

/* ---- removing ---- */

/* Of samples, several workers may have met the same trace: only the larger number is certain. */
static void add_traces(struct explore_stats *to, const struct explore_stats *from, bool samples)
{
	bool both = to->distinct_traces && from->distinct_traces;

	to->distinct_overflow |= from->distinct_overflow || (samples && both);
	if (!samples)
		to->distinct_traces += from->distinct_traces;
	else if (to->distinct_traces < from->distinct_traces)
		to->distinct_traces = from->distinct_traces;
}

static void add_windows(struct explore_stats *to, const struct explore_stats *from)
{
	to->windows += from->windows;
	to->window_events += from->window_events;
	to->window_pairs += from->window_pairs;
	to->window_cut += from->window_cut;
	to->window_ended += from->window_ended;
	explore_join_windows(to, from->window_operations, from->window_uncut);
	if (!to->window_whole)
		to->window_whole = from->window_whole;
	if (!to->window_from)
		to->window_from = from->window_from;
}

/* strategy: of both. */
static void add_stats(struct explore_stats *to, const struct explore_stats *from, uint32_t strategy)
{
	to->executions += from->executions;
	to->blocked += from->blocked;
	to->assumed += from->assumed;
	to->cut += from->cut;
	to->graphs_left = to->graphs_left ? to->graphs_left : from->graphs_left;
	add_traces(to, from, explore_samples(strategy) || to->graphs_left);
	add_windows(to, from);
	to->gave_way += from->gave_way;
	to->chose |= from->chose;
	to->block_traces += from->block_traces;
	to->block_overflow |= from->block_overflow;
	to->events += from->events;
	to->races += from->races;
	to->samples += from->samples;
	to->samples_cut += from->samples_cut;
	to->max_depth = from->max_depth > to->max_depth ? from->max_depth : to->max_depth;
	to->depth = from->depth > to->depth ? from->depth : to->depth;
	to->out_of_memory |= from->out_of_memory;
	if (from->diverged && !to->diverged)
		to->divergence = from->divergence;
	to->diverged |= from->diverged;
	to->infeasible += from->infeasible;
	to->renamed |= from->renamed;
}

void workers_remove(struct workers *ws, unsigned k)
{
	struct worker *w = ws->w[k];
	struct explore_stats stats;

	segment_stats(w->seg, &stats);
	add_stats(&ws->gone, &stats, w->seg->session->config.strategy);
	segment_absorb(ws->w[0]->seg, w->seg);
	workers_drop(ws, k);
}

void workers_drop(struct workers *ws, unsigned k)
{
	struct worker *w = ws->w[k];

	segment_close(&w->own_seg);
	capture_close(&w->own_capture);
	free(w);
	ws->w[k] = ws->w[--ws->n];
}

void workers_make_first(struct workers *ws, unsigned k)
{
	struct worker *old = ws->w[0], *new = ws->w[k];
	struct segment *callers = old->seg;

	if (!k)
		return;
	old->own_seg = *callers;
	old->seg = &old->own_seg;
	*callers = new->own_seg;
	new->seg = callers;
	if (old->capture != &old->own_capture) {
		/* the caller keeps its capture: its output is that of an execution that no longer matters */
		memset(&old->own_capture, 0, sizeof(old->own_capture));
		old->own_capture.out_fd = old->own_capture.err_fd = old->own_capture.in_fd = -1;
	}
	ws->w[0] = new;
	ws->w[k] = old;
}

void workers_end(struct workers *ws)
{
	struct worker *first = ws->w[0];

	if (!ws->n)
		return;
	workers_stats(ws, first->seg, &ws->ended);
	while (ws->n > 1)
		workers_remove(ws, ws->n - 1);
	if (first->capture == &first->own_capture)
		capture_close(&first->own_capture);
	free(first);
	ws->n = 0;
	free(ws->handled);
	ws->handled = NULL;
	ws->n_handled = 0;
}

/* ---- numbers ---- */

/* Joins the estimates of all workers. Each one estimates the whole search. */
static void join_estimates(const struct workers *ws, const struct segment *seg, struct explore_stats *out)
{
	struct explore_stats one[WORKERS_MOST];
	const struct explore_stats *each[WORKERS_MOST];
	uint32_t n = 0;

	segment_stats(seg, &one[n]);
	each[n] = &one[n];
	for (n = 1; n < ws->n; n++) {
		segment_stats(ws->w[n]->seg, &one[n]);
		each[n] = &one[n];
	}
	explore_join_estimates(out, each, n);
}

void workers_stats(const struct workers *ws, const struct segment *seg, struct explore_stats *out)
{
	struct explore_stats one;
	uint64_t assumed;

	segment_stats(seg, out);
	assumed = out->assumed;
	if (!seg->session->ctl.requests.shared_search || !seg->layout.common_size)
		return;
	if (!ws->n && ws->ended.executions) {
		*out = ws->ended;
		return;
	}
	for (unsigned i = 1; i < ws->n; i++) {
		segment_stats(ws->w[i]->seg, &one);
		add_stats(out, &one, seg->session->config.strategy);
	}
	add_stats(out, &ws->gone, seg->session->config.strategy);
	out->finished = explore_common_over(segment_common_search(seg)) && !out->out_of_memory && !out->diverged;
	if (out->bound_all) { /* a bounded search covered everything: what the workers met in the full search adds nothing */
		out->distinct_traces = out->bound_traces;
		out->assumed = assumed;
	}
	join_estimates(ws, seg, out);
}

bool workers_finished(const struct workers *ws, const struct segment *seg)
{
	struct explore_stats stats;

	workers_stats(ws, seg, &stats);
	return stats.finished || stats.out_of_memory || stats.diverged;
}

bool workers_handled(const struct workers *ws, uint64_t signature)
{
	for (size_t i = 0; i < ws->n_handled; i++)
		if (ws->handled[i] == signature)
			return true;
	return false;
}

void workers_handle(struct workers *ws, uint64_t signature)
{
	ws->handled = xgrow(ws->handled, ws->n_handled, sizeof(*ws->handled));
	ws->handled[ws->n_handled++] = signature;
}
