/* Runs the test without simul, then its search, slice by slice. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/exit_codes.h"
#include "cli/supervise/workers.h"
#include "cli/target/environment.h"
#include "cli/nightly/stress/bugs.h"
#include "cli/nightly/stress/last_line.h"
#include "cli/nightly/stress/native.h"
#include "cli/nightly/stress/night.h"
#include "cli/nightly/stress/plan.h"
#include "cli/nightly/stress/state.h"
#include "cli/nightly/stress/steps.h"
#include "cli/nightly/stress/string_list.h"
#include "base/xalloc.h"

#define SLACK_NS (120 * NS_PER_S) /* time that a search may take beyond its limit: to confirm, minimize, save */

#define RESUME "--resume " /* start of messages about a saved search; the directory follows */
#define OWN_NAME 7 /* "simul: " */
#define HELP_NS (20 * NS_PER_S)   /* after this time a machine looks for other work */
#define NARROW_NS (60 * NS_PER_S)

/* Returns whether the file is still the listed one. */
static bool same_file(const struct stress_test *t)
{
	struct stat now;

	return !stat(t->files.path, &now) && now.st_dev == t->files.file_was.st_dev && now.st_ino == t->files.file_was.st_ino &&
	       now.st_size == t->files.file_was.st_size && now.st_mtim.tv_sec == t->files.file_was.st_mtim.tv_sec &&
	       now.st_mtim.tv_nsec == t->files.file_was.st_mtim.tv_nsec;
}

static void search_plan(struct stress *s, struct stress_test *t, uint64_t slice, struct process_plan *plan)
{
	struct string_list w = {.n = 0};

	if (t->command)
		environment_free(t->command);
	strings_copy(&w, (char *[]){s->self, "run", "--quiet", "--json", "-", "--output", t->files.recordings, "--jobs", NULL});
	strings_take(&w, xasprintf("%u", plan->processors < WORKERS_MOST ? plan->processors : WORKERS_MOST));
	if (slice) {
		strings_copy(&w, (char *[]){"--time", NULL});
		strings_take(&w, xasprintf("%.3fs", (double)slice / 1e9));
	}
	if (t->sharing.wide)
		strings_copy(&w, (char *[]){"--search", (char *)s->opt.search, NULL});
	else if (t->files.search)
		strings_copy(&w, (char *[]){"--resume", t->files.search, NULL});
	if (s->opt.keep_going)
		strings_copy(&w, (char *[]){"--keep-going", NULL});
	strings_copy(&w, s->passed);
	strings_copy(&w, (char *[]){"--", NULL});
	strings_copy(&w, t->listed.argv);
	plan->argv = t->command = w.word;
	plan->is_simul = true;
	plan->limit_ns = slice ? slice + SLACK_NS : 0;
}

/* Returns the message without the --resume option, which the user did not write. */
static const char *without_option(const struct stress_test *t, const char *said)
{
	size_t n = t->files.search ? strlen(t->files.search) : 0;

	const char *rest = said + strlen(RESUME);

	if (!n || strncmp(said, RESUME, strlen(RESUME)) || strncmp(rest, t->files.search, n))
		return said;
	return rest + n + strspn(rest + n, ": ");
}

static void refused(struct stress_test *t, const struct process *p)
{
	char *said = last_line(p->err.text), how[128], *advice = strstr(said, "; remove ");
	const char *why = without_option(t, said);
	int code = WIFEXITED(p->status) ? WEXITSTATUS(p->status) : -1;

	if (advice && why != said) /* this is done here, or the user cannot do it */
		*advice = 0;
	process_describe(p, how, sizeof(how));
	if (code == SIMUL_EXIT_USAGE && night_began(t))
		night_refuse(t, xstrdup(why)); /* another machine can continue it */
	else if (code == SIMUL_EXIT_USAGE && t->files.search && !t->restarts && why != said && state_restart(t, why))
		t->slices--; /* again in this round */
	else if (code == SIMUL_EXIT_USAGE && t->slices > 1) /* it was searched before, but the search cannot be saved, so it ends here */
		stress_settle(t, t->status, xstrdup(why));
	else if (code == SIMUL_EXIT_USAGE)
		stress_settle(t, STRESS_UNUSABLE, xstrdup(why));
	else
		stress_settle(t, STRESS_FAULT, xasprintf("simul run ended without a result: %s%s%s", p->timed_out ? "it took too long" : how,
			*said ? ": " : "", said));
	free(said);
}

/* Sets the status from the last result. A search that completed a preemption bound may have been stopped or have cut other executions
   (--max-steps); then it is not complete, unless the user asked for that bound. */
static void by_verdict(struct stress_test *t)
{
	const char *verdict = json_string_value(json_object_get(t->run, "verdict"));
	const char *reason = json_string_value(json_object_get(t->run, "reason"));
	const json_t *bound = json_object_get(t->run, "preemptions");
	const char *decides = native_decides(t);
	bool bounded = verdict && !strcmp(verdict, "bounded"), users = json_is_integer(bound) && !json_is_integer(json_object_get(t->run, "bound_completed"));
	int most = (int)json_integer_value(bound);

	free(t->why);
	t->why = bounded && json_is_integer(bound) ? xasprintf("complete up to %d preemption%s%s%s", most, most == 1 ? "" : "s", reason ? "; " : "",
		reason ? reason : "") : xstrdup(reason);
	if (json_is_true(json_object_get(t->run, "only_regions"))) {
		char *said = t->why;

		t->why = xasprintf("within the regions to explore%s%s", said ? ": " : "", said ? said : "");
		free(said);
	}
	if (t->n_bugs)
		t->status = STRESS_BUG;
	else
		t->status = t->over && verdict && (bounded ? users : !strcmp(verdict, "complete")) ? STRESS_COMPLETE : STRESS_INCOMPLETE;
	if (!t->n_bugs && t->native.failed) {
		char *said = t->why;

		t->status = STRESS_NATIVE;
		t->why = xasprintf("%s, but not every time; its search says: %s", t->native.failure, said ? said : "every trace explored, no bug");
		free(said);
	}
	if (t->status == STRESS_COMPLETE && decides) { /* "complete" would claim too much */
		char *said = t->why;

		t->status = STRESS_INCOMPLETE;
		t->why = xasprintf("%s; its %s was checked only without simul", said ? said : "every trace explored", decides);
		free(said);
	}
}

