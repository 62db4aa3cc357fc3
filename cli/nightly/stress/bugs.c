#include "cli/nightly/stress/bugs.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/base/json_out.h"
#include "cli/bugs/finding_text.h"
#include "cli/nightly/stress/bug_location.h"
#include "cli/verdict/verdict.h"
#include "recorder/format/recording_file.h"
#include "recorder/recording.h"
#include "recorder/secrets.h"
#include "recorder/report/report.h"
#include "base/base_name.h"
#include "base/xalloc.h"

#define FORMER "former"
#define REPORT_WIDTH 110
#define REPORT_STEPS 300 /* the longest interleaving that is shown whole, as it is read in a browser */

void stress_bug_free(struct stress_bug *b)
{
	free(b->kind);
	free(b->title);
	free(b->message);
	free(b->recording);
	free(b->file);
	free(b->report);
	json_decref(b->flow);
	memset(b, 0, sizeof(*b));
}

char *bugs_line(const struct stress_bug *b)
{
	return xasprintf("%s%s", b->title, b->confirmed ? "" : " (unconfirmed: it did not happen again)");
}

/* Returns whether the text names this line: "queue_test.cc:41". */
static bool names_line(const char *text, const char *place)
{
	for (const char *at = text; (at = strstr(at, place)); at++)
		if (!isdigit((unsigned char)at[strlen(place)]))
			return true;
	return false;
}

/* Returns the title that simul run prints; for a failing exit status, with the location of the failed check, since the
   stack is in libc. malloc()ed. */
static char *title_of(const struct stress_bug *b, const struct recording *r)
{
	char *place, *title = NULL;

	if (r->failure.kind != BUG_EXIT)
		return verdict_bug_text(r);
	if (!b->file)
		return xstrdup(r->failure.message);
	place = xasprintf("%s:%d", base_name(b->file), b->line);
	if (!names_line(r->failure.message, place))
		title = xasprintf("%s (%s)", r->failure.message, place);
	free(place);
	return title ? title : xstrdup(r->failure.message);
}

static void describe(struct stress_bug *b, const struct recording *r, const struct stress_test *t)
{
	struct report_options look = {.width = REPORT_WIDTH, .all = r->n_steps <= REPORT_STEPS};
	size_t size;
	FILE *out = open_memstream(&b->report, &size);

	INVARIANT(out, "out of memory");
	finding_show(out, r, look, NULL);
	INVARIANT(fclose(out) == 0, "out of memory");
	b->kind = xstrdup(bug_kind_text(r->failure.kind));
	b->message = xstrdup(r->failure.message);
	b->signature = r->failure.signature;
	b->confirmed = r->confirmed > 0;
	b->flow = location_flow(r);
	location_of_bug(b, r, t);
	b->title = title_of(b, r);
}

static struct stress_bug *add_bug(struct stress_test *t)
{
	t->bug = xgrow(t->bug, t->n_bugs, sizeof(*t->bug));
	memset(&t->bug[t->n_bugs], 0, sizeof(*t->bug));
	return &t->bug[t->n_bugs++];
}

/* ---- recordings of earlier runs ---- */

