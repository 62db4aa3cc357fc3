#include "cli/bugs/finding_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base_name.h"
#include "base/xalloc.h"
#include "cli/base/say.h"
#include "cli/bugs/finding.h"
#include "cli/bugs/kept_files.h"
#include "cli/bugs/rerun.h"
#include "cli/collect/origin.h"
#include "cli/supervise/search.h"
#include "recorder/format/recording_file.h"

#define MAX_FILES 100000

/* ---- the recording ---- */

static bool same_bug_there(const char *path, const struct recording *r)
{
	enum recording_error err;
	char message[512];
	struct recording *old = recording_read(path, &err, message, sizeof(message));
	bool same = old && old->failure.signature == r->failure.signature && old->failure.kind == r->failure.kind &&
		    !strcmp(old->start.program, r->start.program) && !strcmp(old->start.build_id, r->start.build_id);

	recording_free(old);
	return same;
}

static char *finding_file_name(const struct search *search, const struct recording *r)
{
	const char *base = base_name(search->target.path);
	bool here = !strcmp(search->opt.output_dir, ".");

	for (unsigned k = 1; k < MAX_FILES; k++) {
		char *path = here ? xasprintf("%s-%u.simul", base, k)
				  : xasprintf("%s/%s-%u.simul", search->opt.output_dir, base, k);

		if (access(path, F_OK) || same_bug_there(path, r))
			return path;
		free(path);
	}
	return NULL;
}

/* Saves the data read from a pipe beside the recording, so that a replay can read it again. */
static void keep_stdin(const struct search *search, const char *path, struct recording *r)
{
	char *name;

	if (!capture_stdin_is_pipe(&search->capture))
		return;
	name = xasprintf("%s.stdin", path);
	if (capture_save_stdin(&search->capture, name)) {
		free(r->start.stdin_file);
		r->start.stdin_file = realpath(name, NULL);
	}
	free(name);
}

char *finding_write(const struct search *search, struct recording *r)
{
	const char *why = NULL;
	char *path = finding_file_name(search, r);
	int error;

	if (!path) {
		say("%s holds too many recordings; choose another directory with --output", search->opt.output_dir);
		return NULL;
	}
	keep_stdin(search, path, r);
	origin_sign(r);
	error = recording_write(r, path, &why);
	if (!error)
		return path;
	say("cannot write the recording %s: %s", path, why ? why : strerror(-error));
	free(path);
	return NULL;
}

/* ---- --keep-files ---- */

struct keeping {
	const struct search *search;
	const struct finding *finding;
	bool done;
	unsigned n;
};

static void keep_at_end(void *ctx, const struct segment *seg, const struct capture *output, pid_t pid,
	const struct confirm_outcome *outcome)
{
	struct keeping *k = ctx;

	if (outcome->kind != CONFIRM_SAME)
		return;
	k->n = kept_files_copy(seg, k->search->opt.keep_files, k->finding->path);
	k->done = true;
}

void finding_keep_files(const struct search *search, const struct finding *f)
{
	struct keeping k = {.search = search, .finding = f};
	struct confirm_outcome out;
	struct schedule schedule;
	char why[256];

	if (!search->opt.keep_files || !f->path || !f->same)
		return;
	if (!schedule_from_recording(&schedule, f->recording, why, sizeof(why))) {
		say("--keep-files: %s", why);
		return;
	}
	struct rerun r = rerun_of_search(search, &schedule);

	r.signature = f->recording->failure.signature;
	r.at_end = keep_at_end;
	r.ctx = &k;
	r.config.settings = f->recording->settings;
	rerun_once(&r, &out);
	if (k.done)
		kept_files_tell(k.n, search->opt.keep_files, f->path);
	else
		say("--keep-files: the failure could not be reproduced, so no file was copied");
	schedule_free(&schedule);
}
