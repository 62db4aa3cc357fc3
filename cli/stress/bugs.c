#include "cli/stress/bugs.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/json_out.h"
#include "cli/run.h"
#include "cli/stress/output.h"
#include "recorder/recording.h"
#include "recorder/report.h"
#include "recorder/xalloc.h"

#define FORMER "former"
#define REPORT_WIDTH 110
#define REPORT_STEPS 300 /* of an interleaving that is shown whole: it is read in a browser */
#define FLOW_MOST 500 /* steps; of more the last ones */

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

const char *bugs_source_path(const char *path)
{
	const char *top = getenv("GITHUB_WORKSPACE");
	char here[PATH_MAX];
	size_t n;

	if (!top || !*top)
		top = getcwd(here, sizeof(here));
	n = top ? strlen(top) : 0;
	if (n > 1 && !strncmp(path, top, n) && path[n] == '/')
		return path + n + 1;
	return !strncmp(path, "./", 2) ? path + 2 : path;
}

/* ---- places ---- */

static const struct rec_frame *line_of(const struct rec_stack *stack)
{
	const struct rec_frame *f = rec_stack_user_frame(stack);

	return f && f->flags & REC_FRAME_USER && f->file && f->line > 0 ? f : NULL;
}

static char *frame_path(const struct rec_frame *f)
{
	char *path = f->dir && f->file[0] != '/' ? xasprintf("%s/%s", f->dir, f->file) : xstrdup(f->file), *real = realpath(path, NULL);

	if (!real)
		return path;
	free(path);
	return real;
}

static void place_at(struct stress_bug *b, const char *file, int line)
{
	b->file = xstrdup(bugs_source_path(file));
	b->line = line;
}

/* `file`, as the compiler was told its name ("../src/q.cc"), where some frame of the recording is of it. malloc()ed; NULL: none is. */
static char *known_file(const struct recording *r, const char *file)
{
	while (!strncmp(file, "./", 2) || !strncmp(file, "../", 3))
		file = strchr(file, '/') + 1;
	for (size_t i = 0; i < r->n_steps && file[0] != '/'; i++)
		for (size_t k = 0; k < r->steps[i].stack.n; k++) {
			char *path = r->steps[i].stack.frame[k].file ? frame_path(&r->steps[i].stack.frame[k]) : NULL;
			size_t n = path ? strlen(path) : 0, end = strlen(file);

			if (n > end && path[n - end - 1] == '/' && !strcmp(path + n - end, file))
				return path;
			free(path);
		}
	return NULL;
}

/* With a failing exit status the stack says nothing: where the framework says that a check failed, if it does. */
static bool place_said(struct stress_bug *b, const struct recording *r)
{
	char *file, *known;
	int line;

	if (r->bug_kind != BUG_EXIT || !output_place(r->output, &file, &line))
		return false;
	known = known_file(r, file);
	place_at(b, known ? known : file, line);
	free(known);
	free(file);
	return true;
}

/* Where the failing thread was; a test that its framework failed after it had returned: where that test stands. */
static void set_place(struct stress_bug *b, const struct recording *r, const struct stress_test *t)
{
	const struct rec_frame *f = line_of(&r->stack);

	if (place_said(b, r))
		return;
	if (!f && r->bug_thread < r->n_threads)
		f = line_of(&r->threads[r->bug_thread].stack);
	for (size_t i = r->n_steps; !f && !t->file && i-- > 0;)
		f = line_of(&r->steps[i].stack);
	if (f) {
		char *path = frame_path(f);

		place_at(b, path, f->line);
		free(path);
	} else if (t->file) {
		place_at(b, t->file, t->line);
	}
}

