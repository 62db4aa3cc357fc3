#include "cli/replay/recorded.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli/collect/collect.h"
#include "cli/collect/origin.h"
#include "cli/base/say.h"
#include "cli/collect/kept_env.h"
#include "base/xalloc.h"
#include "recorder/format/recording_file.h"

/* ---- its environment ---- */

const char *const recorded_env_choices[] = {"recorded", "current", NULL};

/* Returns whether the variable makes ld.so or libc load code, or read or write the files it names. */
static bool steers_loader(const char *entry)
{
	static const char *const names[] = {"GCONV_PATH=", "GETCONF_DIR=", "GLIBC_TUNABLES=", "HOSTALIASES=", "LOCALDOMAIN=", "LOCPATH=",
		"MALLOC_TRACE=", "NIS_PATH=", "NLSPATH=", "RESOLV_HOST_CONF=", "RES_OPTIONS=", "TMPDIR=", "TZDIR=", NULL};

	if (!strncmp(entry, "LD_", 3))
		return true;
	for (size_t i = 0; names[i]; i++)
		if (!strncmp(entry, names[i], strlen(names[i])))
			return true;
	return false;
}

/* Appends to *env the entries of `from` for which steers_loader returns `steers`. */
static void add_entries(char ***env, size_t *n, char **from, bool steers)
{
	for (; *from; from++) {
		if (steers_loader(*from) != steers)
			continue;
		*env = xgrow(*env, *n, sizeof(**env));
		(*env)[(*n)++] = *from;
	}
}

static void choose_env(struct recorded *rec)
{
	char **from = rec->choice == RECORDED_ENV ? rec->recording->start.env : environ;
	size_t n = 0;

	add_entries(&rec->env, &n, from, false);
	add_entries(&rec->env, &n, rec->ours ? from : environ, true);
	rec->env = xgrow(rec->env, n, sizeof(*rec->env));
	rec->env[n] = NULL;
}

/* Secrets in arguments are masked in the recording. This environment may have them. */
static void choose_arguments(struct recorded *rec)
{
	const struct recording *r = rec->recording;
	size_t n = 0, index;

	while (r->start.argv[n])
		n++;
	rec->argv = xcalloc(n + 1, sizeof(*rec->argv));
	memcpy(rec->argv, r->start.argv, n * sizeof(*rec->argv));
	for (char **h = r->start.hidden; *h; h++) {
		char *name = xasprintf("%.*s", (int)strcspn(*h, "="), *h), *value = getenv(name);

		if (value && kept_argument_index(*h, &index) && index < n)
			rec->argv[index] = value;
		free(name);
	}
}

bool recorded_read(struct recorded *rec, const char *path, uint32_t env)
{
	enum recording_error err;
	char message[1024];

	memset(rec, 0, sizeof(*rec));
	rec->path = path;
	rec->input.out_fd = rec->input.err_fd = rec->input.in_fd = -1;
	rec->recording = recording_read(rec->path, &err, message, sizeof(message));
	if (!rec->recording) {
		say("%s", message);
		return false;
	}
	if (rec->recording->failure.kind == BUG_NONE) {
		say("%s: this execution passed, so there is no failure to repeat; simul certify --from takes such a recording", path);
		recording_free(rec->recording);
		rec->recording = NULL;
		return false;
	}
	rec->choice = env;
	rec->ours = origin_is_ours(rec->recording, rec->why_not_ours, sizeof(rec->why_not_ours));
	choose_env(rec);
	choose_arguments(rec);
	return true;
}

