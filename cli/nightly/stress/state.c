#include "cli/nightly/stress/state.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/whole_file.h"
#include "base/xalloc.h"
#include "cli/base/json_out.h"
#include "cli/base/own_directory.h"
#include "cli/base/say.h"
#include "cli/nightly/stress/bugs.h"
#include "cli/resume/state_file.h"
#include "cli/resume/state_identity.h"

#define HEAD "simul-stress"
#define LAYOUT "simul stress state, layout 1\n"
#define NAME_SHOWN 60 /* of a test's name in file names */

/* ---- the directory ---- */

/* Creates the directory if it is missing. Returns its absolute path, malloc()ed. NULL: it cannot be used; one message was printed. */
static char *make_directory(const char *option, const char *dir)
{
	char *shown, *real = NULL;

	if (!*dir) {
		say("stress: --%s: the directory name is empty", option);
		return NULL;
	}
	shown = xasprintf("stress: --%s", option);
	if (own_directory(shown, dir) && !(real = realpath(dir, NULL)))
		say("%s %s: cannot write there: %s", shown, dir, strerror(errno));
	free(shown);
	return real;
}

/* The locked file has the version of the layout, and after it the id of the process that uses the directory. */
static bool check_head(struct stress *s)
{
	char text[256] = "", pid[32];
	ssize_t n = pread(s->lock, text, sizeof(text) - 1, 0);
	int length;

	if (n < 0) {
		say("stress: --state %s: " HEAD " cannot be read: %s", s->opt.state, strerror(errno));
		return false;
	}
	if (n && strncmp(text, LAYOUT, strlen(LAYOUT))) {
		say("stress: --state %s: another version of simul wrote this, or it is no state of simul; use another directory, or remove this "
			"one", s->opt.state);
		return false;
	}
	length = snprintf(pid, sizeof(pid), "%d\n", (int)getpid());
	if (ftruncate(s->lock, 0) || pwrite(s->lock, LAYOUT, strlen(LAYOUT), 0) != (ssize_t)strlen(LAYOUT) ||
		pwrite(s->lock, pid, (size_t)length, (off_t)strlen(LAYOUT)) != length) {
		say("stress: --state %s: cannot write there: %s", s->opt.state, strerror(errno ? errno : ENOSPC));
		return false;
	}
	return true;
}

/* Prints why the lock was not granted, by errno of flock. Returns false. */
static bool refuse_second(const struct stress *s)
{
	char text[256] = "";
	const char *pid = "0";

	if (errno != EWOULDBLOCK) {
		say("stress: --state %s: cannot lock the directory: %s", s->opt.state, strerror(errno));
		return false;
	}
	if (pread(s->lock, text, sizeof(text) - 1, 0) > (ssize_t)strlen(LAYOUT))
		pid = text + strlen(LAYOUT);
	say("stress: --state %s: another simul stress (process %d) is using it; wait for it, or use another directory",
		s->opt.state, atoi(pid));
	return false;
}

static bool take_state(struct stress *s)
{
	char *head;

	s->state = make_directory("state", s->opt.state);
	if (!s->state)
		return false;
	head = xasprintf("%s/" HEAD, s->state);
	s->lock = own_file(head, O_RDWR | O_CREAT);
	free(head);
	if (s->lock < 0) {
		say("stress: --state %s: cannot write there: %s", s->opt.state, strerror(errno));
		return false;
	}
	return flock(s->lock, LOCK_EX | LOCK_NB) ? refuse_second(s) : check_head(s);
}

/* Makes a directory for this run alone: searches go on in it from slice to slice, and with --search it has copies of what the database has. */
static bool take_temporary(struct stress *s)
{
	const char *in = getenv("TMPDIR");
	char *dir = xasprintf("%s/simul-stress-XXXXXX", in && *in ? in : "/tmp");

	if (!mkdtemp(dir)) {
		say("stress: cannot create a directory for temporary files, %s: %s", dir, strerror(errno));
		free(dir);
		return false;
	}
	s->state = dir;
	s->passing = true;
	return true;
}

