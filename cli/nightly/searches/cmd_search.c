/* simul search: shows the searches and nights that machines share through a database. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/exit_codes.h"
#include "cli/base/json_out.h"
#include "cli/base/say.h"
#include "cli/options/cmd.h"
#include "cli/nightly/machines/fine.h"
#include "cli/nightly/searches/searches.h"
#include "cli/options/options.h"
#include "cli/supervise/counts.h"
#include "cli/supervise/progress.h"

/* Writes "40 s", "12 min", "5 h", "3 days". */
static const char *ago(double seconds, char *buf, size_t size)
{
	if (seconds < 120)
		text_set(buf, size, "%.0f s", seconds > 0 ? seconds : 0);
	else if (seconds < 7200)
		text_set(buf, size, "%.0f min", seconds / 60);
	else if (seconds < 48 * 3600)
		text_set(buf, size, "%.0f h", seconds / 3600);
	else
		text_set(buf, size, "%.0f days", seconds / 86400);
	return buf;
}

static const char *plural(unsigned long long n)
{
	return n == 1 ? "" : "s";
}

static void print_worker(FILE *f, const struct searches_worker *w, bool over)
{
	const char *waits = w->has_work ? ", its part waits for another machine" : "";
	char when[32], stored[32], renewed[32], rate[32], name[320];

	text_set(name, sizeof(name), w->process ? "%s, process %llu" : "%s", w->machine,
		(unsigned long long)w->process);
	fprintf(f, "    %-32s %12llu executions  ", name, (unsigned long long)w->executions);
	if (over)
		fputc('\n', f);
	else if (isnan(w->lease))
		fprintf(f, "has left%s\n", waits);
	else if (w->lease < 0)
		fprintf(f, "not heard of for %s%s\n", ago(w->renewed, when, sizeof(when)), waits);
	else
		fprintf(f, "%s, %s, lease renewed %s ago, stored %s ago\n", counts_rate(w->rate, rate, sizeof(rate)),
			w->has_work ? "explores" : "waits for work", ago(w->renewed, renewed, sizeof(renewed)),
			ago(w->stored, stored, sizeof(stored)));
}

static void print_search(FILE *f, const struct searches_search *s, bool all)
{
	bool over = !strcmp(s->state, "over"), now = searches_is_explored(s);
	const struct explore_stats stats = {.executions = s->executions, .estimate = s->estimate[0], .estimate_low = s->estimate[1],
		.estimate_high = s->estimate[2], .finished = over};
	char when[32], estimate[128], rate[32], fine[256];
	double open = searches_open(s);
	size_t left = 0;

	progress_estimate(&stats, estimate, sizeof(estimate));
	fprintf(f, "%s\n  %s%s%s; begun %s ago", s->program, searches_state(s), s->reason ? ": " : "", s->reason ? s->reason : "", ago(s->begun, when, sizeof(when)));
	if (!now)
		fprintf(f, ", last used %s ago", ago(s->used, when, sizeof(when)));
	fprintf(f, "\n  %llu executions%s%s", (unsigned long long)s->executions, estimate[0] ? " of about " : "", estimate);
	if (s->blocked)
		fprintf(f, ", %llu redundant", (unsigned long long)s->blocked);
	if (now && s->rate > 0)
		fprintf(f, ", %s", counts_rate(s->rate, rate, sizeof(rate)));
	if (now && s->rate > 0 && s->estimate[0] > s->executions && explore_estimate_known(&stats))
		fprintf(f, ", about %s left", ago((double)(s->estimate[0] - s->executions) / s->rate, when, sizeof(when)));
	if (!over && !isnan(open))
		fprintf(f, ", %.0f open task%s", open, plural((unsigned long long)open));
	fprintf(f, ", %llu bug%s\n", (unsigned long long)s->bugs, plural(s->bugs));
	if (searches_are_too_fine(s)) {
		fine_text(fine, sizeof(fine), searches_execution(s));
		fprintf(f, "  %s\n", fine);
	}
	for (size_t i = 0; i < s->workers; i++) {
		const struct searches_worker *w = &s->worker[i];
		bool gone = over || (isnan(w->lease) && !w->has_work);

		left += gone && !all;
		if (!gone || all)
			print_worker(f, w, over);
	}
	if (left && !over)
		fprintf(f, "    %zu worker%s %s done and left\n", left, plural(left), left == 1 ? "is" : "are");
}

static void print_night(FILE *f, const struct searches_night *n)
{
	char when[32];

	fprintf(f, "night %s\n  %s; begun %s ago", n->name ? n->name : n->id, n->over ? "over" : n->machines ? "running" : "no machine works on it",
		ago(n->begun, when, sizeof(when)));
	if (!n->over && !isnan(n->time_left))
		fprintf(f, ", %s left", ago(n->time_left, when, sizeof(when)));
	fprintf(f, "\n  %llu of %llu test%s settled, %llu running, %llu machine%s\n", (unsigned long long)n->settled, (unsigned long long)n->tests, plural(n->tests),
		(unsigned long long)n->running, (unsigned long long)n->machines, plural(n->machines));
}

static void print_all(const struct searches *s, bool all)
{
	size_t n = 0, nights = 0;

	for (size_t i = 0; i < s->n; i++)
		if (all || searches_is_explored(&s->search[i]) || n < 10) {
			print_search(stdout, &s->search[i], all);
			n++;
		}
	for (; nights < s->nights && (all || nights < 10); nights++)
		print_night(stdout, &s->night[nights]);
	if (!s->n && !s->nights)
		puts("no search and no night in this database");
	if (n < s->n || nights < s->nights)
		printf("and %zu older; --all shows them\n", s->n - n + s->nights - nights);
	printf("the database answers within %.1f ms\n", s->latency * 1000);
}

