#include "cli/resume/resume_memory.h"

#include <string.h>

#include "cli/base/say.h"
#include "cli/segment/segment_keep.h"
#include "cli/supervise/search.h"
#include "explore/shared/common.h"

/* SECTION_WORKERS. */
struct state_workers {
	uint32_t n, pad_;
	struct explore_stats gone; /* workers.gone */
};

/* SECTION_MEMORY; the bytes follow. */
struct state_memory {
	uint64_t worker, off;
};

/* ---- saving ---- */

/* Returns the number of workers. Before and after supervise() there is only the first. */
static unsigned workers_of(const struct search *search)
{
	return search->workers.n ? search->workers.n : 1;
}

static struct segment *segment_of(struct search *search, unsigned k)
{
	return k ? search->workers.w[k]->seg : &search->seg;
}

bool resume_memory_can_put(const struct search *search)
{
	for (unsigned k = 1; k < search->workers.n; k++)
		if (search->workers.w[k]->fresh || !segment_can_keep(search->workers.w[k]->seg))
			return false;
	return segment_can_keep(&search->seg) &&
	       (!search->seg.session->ctl.requests.shared_search || !explore_common_changing(segment_common_search(&search->seg)));
}

static void put_range(struct state_writer *w, const struct segment *seg, unsigned k, const struct segment_range *range)
{
	struct state_memory head = {k, range->off};

	state_put(w, SECTION_MEMORY, &head, sizeof(head), (char *)seg->session + range->off, range->size);
}

void resume_memory_put(const struct search *search, struct state_writer *w)
{
	struct state_workers head = {.n = workers_of(search), .gone = search->workers.gone};
	struct segment_range range;

	state_put(w, SECTION_WORKERS, &head, sizeof(head), NULL, 0);
	for (unsigned k = 0; k < head.n; k++) {
		const struct segment *seg = k ? search->workers.w[k]->seg : &search->seg;

		for (uint64_t at = 0; segment_keep_next(seg, &at, &range);)
			put_range(w, seg, k, &range);
	}
	for (uint64_t at = 0; segment_keep_common_next(&search->seg, &at, &range);)
		put_range(w, &search->seg, 0, &range);
}

/* ---- loading ---- */

/* Adds a worker for each one in the file. */
static bool make_workers(struct search *search, struct state_reader *file, char *why, size_t size)
{
	struct workers *ws = &search->workers;
	struct state_workers head;
	const void *data;
	size_t length;

	if (!state_find(file, SECTION_WORKERS, &data, &length) || length != sizeof(head))
		return false;
	memcpy(&head, data, sizeof(head));
	if (!head.n || head.n > WORKERS_MOST || (head.n > 1 && !ws->common))
		return false;
	ws->gone = head.gone;
	workers_begin(ws, &search->seg, &search->capture);
	while (ws->n < head.n)
		if (!workers_add_empty(ws, why, size))
			return false;
	return true;
}

static bool fill(struct search *search, struct state_reader *file)
{
	struct state_memory head;
	enum state_section section;
	const void *data;
	size_t size;

	state_rewind(file);
	while (state_next(file, &section, &data, &size)) {
		if (section != SECTION_MEMORY)
			continue;
		if (size < sizeof(head))
			return false;
		memcpy(&head, data, sizeof(head));
		if (head.worker >= search->workers.n || !segment_put(segment_of(search, (unsigned)head.worker), head.off,
			(const char *)data + sizeof(head), size - sizeof(head)))
			return false;
	}
	return true;
}

static bool go_on(struct search *search, bool put_back)
{
	struct workers *ws = &search->workers;
	struct explore_stats stats;

	for (unsigned k = 0; k < ws->n; k++) {
		struct session_config config = search->config;

		config.worker = k;
		if (!segment_go_on(segment_of(search, k), &config, put_back) || (ws->n > 1 && !segment_of(search, k)->session->ctl.requests.shared_search))
			return false;
	}
	workers_stats(ws, &search->seg, &stats);
	for (unsigned k = 0; k < ws->n; k++) {
		segment_limit(segment_of(search, k), search->opt.executions, stats.executions);
		if (k) /* from now on counted in the first segment, so that removing a worker loses nothing */
			segment_move_found(&search->seg, segment_of(search, k));
	}
	if (search->seg.session->ctl.requests.shared_search)
		segment_common(&search->seg)->begun = segment_common(&search->seg)->complete = stats.executions;
	return true;
}

/* Removes the workers above the current limit. --show-output starts with one worker, which needs work. */
static bool leave_few(struct search *search, char *why, size_t size)
{
	struct workers *ws = &search->workers;
	unsigned most = search->opt.show_output || ws->jobs < 1 ? 1 : ws->jobs, before = ws->n;

	while (ws->n > most) {
		unsigned k = ws->n - 1;

		if (!explore_hand_back((char *)segment_of(search, k)->session + search->seg.layout.explore_off)) {
			text_set(why, size, "%u workers shared this search when it was saved, and --memory is too small to merge the work of %s: "
				"continue with --jobs %u", before, search->opt.show_output ? "all but one" : "one of them", before);
			return false;
		}
		workers_remove(ws, k);
	}
	return true;
}

bool resume_memory_load(struct search *search, struct state_reader *file, bool put_back, char *why, size_t size)
{
	bool ok;

	text_set(why, size, "the saved search is damaged");
	ok = make_workers(search, file, why, size) && fill(search, file) && go_on(search, put_back);
	if (ok && !workers_finished(&search->workers, &search->seg))
		return leave_few(search, why, size);
	return ok;
}