bool state_take(struct stress *s)
{
	char *inside;

	s->lock = -1;
	if (s->opt.state ? !take_state(s) : !take_temporary(s))
		return false;
	if (s->opt.output || s->passing) {
		s->output = make_directory("output", s->opt.output ? s->opt.output : "simul-stress");
		return s->output != NULL;
	}
	inside = xasprintf("%s/recordings", s->state);
	s->output = make_directory("state", inside);
	free(inside);
	return s->output != NULL;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	return remove(path);
}

/* Removes the directories of tests without a recording, which `simul run --output` has made. */
static void remove_empty(const struct stress *s)
{
	for (size_t i = 0; i < s->tests.n; i++)
		if (s->tests.test[i].files.recordings)
			rmdir(s->tests.test[i].files.recordings);
}

void state_leave(struct stress *s)
{
	if (s->output)
		remove_empty(s);
	if (s->output && s->passing && !s->opt.output)
		rmdir(s->output);
	if (s->passing)
		nftw(s->state, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	if (s->lock >= 0)
		close(s->lock);
	free(s->state);
	free(s->output);
}

/* ---- the files of a test ---- */

static uint64_t hash(uint64_t h, const char *text)
{
	return hash_bytes(h, text, strlen(text) + 1);
}

char *state_key(const struct stress_test *t)
{
	uint64_t h = hash(hash(HASH_START, t->suite), t->name);
	char *key = xasprintf("%.*s-%08x", NAME_SHOWN, t->name, (unsigned)(h ^ h >> 32));

	for (char *c = key; *c; c++)
		if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-", *c))
			*c = '_';
	return key;
}

static bool make(const char *option, const char *dir)
{
	char *real = make_directory(option, dir);

	free(real);
	return real != NULL;
}

static bool make_inside(const struct stress *s, const char *name)
{
	char *dir = xasprintf("%s/%s", s->state, name);
	bool ok = make("state", dir);

	free(dir);
	return ok;
}

bool state_place(struct stress *s)
{
	if (s->state && (!make_inside(s, "searches") || !make_inside(s, "results")))
		return false;
	for (size_t i = 0; i < s->tests.n; i++) {
		struct stress_test *t = &s->tests.test[i];
		char *key = state_key(t);

		t->files.recordings = xasprintf("%s/%s", s->output, key);
		if (s->state) {
			t->files.search = xasprintf("%s/searches/%s", s->state, key);
			t->files.record = xasprintf("%s/results/%s.json", s->state, key);
		}
		free(key);
	}
	return true;
}

/* ---- the saved state of a test ---- */

json_t *state_setup(const struct stress *s, const struct stress_test *t)
{
	char *none[] = {NULL}, *here = t->listed.cwd ? NULL : getcwd(NULL, 0);
	json_t *o = json_object();

	json_object_set_new(o, "command", json_masked(t->listed.argv ? t->listed.argv : none, false));
	json_object_set_new(o, "directory", json_text(t->listed.cwd ? t->listed.cwd : here));
	json_object_set_new(o, "environment", json_masked(t->listed.env ? t->listed.env : none, true));
	json_object_set_new(o, "options", json_strings(s->passed));
	json_object_set_new(o, "keep_going", json_boolean(s->opt.keep_going));
	free(here);
	return o;
}

/* Returns the path of the file in which `simul run --resume` saves the search. malloc()ed. */
static char *search_file(const struct stress_test *t)
{
	return xasprintf("%s/simul-state", t->files.search);
}

/* Returns whether the program and its libraries are those of the search. */
static bool same_files(const struct stress_test *t, char *why, size_t size)
{
	struct target target = {.path = t->files.path};
	char *path = search_file(t);
	struct state_reader file;
	enum state_section section;
	const void *data;
	size_t length;
	bool same = false;

	text_set(why, size, "its saved state cannot be read"); /* also if it does not identify the program */
	if (state_open(&file, path) != STATE_GOOD) {
		free(path);
		return false;
	}
	free(path);
	if (target_library(&target, why, size))
		while (state_next(&file, &section, &data, &length))
			if (section == SECTION_IDENTITY)
				same = identity_same_files(&target, data, length, why, size);
	free(target.library);
	state_close(&file);
	return same;
}

/* Returns whether another simul is running this search. */
static bool in_use(const struct stress_test *t)
{
	char *path = xasprintf("%s/simul-lock", t->files.search);
	int fd = own_file(path, O_RDWR);
	bool used = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK;

	free(path);
	if (fd >= 0)
		close(fd);
	return used;
}

bool state_restart(struct stress_test *t, const char *why)
{
	const char *problem = NULL;

	if (access(t->files.search, F_OK))
		return true;
	if (in_use(t))
		problem = "another simul is running it";
	else if (nftw(t->files.search, remove_one, 16, FTW_DEPTH | FTW_PHYS))
		problem = strerror(errno);
	if (problem) {
		stress_note(t, "cannot remove the search, which cannot continue (%s): %s", why, problem);
		return false;
	}
	stress_note(t, "the search starts over: %s", why);
	t->restarts++;
	return true;
}

/* Takes over the result of a finished search. If a recording was removed, the search runs again, to report that bug again. */
static void skip(struct stress_test *t, const json_t *record)
{
	t->run = json_incref(json_object_get(record, "run"));
	bugs_from_run(t);
	t->over = t->unchanged = true;
	for (size_t i = t->n_bugs; i-- > 0;) {
		if (t->bug[i].recording)
			continue;
		bugs_drop(t, i);
		t->over = t->unchanged = false;
	}
	if (t->over)
		return;
	json_decref(t->run);
	t->run = NULL;
}

void state_recall(struct stress *s, struct stress_test *t)
{
	json_t *record, *setup;
	char why[1200] = "", *file;
	bool same;

	if (!t->files.record || !t->files.path)
		return;
	record = json_load_file(t->files.record, 0, NULL);
	setup = state_setup(s, t);
	same = record && json_equal(setup, json_object_get(record, "setup"));
	if (!same)
		text_set(why, sizeof(why), record ? "its command, its directory or the options have changed" : "its saved result is missing or damaged");
	file = search_file(t);
	if (!access(file, F_OK)) {
		if (!same || !same_files(t, why, sizeof(why)))
			state_restart(t, why);
		else if (json_is_true(json_object_get(record, "over")))
			skip(t, record);
		else
			t->sharing.wide = s->night && json_is_true(json_object_get(record, "wide"));
	}
	free(file);
	json_decref(setup);
	json_decref(record);
}

void state_record(struct stress *s, struct stress_test *t)
{
	const char *why = NULL;
	json_t *o;
	char *text;
	int error;

	if (!t->files.record)
		return;
	o = json_object();
	json_object_set_new(o, "name", json_text(t->name));
	json_object_set_new(o, "setup", state_setup(s, t));
	json_object_set_new(o, "status", json_text(stress_status_text(t->status)));
	json_object_set_new(o, "over", json_boolean(t->over));
	json_object_set_new(o, "wide", json_boolean(t->sharing.wide));
	if (t->run)
		json_object_set(o, "run", t->run);
	text = json_dumps(o, JSON_INDENT(1));
	error = text ? write_whole(t->files.record, text, strlen(text), 0600, &why) : -ENOMEM;
	if (error && !s->record_failed) {
		say("stress: --state %s: cannot save results: %s%s%s; the next run will not have them", s->opt.state, why ? why : "",
			why ? ": " : "", strerror(-error));
		s->record_failed = true;
	}
	free(text);
	json_decref(o);
}