/* ---- JSON ---- */

/* A number; null: none. */
static json_t *seconds(double s)
{
	return isfinite(s) ? json_real(s) : json_null(); /* JSON has no other numbers */
}

static json_t *worker_json(const struct searches_worker *w)
{
	json_t *o = json_object();

	json_object_set_new(o, "machine", json_text(w->machine));
	json_object_set_new(o, "process", w->process ? json_number(w->process) : json_null());
	json_object_set_new(o, "executions", json_number(w->executions));
	json_object_set_new(o, "executions_per_second", seconds(w->rate));
	json_object_set_new(o, "lease_seconds", seconds(w->lease));
	json_object_set_new(o, "lease_renewed_seconds_ago", seconds(w->renewed));
	json_object_set_new(o, "stored_seconds_ago", seconds(w->stored));
	json_object_set_new(o, "has_work", json_boolean(w->has_work));
	return o;
}

static json_t *search_json(const struct searches_search *s)
{
	json_t *o = json_object(), *workers = json_array();
	double open = searches_open(s);

	json_object_set_new(o, "id", json_text(s->id));
	json_object_set_new(o, "program", json_text(s->program));
	json_object_set_new(o, "state", json_text(searches_state(s)));
	json_object_set_new(o, "reason", json_text(s->reason));
	json_object_set_new(o, "explored_now", json_boolean(searches_is_explored(s)));
	json_object_set_new(o, "begun_seconds_ago", seconds(s->begun));
	json_object_set_new(o, "used_seconds_ago", seconds(s->used));
	json_object_set_new(o, "executions", json_number(s->executions));
	json_object_set_new(o, "redundant", json_number(s->blocked));
	json_object_set_new(o, "executions_per_second", seconds(searches_is_explored(s) ? s->rate : 0));
	json_object_set_new(o, "estimate", s->estimate[0] ? json_number(s->estimate[0]) : json_null());
	json_object_set_new(o, "estimate_low", s->estimate[0] ? json_number(s->estimate[1]) : json_null());
	json_object_set_new(o, "estimate_high", s->estimate[0] ? json_number(s->estimate[2]) : json_null());
	json_object_set_new(o, "open_tasks", isnan(open) ? json_null() : json_number((uint64_t)open));
	json_object_set_new(o, "execution_seconds_at_most", seconds(searches_execution(s)));
	json_object_set_new(o, "too_fine", json_boolean(searches_are_too_fine(s)));
	json_object_set_new(o, "bugs", json_number(s->bugs));
	for (size_t i = 0; i < s->workers; i++)
		json_array_append_new(workers, worker_json(&s->worker[i]));
	json_object_set_new(o, "workers", workers);
	return o;
}

static json_t *night_json(const struct searches_night *n)
{
	json_t *o = json_object();

	json_object_set_new(o, "id", json_text(n->id));
	json_object_set_new(o, "name", json_text(n->name));
	json_object_set_new(o, "over", json_boolean(n->over));
	json_object_set_new(o, "begun_seconds_ago", seconds(n->begun));
	json_object_set_new(o, "seconds_left", seconds(n->time_left));
	json_object_set_new(o, "tests", json_number(n->tests));
	json_object_set_new(o, "settled", json_number(n->settled));
	json_object_set_new(o, "running", json_number(n->running));
	json_object_set_new(o, "machines", json_number(n->machines));
	return o;
}

static bool write_json(const struct searches *s, const char *path)
{
	json_t *o = json_object(), *list = json_array(), *nights = json_array();

	json_object_set_new(o, "schema", json_number(1));
	json_object_set_new(o, "database_seconds", json_real(s->latency));
	for (size_t i = 0; i < s->n; i++)
		json_array_append_new(list, search_json(&s->search[i]));
	for (size_t i = 0; i < s->nights; i++)
		json_array_append_new(nights, night_json(&s->night[i]));
	json_object_set_new(o, "searches", list);
	json_object_set_new(o, "nights", nights);
	return json_put(o, path);
}

/* ---- the command ---- */

struct search_options {
	const char *json;
	bool all;
};

#define OPTIONS_INTO struct search_options

static const struct option_spec specs[] = {
	{"all", NULL, TO_FLAG(all),
		"list all searches, nights and workers (default: those that\n"
		"machines explore now, and the latest ten)"},
	{"json", "FILE", TO_TEXT(json), "write the list as JSON; '-' is standard output"},
	{.name = NULL},
};

static const struct option_table option_table = {.command = "search", .mixed = true, .own = specs};

int cmd_search(int argc, char **argv)
{
	struct search_options opt = {.all = false};
	struct searches searches;
	struct engine *e;
	char why[512];
	int first, code;

	if (!options_read(&option_table, &opt, argc, argv, &first, &code))
		return code;
	if (argc - first != 1) {
		say(first < argc ? "search: one database at a time" : "search: no database given; for example: simul search postgresql://user@host/database");
		return SIMUL_EXIT_USAGE;
	}
	if (!json_check(opt.json))
		return SIMUL_EXIT_USAGE;
	e = engine_open(argv[first], why, sizeof(why));
	if (!e) {
		say("search: %s", why);
		return SIMUL_EXIT_USAGE;
	}
	code = SIMUL_EXIT_USAGE;
	if (searches_read(e, true, &searches)) {
		if (!opt.json || strcmp(opt.json, "-"))
			print_all(&searches, opt.all);
		if (!opt.json || write_json(&searches, opt.json))
			code = SIMUL_EXIT_OK;
		searches_free(&searches);
	}
	engine_close(e);
	return code;
}
