#include "cli/bugs/finding.h"
#include "cli/resume/resume_internal.h"
#include "cli/verdict/sightings.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/base/proc_text.h"
#include "cli/base/own_directory.h"
#include "cli/base/say.h"
#include "cli/resume/resume_memory.h"
#include "cli/resume/saved_finding.h"
#include "cli/segment/segment_for_target.h"
#include "cli/segment/segment_keep.h"
#include "cli/supervise/watchdog.h"
#include "base/xalloc.h"

/* The time between two saves is a tenth of the time so far, within these limits. Saving must not take more than a twentieth of the time. */
#define MIN_GAP_NS UINT64_C(200000000)
#define MAX_GAP_NS UINT64_C(5000000000)
#define COST_FACTOR 20

/* The lock file contains the id of the process that works here. If that process was killed, files changed by the program have not been
   restored, and the saved state describes how to restore them; so the state must be from a moment after an execution. Once the files are
   restored, the lock file is empty or starts with this character, which overwrites the id: that needs no free space on the disk. */
#define PUT_BACK '-'

uint64_t resume_executions(const struct search *search)
{
	struct explore_stats stats;

	workers_stats(&search->workers, &search->seg, &stats);
	return stats.executions;
}

/* ---- the directory ---- */

static bool lock_directory(struct resume *r)
{
	char *path = xasprintf("%s/simul-lock", r->dir), pid[24] = "";
	ssize_t n;

	r->lock = own_file(path, O_RDWR | O_CREAT);
	free(path);
	if (r->lock < 0) {
		say("--resume %s: cannot save a search there: %s", r->dir, strerror(errno));
		return false;
	}
	if (flock(r->lock, LOCK_EX | LOCK_NB) == 0) {
		r->put_back = pread(r->lock, pid, 1, 0) == 0 || pid[0] == PUT_BACK;
		n = snprintf(pid, sizeof(pid), "%d\n", (int)getpid());
		if (pwrite(r->lock, pid, (size_t)n, 0) == n && ftruncate(r->lock, n) == 0)
			return true;
		say("--resume %s: cannot save a search there: %s", r->dir, strerror(errno));
		return false;
	}
	if (errno != EWOULDBLOCK) {
		say("--resume %s: cannot lock the directory: %s", r->dir, strerror(errno));
		close(r->lock);
		r->lock = -1;
		return false;
	}
	n = pread(r->lock, pid, sizeof(pid) - 1, 0);
	close(r->lock);
	r->lock = -1;
	pid[n > 0 ? n : 0] = 0;
	say("--resume %s: another simul (process %d) is running this search; wait for it, or use another directory", r->dir, atoi(pid));
	return false;
}

bool resume_open(struct resume **out, struct search *search, struct findings *findings)
{
	const char *dir = search->opt.resume_dir;
	struct resume *r;

	*out = NULL;
	if (!dir)
		return true;
	if (!dir[0]) {
		say("--resume: the directory name is empty");
		return false;
	}
	if (!own_directory("--resume", dir))
		return false;
	r = *out = xcalloc(1, sizeof(*r));
	r->search = search;
	r->findings = findings;
	r->dir = dir;
	r->path = xasprintf("%s/simul-state", r->dir);
	r->writer.fd = -1;
	return lock_directory(r);
}

void resume_close(struct resume *r)
{
	if (!r)
		return;
	if (r->put_back && r->lock >= 0 && pwrite(r->lock, &(char){PUT_BACK}, 1, 0) != 1)
		say("--resume %s: %s", r->dir, strerror(errno));
	if (r->lock >= 0)
		close(r->lock);
	identity_free(&r->identity);
	identity_restore_free(&r->restored);
	free(r->path);
	free(r);
}

/* ---- saving ---- */

static void put_findings(struct resume *r, struct state_writer *w)
{
	for (size_t i = 0; i < r->findings->n; i++) {
		struct saved_finding out;
		size_t size;
		char *text = saved_finding_make(&r->findings->list[i], &out, &size);

		if (!text) {
			w->error = EINVAL;
			return;
		}
		state_put(w, SECTION_FINDING, &out, sizeof(out), text, size);
		free(text);
	}
}

/* Writes everything to the file, which is not synced yet. Nothing else may use the segments. */
static void save_begin(struct resume *r)
{
	const struct search *search = r->search;
	struct state_writer *w = &r->writer;
	struct state_totals totals = {
		.randomised = search->sup.randomised,
		.windows = search->lengthy.windows,
		.executions = resume_executions(search),
	};

	r->writing = true;
	r->saving_executions = totals.executions;
	totals.nanoseconds = r->earlier_ns + (wall_clock_ns() - search->start_ns);
	if (!r->identity.text)
		identity_make(&r->identity, search, search->maps);
	if (state_begin(w, r->path))
		return;
	state_put(w, SECTION_IDENTITY, r->identity.text, r->identity.size, NULL, 0);
	state_put(w, SECTION_TOTALS, &totals, sizeof(totals), NULL, 0);
	state_put(w, SECTION_LAYOUT, &search->seg.layout, sizeof(search->seg.layout), NULL, 0);
	if (search->maps)
		state_put(w, SECTION_MAPS, search->maps, strlen(search->maps) + 1, NULL, 0);
	put_findings(r, w);
	resume_memory_put(search, w);
	state_end(w);
}