/* Adds the messages of simul run about files that it cannot save to the note. */
static void take_complaints(struct stress_test *t, const char *text)
{
	static const char *const about[] = {"simul: " RESUME, "simul: cannot write the recording "};

	for (; text && *text; text += strcspn(text, "\n"), text += *text == '\n')
		for (size_t i = 0; i < sizeof(about) / sizeof(about[0]); i++) {
			char *line;

			if (strncmp(text, about[i], strlen(about[i])))
				continue;
			line = xasprintf("%.*s", (int)strcspn(text, "\n") - OWN_NAME, text + OWN_NAME);
			if (!t->note || !strstr(t->note, without_option(t, line)))
				stress_note(t, "%s", without_option(t, line));
			free(line);
		}
}

/* Returns the reason if the test has threads, but not in the searched process. malloc()ed; NULL: it does not. */
static char *threads_elsewhere(const json_t *run, const char *reason)
{
	const char *said = reason ? strchr(reason, ':') : NULL; /* after "nothing to explore" */

	return said && json_integer_value(json_object_get(run, "uncontrolled_processes")) ? xstrdup(said + strspn(said, ": ")) : NULL;
}

static void take_result(struct stress *s, struct stress_test *t, json_t *run)
{
	const char *end = json_string_value(json_object_get(run, "end")), *reason = json_string_value(json_object_get(run, "reason"));

	json_decref(t->run);
	t->run = run;
	bugs_from_run(t);
	t->over = end && !strcmp(end, "over");
	by_verdict(t);
	if (!end || !strcmp(end, "fault"))
		stress_settle(t, STRESS_FAULT, xstrdup(reason));
	else if (!strcmp(end, "no threads"))
		stress_settle(t, STRESS_NO_THREADS, threads_elsewhere(run, reason));
	else if (!strcmp(end, "unusable"))
		stress_settle(t, STRESS_UNUSABLE, xstrdup(reason));
	else if (strcmp(end, "time") || (!t->files.search && s->opt.search))
		t->settled = true;
	state_record(s, t);
}

/* Plans a process that helps another machine. */
static bool help(struct stress *s, struct stress_test *t, struct process_plan *plan)
{
	uint64_t left = plan_left_ns(s);

	if (t->slices++ || left < NS_PER_S)
		return false;
	search_plan(s, t, left < HELP_NS ? left : HELP_NS, plan);
	return true;
}

/* A search that is not shared yet makes short slices while there are other machines: they may have nothing to do soon. */
static uint64_t short_slice(const struct stress *s, const struct stress_test *t, uint64_t slice)
{
	return t->sharing.shared && !t->sharing.wide && !t->sharing.narrow && s->capacity > s->opt.jobs && slice > NARROW_NS ? NARROW_NS : slice;
}

static bool next(struct stress *s, struct stress_test *t, size_t after, struct process_plan *plan)
{
	uint64_t slice;

	if (t->settled || t->slices >= t->turn)
		return false;
	if (!same_file(t)) {
		stress_settle(t, STRESS_UNUSABLE, xstrdup("the program changed while it was being tested; run this again"));
		return false;
	}
	if (!t->native.done) {
		native_plan(s, t, plan);
		return true;
	}
	if (t->sharing.helps)
		return help(s, t, plan);
	night_widen(s, t);
	slice = plan_slice_ns(s, t->turn - 1, after, plan->processors);
	if (!slice)
		return false;
	if (!s->opt.state && stress_left_ns(s) == UINT64_MAX)
		slice = 0;
	if (!t->slices)
		state_record(s, t);
	t->slices++;
	search_plan(s, t, short_slice(s, t, slice), plan);
	return true;
}

static void ended(struct stress *s, struct stress_test *t, const struct process *p)
{
	json_t *run;

	if (!p->is_simul) {
		native_ended(s, t, p);
		return;
	}
	run = p->out.text ? json_loads(p->out.text, 0, NULL) : NULL;
	if (t->sharing.helps) {
		t->sharing.no_help = !run;
		json_decref(run);
		return;
	}
	if (!run && t->sharing.wide && WIFEXITED(p->status) && WEXITSTATUS(p->status) == SIMUL_EXIT_USAGE) {
		t->sharing.wide = false; /* it goes on with the search that was saved before */
		t->sharing.narrow = true;
		t->slices--;
		return;
	}
	if (!run) {
		refused(t, p);
		return;
	}
	take_complaints(t, p->err.text);
	take_result(s, t, run);
}

const struct pool_ops steps_search = {.doing = "searching", .next = next, .ended = ended};

void steps_decide(struct stress *s, struct stress_test *t)
{
	if (t->settled)
		return;
	if (t->over)
		by_verdict(t);
	else if (t->n_bugs)
		t->status = STRESS_BUG;
	t->settled = t->over || (t->n_bugs && !s->opt.keep_going);
}
