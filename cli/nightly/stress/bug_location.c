/* Finds the source location of a bug. */
#include "cli/nightly/stress/bug_location.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "cli/base/json_out.h"
#include "recorder/report/report.h"
#include "recorder/said.h"

#define REPORT_WIDTH 110
#define FLOW_MOST 500 /* maximum number of steps; the last ones are kept */

const char *location_in_sources(const char *path)
{
	const char *top = getenv("GITHUB_WORKSPACE");
	char here[PATH_MAX];
	size_t n;

	if (!top || !*top)
		top = getcwd(here, sizeof(here));
	n = top ? strlen(top) : 0;
	while (n > 1 && top[n - 1] == '/')
		n--;
	if (n > 1 && !strncmp(path, top, n) && path[n] == '/')
		return path + n + 1;
	return !strncmp(path, "./", 2) ? path + 2 : path;
}

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
	b->file = xstrdup(location_in_sources(file));
	b->line = line;
}

/* Returns the file name given to the compiler ("../src/q.cc") for `file`, from a frame of the recording in that file. malloc()ed; NULL:
   there is no such frame. */
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

/* For a failing exit status, whose stack has no useful location: uses the location of the failed check in the output. false: there is none. */
static bool place_said(struct stress_bug *b, const struct recording *r)
{
	struct said said;
	char *known;

	if (r->failure.kind != BUG_EXIT || !said_find(r->failure.output, &said))
		return false;
	known = known_file(r, said.path);
	place_at(b, known ? known : said.path, said.number);
	free(known);
	return true;
}

/* Uses the position of the failing thread; for a test that its framework failed after it returned, the position of the test. */
void location_of_bug(struct stress_bug *b, const struct recording *r, const struct stress_test *t)
{
	const struct rec_frame *f = line_of(&r->failure.stack);

	if (place_said(b, r))
		return;
	if (!f && r->failure.thread < r->n_threads)
		f = line_of(&r->threads[r->failure.thread].stack);
	for (size_t i = r->n_steps; !f && !t->listed.file && i-- > 0;)
		f = line_of(&r->steps[i].stack);
	if (f) {
		char *path = frame_path(f);

		place_at(b, path, f->line);
		free(path);
	} else if (t->listed.file) {
		place_at(b, t->listed.file, t->listed.line);
	}
}

/* Returns the steps in order, for SARIF's code flow. */
json_t *location_flow(const struct recording *r)
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
		json_object_set_new(o, "file", json_text(location_in_sources(path)));
		json_object_set_new(o, "line", json_integer(f->line));
		json_object_set_new(o, "text", json_text(text + strspn(text, " ")));
		json_array_append_new(flow, o);
		free(path);
		free(text);
	}
	return flow;
}