static void save_end(struct resume *r)
{
	int error = state_commit(&r->writer);

	r->writing = false;
	if (!error) {
		r->saved_executions = r->saving_executions;
		r->failed = false;
		return;
	}
	if (!r->failed)
		say("--resume %s: the search cannot be saved now: %s; it goes on, and what was saved before is kept (%" PRIu64
			" executions)", r->dir, strerror(error), r->saved_executions);
	r->failed = true;
}

static uint64_t next_save(const struct resume *r)
{
	uint64_t now = wall_clock_ns(), gap = (now - r->search->start_ns) / 10, cost = (now - r->paused_ns) * COST_FACTOR;

	gap = gap < MIN_GAP_NS ? MIN_GAP_NS : gap > MAX_GAP_NS ? MAX_GAP_NS : gap;
	return now + (gap > cost ? gap : cost);
}

/* Restores the counts of operations before the checkpoint, which the new process counted again. With --isolation exec each process counts
   them for its own execution. */
static void restore_counts(struct resume *r)
{
	if (r->search->config.isolation != ISOLATION_EXEC)
		segment_set_early_counts(&r->search->seg, r->uncontrolled, r->native_children);
}

/* When a process reaches the checkpoint for the first time: checks that its memory addresses are the saved ones. */
static bool look(struct resume *r)
{
	char *maps;

	if (r->looked)
		return true;
	r->looked = true;
	if (!r->loaded || !r->search->maps) {
		sightings_look(r->search);
		if (r->search->sup.randomised && !r->search->opt.quiet)
			say("note: address randomisation cannot be disabled here, and memory cannot be moved: %s; no later run can continue this "
				"search", r->search->sup.unplaced);
		return true;
	}
	restore_counts(r);
	maps = proc_text_maps(r->search->seg.session->ctl.requests.main_pid);
	r->refused = !proc_text_same_addresses(r->search->maps, maps, r->search->sup.text, sizeof(r->search->sup.text));
	free(maps);
	return !r->refused;
}

/* Returns whether this run has started an execution. Before that there is nothing new to save, and the changes that executions make to
   files are unknown. */
static bool has_moved(const struct resume *r)
{
	return r->search->seg.session->ctl.execution.executions_started > r->started ||
	       resume_executions(r->search) > r->loaded_executions;
}

/* Returns whether this is a new process for the next execution (--isolation exec). At its checkpoint it has undone the previous execution's
   changes and made none itself, and its execution is already planned. So nothing must be saved now. */
static bool new_process(const struct search *search)
{
	return search->config.isolation == ISOLATION_EXEC && search->seg.session->ctl.execution.begun;
}

static bool on_pause(void *ctx)
{
	struct resume *r = ctx;

	if (!look(r))
		return false;
	if (resume_memory_can_put(r->search) && has_moved(r) && !new_process(r->search)) {
		/* one worker continues until it is between two executions; several wait for each other */
		r->paused_ns = r->search->workers.n > 1 ? r->search->sup.pause_asked_ns : wall_clock_ns();
		save_begin(r);
	}
	return true;
}

static void after_pause(void *ctx)
{
	struct resume *r = ctx;

	r->search->sup.pause_at_ns = 0; /* nothing was saved: pause again soon */
	if (!r->writing)
		return;
	save_end(r);
	r->search->sup.pause_at_ns = next_save(r);
}

/* Returns whether another run can start from the current state. */
static bool worth_saving(const struct search *search)
{
	return !search->sup.killed && (search->sup.end == SESSION_OVER || search->sup.end == SESSION_STOPPED) && resume_memory_can_put(search);
}

static void on_end(void *ctx)
{
	struct resume *r = ctx;

	r->kept = worth_saving(r->search);
	if (!r->kept || !(has_moved(r) || workers_finished(&r->search->workers, &r->search->seg)))
		return;
	save_begin(r);
	save_end(r);
}

void resume_watch(struct resume *r)
{
	r->put_back = false;
	r->search->sup.keep_ctx = r;
	r->search->sup.on_pause = on_pause;
	r->search->sup.after_pause = after_pause;
	r->search->sup.on_end = on_end;
}

bool resume_end(struct resume *r)
{
	if (r->refused) {
		say("--resume %s: %s", r->dir, r->search->sup.text);
		return false;
	}
	if (r->finished)
		return true;
	r->put_back = true; /* supervise() has restored the files */
	if (r->kept || r->search->sup.end != SESSION_STOPPED)
		return true;
	if (r->saved_executions)
		say("--resume %s: the last execution was not finished; the search continues from the state saved before it "
		    "(%" PRIu64 " executions)", r->dir, r->saved_executions);
	else
		say("--resume %s: the first execution was not finished; the next run starts the search from the beginning", r->dir);
	return true;
}

uint64_t resume_earlier_ns(const struct resume *r)
{
	return r->earlier_ns;
}

bool resume_is_finished(const struct resume *r)
{
	return r->finished;
}