/* Finds the program and checks that it is the recorded one. false: one message was printed. */
static bool open_program(struct recorded *rec)
{
	const struct recording *r = rec->recording;
	char why[SESSION_MESSAGE];
	struct rlimit limit;

	if (!target_open_path(&rec->target, r->start.program, rec->argv, rec->env, why, sizeof(why))) {
		say("%s cannot be replayed here: %s", rec->path, why);
		return false;
	}
	rec->target.spare = rec->spare = kept_env_spare();
	rec->target.size = (struct environment_size){r->start.env_entries, r->start.env_bytes};
	rec->target.stack_limit = r->start.stack_limit;
	free(rec->target.inherited);
	rec->target.inherited = xstrdup(r->start.inherited ? r->start.inherited : "");
	rec->target.cwd = xstrdup(r->start.cwd);
	if (access(r->start.cwd, X_OK)) {
		say("%s cannot be replayed here: the directory it was recorded in, %s: %s", rec->path, r->start.cwd,
			strerror(errno));
		return false;
	}
	if (!rec->target.script && !r->start.build_id[0]) {
		say("%s cannot be replayed: it does not name the build of %s it was made with", rec->path, r->start.program);
		return false;
	}
	if (getrlimit(RLIMIT_STACK, &limit) == 0 && r->start.stack_limit > limit.rlim_max) {
		say("%s cannot be replayed here: it was recorded with a larger stack limit than is allowed here (ulimit -Hs), so memory would have "
			"different addresses", rec->path);
		return false;
	}
	if (!rec->target.script && strcmp(r->start.build_id, rec->target.build_id)) {
		say("%s was recorded with another build of %s (build-id %.12s..., now %.12s...); use that build, or "
		    "record the bug again with: simul run -- %s",
			rec->path, r->start.program, r->start.build_id, rec->target.build_id, r->start.argv[0]);
		return false;
	}
	return true;
}

/* Returns whether this environment has the same value for a variable whose digest is in the recording ("NAME=DIGEST"). */
static bool same_secret(const char *hidden, const char *name)
{
	const char *value = getenv(name);
	char *entry, *digest;
	bool same;

	if (!value)
		return false;
	entry = xasprintf("%s=%s", name, value);
	digest = origin_digest(entry);
	same = digest && !strcmp(digest, hidden + strlen(name) + 1);
	free(digest);
	free(entry);
	return same;
}

/* Secret values are not in the recording, so this environment's are used. Warns if their digests show that they differ. Only the user who
   made the recording has the key for that. A missing argument is missing for all users. */
static void remark_secrets(const struct recorded *rec)
{
	char names[512] = "", arguments[512] = "";

	for (char **h = rec->recording->start.hidden; *h; h++) {
		char *name = xasprintf("%.*s", (int)strcspn(*h, "="), *h);
		bool argument = kept_argument_index(*h, &(size_t){0}), digest = strlen(name) + 1 < strlen(*h);
		bool differs = rec->ours && digest ? !same_secret(*h, name) : argument && !getenv(name);

		if (differs && argument)
			text_add(arguments, sizeof(arguments), "%s%s", arguments[0] ? ", " : "", name);
		else if (differs)
			text_add(names, sizeof(names), "%s%s", names[0] ? ", " : "", name);
		free(name);
	}
	if (arguments[0])
		say("%s: arguments with secrets are not in the recording, so the program gets asterisks instead; set these variables to the whole "
			"arguments: %s", rec->path, arguments);
	if (names[0])
		say("%s: these variables had other values when it was recorded, and the values are not in the recording: %s", rec->path, names);
}

bool recorded_prepare(struct recorded *rec)
{
	char why[256];

	if (!open_program(rec) || !capture_open_file(&rec->input, rec->recording->start.stdin_file))
		return false;
	remark_secrets(rec);
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
			.settings = r->settings,
			.hang_ns = hang_ns,
		},
		.patterns = r->patch_patterns,
		.schedule = &rec->schedule,
		.signature = r->failure.signature,
	};
}

void recorded_close(struct recorded *rec)
{
	schedule_free(&rec->schedule);
	recording_free(rec->recording);
	target_close(&rec->target);
	capture_close(&rec->input);
	free(rec->spare);
	free(rec->env);
	free(rec->argv);
}