/* What SARIF shows as a code flow: the steps in their order. */
static json_t *flow_of(const struct recording *r)
{
	struct report_options look = {.width = REPORT_WIDTH};
	json_t *flow = json_array();

	for (size_t i = r->n_steps > FLOW_MOST ? r->n_steps - FLOW_MOST : 0; i < r->n_steps; i++) {
		const struct rec_frame *f = line_of(&r->steps[i].stack);
		char *text = NULL, *path;
		size_t size;
		FILE *out;
		json_t *o;

		if (!f)
			continue;
		out = open_memstream(&text, &size);
		INVARIANT(out, "out of memory");
		report_step_line(out, r, i, &look);
		INVARIANT(fclose(out) == 0, "out of memory");
		text[strcspn(text, "\n")] = 0;
		path = frame_path(f);
		o = json_object();
		json_object_set_new(o, "step", json_number(i + 1));
		json_object_set_new(o, "thread", json_text(r->steps[i].thread < r->n_threads ? r->threads[r->steps[i].thread].path : ""));
		json_object_set_new(o, "file", json_text(bugs_source_path(path)));
		json_object_set_new(o, "line", json_integer(f->line));
		json_object_set_new(o, "text", json_text(text + strspn(text, " ")));
		json_array_append_new(flow, o);
		free(path);
		free(text);
	}
	return flow;
}

/* As simul run says it, but for a failing exit status, whose place would be one in libc. malloc()ed. */
static char *title_of(const struct stress_bug *b, const struct recording *r)
{
	const char *base = b->file ? strrchr(b->file, '/') : NULL;

	if (r->bug_kind != BUG_EXIT)
		return verdict_bug_text(r);
	return b->file ? xasprintf("%s (%s:%d)", r->message, base ? base + 1 : b->file, b->line) : xstrdup(r->message);
}

static void describe(struct stress_bug *b, const struct recording *r, const struct stress_test *t)
{
	struct report_options look = {.width = REPORT_WIDTH, .all = r->n_steps <= REPORT_STEPS};
	size_t size;
	FILE *out = open_memstream(&b->report, &size);

	INVARIANT(out, "out of memory");
	report_bug_summary(out, r, &look);
	findings_show_output(out, r->output);
	INVARIANT(fclose(out) == 0, "out of memory");
	b->kind = xstrdup(bug_kind_text(r->bug_kind));
	b->message = xstrdup(r->message);
	b->signature = r->signature;
	b->confirmed = r->confirmed > 0;
	b->flow = flow_of(r);
	set_place(b, r, t);
	b->title = title_of(b, r);
}

static struct stress_bug *add(struct stress_test *t)
{
	t->bug = xgrow(t->bug, t->n_bugs, sizeof(*t->bug));
	memset(&t->bug[t->n_bugs], 0, sizeof(*t->bug));
	return &t->bug[t->n_bugs++];
}

/* ---- recordings of earlier runs ---- */

static void move_away(struct stress_test *t, const char *path)
{
	const char *base = strrchr(path, '/') + 1;
	char *dir = xasprintf("%s/" FORMER, t->recordings), *to = xasprintf("%s/%s", dir, base);

	if ((mkdir(dir, 0777) && errno != EEXIST) || rename(path, to))
		stress_note(t, "%s cannot be moved away: %s", base, strerror(errno));
	free(dir);
	free(to);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The names of the recordings there, sorted, malloc()ed. */
static char **recordings_in(const char *dir, size_t *n)
{
	struct dirent *entry;
	char **names = NULL;
	DIR *d = opendir(dir);

	*n = 0;
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

static void load(struct stress_test *t, char *path)
{
	enum recording_error err;
	char message[1024];
	struct recording *r = recording_read(path, &err, message, sizeof(message));
	bool same_build = r && (!t->build_id || !t->build_id[0] || !strcmp(r->build_id, t->build_id));
	struct stress_bug *b;

	if (!r)
		stress_note(t, "%s", message);
	else if (!same_build)
		stress_note(t, "%s is of another build of the program, and was put to " FORMER "/", strrchr(path, '/') + 1);
	if (same_build) {
		b = add(t);
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
	char **names = recordings_in(t->recordings, &n);

	for (size_t i = 0; i < n; i++) {
		load(t, names[i]);
		free(names[i]);
	}
	free(names);
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

static void take(struct stress_test *t, const json_t *o)
{
	const char *recording = text_of(o, "recording"), *where = text_of(o, "where");
	struct stress_bug *b = known(t, recording);
	enum recording_error err;
	char message[1024];
	struct recording *r;

	if (b)
		return;
	b = add(t);
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
}

void bugs_from_run(struct stress_test *t)
{
	const json_t *list = json_object_get(t->run, "bugs"), *o;
	size_t i;

	json_array_foreach(list, i, o)
		take(t, o);
}