static void move_away(struct stress_test *t, const char *path)
{
	const char *base = strrchr(path, '/') + 1;
	char *dir = xasprintf("%s/" FORMER, t->files.recordings), *to = xasprintf("%s/%s", dir, base);

	if ((mkdir(dir, 0777) && errno != EEXIST) || rename(path, to))
		stress_note(t, "cannot move %s away: %s", base, strerror(errno));
	free(dir);
	free(to);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Returns the paths of the recordings of t, sorted, malloc()ed. */
static char **recordings_of(struct stress_test *t, size_t *n)
{
	const char *dir = t->files.recordings;
	struct dirent *entry;
	char **names = NULL;
	DIR *d = opendir(dir);

	*n = 0;
	if (!d && errno != ENOENT)
		stress_note(t, "cannot read its recordings in %s: %s", dir, strerror(errno));
	while (d && (entry = readdir(d))) {
		const char *dot = strrchr(entry->d_name, '.');

		if (!dot || strcmp(dot, ".simul"))
			continue;
		names = xgrow(names, *n, sizeof(*names));
		names[(*n)++] = xasprintf("%s/%s", dir, entry->d_name);
	}
	if (d)
		closedir(d);
	if (*n)
		qsort(names, *n, sizeof(*names), by_name);
	return names;
}

/* Returns whether the recording runs what the test runs. Anybody who may write to a shared database could put a recording of another
   program there. */
static bool runs_the_same(const struct recording *r, const struct stress_test *t)
{
	const struct rec_start *start = &r->start;
	const struct stress_listed *l = &t->listed;

	return start->argv[0] && l->argv[0] && !strcmp(start->argv[0], l->argv[0]) && secret_same_arguments(start->argv, l->argv, NULL) &&
	       !strcmp(start->program, t->files.path) && (!l->cwd || !start->cwd || !strcmp(start->cwd, l->cwd));
}

static void load(struct stress_test *t, char *path)
{
	enum recording_error err;
	char message[1024];
	struct recording *r = recording_read(path, &err, message, sizeof(message));
	bool same_build = r && (!t->files.build_id || !t->files.build_id[0] || !strcmp(r->start.build_id, t->files.build_id));
	struct stress_bug *b;

	if (!r)
		stress_note(t, "%s", message);
	else if (!same_build)
		stress_note(t, "%s is of another build of the program and was moved to " FORMER "/", strrchr(path, '/') + 1);
	else if (t->sharing.shared && !runs_the_same(r, t)) {
		same_build = false;
		stress_note(t, "%s runs something else than the test and was moved to " FORMER "/", strrchr(path, '/') + 1);
	}
	if (same_build) {
		b = add_bug(t);
		describe(b, r, t);
		b->recording = xstrdup(path);
		b->earlier = true;
	} else {
		move_away(t, path);
	}
	recording_free(r);
}

void bugs_load(struct stress_test *t)
{
	size_t n;
	char **names = recordings_of(t, &n);

	for (size_t i = 0; i < n; i++) {
		load(t, names[i]);
		free(names[i]);
	}
	free(names);
}

void bugs_check(struct stress_test *t)
{
	for (size_t k = t->n_bugs; k-- > 0;) {
		enum recording_error err;
		char message[1024];
		struct recording *r = t->bug[k].recording ? recording_read(t->bug[k].recording, &err, message, sizeof(message)) : NULL;

		if (t->bug[k].recording && (!r || !runs_the_same(r, t))) {
			stress_note(t, "%s", r ? "a recording runs something else than the test, and was moved to " FORMER "/" : message);
			bugs_drop(t, k);
		}
		recording_free(r);
	}
}

void bugs_drop(struct stress_test *t, size_t k)
{
	if (t->bug[k].recording)
		move_away(t, t->bug[k].recording);
	stress_bug_free(&t->bug[k]);
	memmove(&t->bug[k], &t->bug[k + 1], (t->n_bugs - k - 1) * sizeof(*t->bug));
	t->n_bugs--;
}

/* ---- results of a search ---- */

static const char *text_of(const json_t *o, const char *key)
{
	const char *text = json_string_value(json_object_get(o, key));

	return text ? text : "";
}

static struct stress_bug *known(const struct stress_test *t, const char *recording)
{
	for (size_t i = 0; i < t->n_bugs; i++)
		if (t->bug[i].recording && !strcmp(t->bug[i].recording, recording))
			return &t->bug[i];
	return NULL;
}

/* Each slice of the search reports a bug without a recording again. */
static bool reported_before(const struct stress_test *t, const struct stress_bug *b)
{
	for (size_t i = 0; i + 1 < t->n_bugs; i++)
		if (!t->bug[i].recording && !strcmp(t->bug[i].title, b->title) && !strcmp(t->bug[i].message, b->message))
			return true;
	return false;
}

static void take(struct stress_test *t, const json_t *o)
{
	const char *recording = text_of(o, "recording"), *where = text_of(o, "where");
	struct stress_bug *b = known(t, recording);
	enum recording_error err;
	char message[1024];
	struct recording *r;

	if (b)
		return;
	b = add_bug(t);
	r = *recording ? recording_read(recording, &err, message, sizeof(message)) : NULL;
	if (r) {
		describe(b, r, t);
		b->recording = xstrdup(recording);
	} else {
		b->kind = xstrdup(text_of(o, "kind"));
		b->title = xasprintf("%s%s%s", b->kind, *where ? " at " : "", where);
		b->message = xstrdup(text_of(o, "message"));
	}
	b->confirmed = json_is_true(json_object_get(o, "confirmed"));
	recording_free(r);
	if (!b->recording && reported_before(t, b))
		bugs_drop(t, t->n_bugs - 1);
}

void bugs_add(struct stress_test *t, const struct recording *r)
{
	describe(add_bug(t), r, t);
}

void bugs_from_run(struct stress_test *t)
{
	const json_t *list = json_object_get(t->run, "bugs"), *o;
	size_t i;

	json_array_foreach(list, i, o)
		take(t, o);
}
