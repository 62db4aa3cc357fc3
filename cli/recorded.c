#include "cli/recorded.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/collect.h"
#include "cli/say.h"
#include "recorder/xalloc.h"

/* Variables of our own environment that recordings leave out: the terminal, secrets. */
static char **spare_env(void)
{
	size_t k = 0, own = 0;
	char **env;

	while (environ[own])
		own++;
	env = xcalloc(own + 1, sizeof(*env));
	for (size_t i = 0; i < own; i++)
		if (!collect_env_matters(environ[i]))
			env[k++] = environ[i];
	return env;
}

bool recorded_read(struct recorded *rec, const char *path)
{
	enum recording_error err;
	char message[1024];

	memset(rec, 0, sizeof(*rec));
	rec->path = path;
	rec->input.out_fd = rec->input.err_fd = rec->input.in_fd = -1;
	rec->recording = recording_read(rec->path, &err, message, sizeof(message));
	if (!rec->recording)
		say("%s", message);
	return rec->recording != NULL;
}

/* The program must be the one that was recorded. */
static bool open_program(struct recorded *rec)
{
	const struct recording *r = rec->recording;
	char why[SESSION_MESSAGE];

	if (!target_open_path(&rec->target, r->program, r->argv, r->env, why, sizeof(why))) {
		say("%s cannot be replayed here: %s", rec->path, why);
		return false;
	}
	rec->target.spare = rec->spare = spare_env();
	rec->target.size = (struct environment_size){r->env_entries, r->env_bytes};
	rec->target.stack_limit = r->stack_limit;
	rec->target.cwd = xstrdup(r->cwd);
	if (access(r->cwd, X_OK)) {
		say("%s cannot be replayed here: the directory it was recorded in, %s: %s", rec->path, r->cwd,
			strerror(errno));
		return false;
	}
	if (!rec->target.script && r->build_id[0] && strcmp(r->build_id, rec->target.build_id)) {
		say("%s was recorded with another build of %s (build-id %.12s..., now %.12s...); use that build, or "
		    "record the bug anew with: simul run -- %s",
			rec->path, r->program, r->build_id, rec->target.build_id, r->argv[0]);
		return false;
	}
	return true;
}

bool recorded_prepare(struct recorded *rec)
{
	char why[256];

	if (!open_program(rec) || !capture_open_file(&rec->input, rec->recording->stdin_file))
		return false;
	if (schedule_from_recording(&rec->schedule, rec->recording, why, sizeof(why)))
		return true;
	say("%s is damaged: %s", rec->path, why);
	return false;
}

struct rerun recorded_rerun(const struct recorded *rec, uint64_t hang_ns)
{
	const struct recording *r = rec->recording;

	return (struct rerun){
		.target = &rec->target,
		.input = &rec->input,
		.config = {
			.isolation = ISOLATION_AUTO,
			.threads = r->threads_backend,
			.spurious = r->spurious,
			.patience = r->patience,
			.max_steps = r->max_steps,
			.seed = r->seed,
			.start_time = r->start_time,
			.hang_ns = hang_ns,
			.patch = r->patch,
			.fail_on_race = r->fail_on_race,
			.memory_check = r->memory_check,
			.model = r->model,
			.robustness = r->robustness,
		},
		.patterns = r->patch_patterns,
		.schedule = &rec->schedule,
		.signature = r->signature,
	};
}

void recorded_close(struct recorded *rec)
{
	schedule_free(&rec->schedule);
	recording_free(rec->recording);
	target_close(&rec->target);
	capture_close(&rec->input);
	free(rec->spare);
}
