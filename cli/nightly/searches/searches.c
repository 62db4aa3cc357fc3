#include "cli/nightly/searches/searches.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "base/units.h"
#include "base/xalloc.h"
#include "cli/base/say.h"
#include "cli/nightly/machines/command.h"
#include "cli/nightly/machines/fine.h"
#include "cli/nightly/machines/store.h"
#include "cli/supervise/watchdog.h"

#define NIGHT_LAYOUT 3 /* of nights.sql */

/* ---- fields of binary rows ---- */

/* Returns a copy of the text, printable; NULL: null. */
static char *text_at(const struct engine *e, int row, int column)
{
	struct engine_value v = engine_field(e, row, column);
	char *copy;

	if (!v.data)
		return NULL;
	copy = xcalloc(1, v.size + 1);
	memcpy(copy, v.data, v.size);
	printable_replace(&copy, PRINTABLE_LINE);
	return copy;
}

/* Like text_at, "" for null. */
static char *some_text_at(const struct engine *e, int row, int column)
{
	char *text = text_at(e, row, column);

	return text ? text : xstrdup("");
}

static double seconds_at(const struct engine *e, int row, int column)
{
	char text[40];
	struct engine_value v = engine_field(e, row, column);

	if (!v.data)
		return NAN;
	text_set(text, sizeof(text), "%.*s", (int)(v.size < 32 ? v.size : 32), v.data);
	return strtod(text, NULL);
}

static uint64_t count_at(const struct engine *e, int row, int column)
{
	double n = seconds_at(e, row, column);

	return n > 0 && n < 9e18 ? (uint64_t)n : 0;
}

static bool true_at(const struct engine *e, int row, int column)
{
	struct engine_value v = engine_field(e, row, column);

	return v.data && v.size && v.data[0] == 't';
}

static void name_at(char to[UUID], const struct engine *e, int row, int column)
{
	struct engine_value v = engine_field(e, row, column);

	uuid_take(to, v.data, v.size);
}

/* ---- rows ---- */

/* Returns the words behind "--" of a command, for people. */
static char *program_of(const char *command, size_t size)
{
	char *copy = xcalloc(1, size + 1), **words, *text = NULL;
	size_t length;
	bool program = false;
	FILE *f = open_memstream(&text, &length);

	INVARIANT(f, "out of memory");
	memcpy(copy, command, size);
	words = command_words(copy, size);
	for (char **w = words; w && *w; w++) {
		if (program)
			fprintf(f, strpbrk(*w, " '") || !**w ? "%s'%s'" : "%s%s", ftell(f) ? " " : "", *w);
		program |= !strcmp(*w, "--");
	}
	INVARIANT(fclose(f) == 0, "out of memory");
	free(words);
	free(copy);
	printable_replace(&text, PRINTABLE_LINE);
	return text;
}

static void read_estimate(struct searches_search *s, const struct engine *e, int row, int column)
{
	char text[100];
	struct engine_value v = engine_field(e, row, column);
	unsigned long long n[3];

	text_set(text, sizeof(text), "%.*s", (int)(v.size < 90 ? v.size : 90), v.data ? v.data : "");
	for (unsigned i = 0; sscanf(text, "{%llu,%llu,%llu}", &n[0], &n[1], &n[2]) == 3 && i < 3; i++)
		s->estimate[i] = n[i];
}

static bool read_searches(struct engine *e, struct searches *out)
{
	if (!engine_query_binary(e,
		    "SELECT id::text, command, to_first_bug::text, state, reason, stop::text, begun::text, used::text, "
		    "time_left::text, bugs::text, lease::text, executions::text, blocked::text, rate::text, "
		    "estimate::text, most::text, open_tasks::text, best_rate::text FROM simul_search.searches()",
		    NULL, 0))
		return false;
	for (int i = 0; i < engine_rows(e); i++) {
		struct searches_search *s;
		struct engine_value command = engine_field(e, i, 1);

		out->search = xgrow(out->search, out->n, sizeof(*out->search));
		s = &out->search[out->n++];
		*s = (struct searches_search){.to_first_bug = true_at(e, i, 2), .state = some_text_at(e, i, 3), .reason = text_at(e, i, 4),
			.stop = true_at(e, i, 5), .begun = seconds_at(e, i, 6), .used = seconds_at(e, i, 7), .time_left = seconds_at(e, i, 8),
			.bugs = count_at(e, i, 9), .lease = seconds_at(e, i, 10), .executions = count_at(e, i, 11), .blocked = count_at(e, i, 12),
			.rate = seconds_at(e, i, 13), .most = count_at(e, i, 15)};
		s->open = isnan(seconds_at(e, i, 16)) ? NAN : (double)count_at(e, i, 16);
		s->best_rate = seconds_at(e, i, 17);
		name_at(s->id, e, i, 0);
		s->command = xcalloc(1, command.size + 1);
		memcpy(s->command, command.data ? command.data : "", command.size);
		s->command_size = command.size;
		s->program = program_of(s->command, s->command_size);
		read_estimate(s, e, i, 14);
	}
	return true;
}

static bool read_workers(struct engine *e, struct searches_search *s)
{
	const struct engine_value id = engine_text(s->id);

	if (!engine_query_binary(e,
		    "SELECT machine, process::text, lease::text, renewed::text, stored::text, executions::text, "
		    "rate::text, has_work::text FROM simul_search.workers_of($1)",
		    &id, 1))
		return false;
	for (int i = 0; i < engine_rows(e); i++) {
		s->worker = xgrow(s->worker, s->workers, sizeof(*s->worker));
		s->worker[s->workers++] = (struct searches_worker){
			.machine = some_text_at(e, i, 0),
			.process = count_at(e, i, 1),
			.lease = seconds_at(e, i, 2),
			.renewed = seconds_at(e, i, 3),
			.stored = seconds_at(e, i, 4),
			.executions = count_at(e, i, 5),
			.rate = seconds_at(e, i, 6),
			.has_work = true_at(e, i, 7),
		};
	}
	return true;
}

static bool read_nights(struct engine *e, struct searches *out)
{
	if (!engine_query_binary(e, "SELECT id::text, name, begun::text, time_left::text, over::text, tests::text, settled::text, running::text, runners::text "
		"FROM simul_stress.nights()", NULL, 0))
		return false;
	for (int i = 0; i < engine_rows(e); i++) {
		struct searches_night *n;

		out->night = xgrow(out->night, out->nights, sizeof(*out->night));
		n = &out->night[out->nights++];
		*n = (struct searches_night){.name = text_at(e, i, 1), .begun = seconds_at(e, i, 2), .time_left = seconds_at(e, i, 3), .over = true_at(e, i, 4),
			.tests = count_at(e, i, 5), .settled = count_at(e, i, 6), .running = count_at(e, i, 7), .machines = count_at(e, i, 8)};
		name_at(n->id, e, i, 0);
	}
	return true;
}

/* ---- all of it ---- */

/* *there: the schema exists. Fails if another version of simul made it. */
static bool look_for(struct engine *e, const char *schema, long layout, bool *there)
{
	const struct engine_value name = engine_text(schema);
	char text[128];
	long version;

	if (!engine_query(e, "SELECT to_regnamespace($1) IS NOT NULL", &name, 1))
		return false;
	*there = engine_true(e, 0, 0);
	if (!*there)
		return true;
	text_set(text, sizeof(text), "SELECT %s.layout_version()", schema);
	if (!engine_query(e, text, NULL, 0))
		return false;
	version = engine_number(e, 0, 0);
	if (version != layout)
		say("another version of simul made the schema %s in this database (layout %ld, here %ld)", schema, version, layout);
	*there = version == layout;
	return true;
}

static bool read_all(struct engine *e, bool workers, struct searches *out)
{
	uint64_t begun = wall_clock_ns();
	bool searches, nights;

	if (!engine_query(e, "SELECT 1", NULL, 0))
		return false;
	out->latency = (double)(wall_clock_ns() - begun) / (double)NS_PER_S;
	if (!look_for(e, "simul_search", STORE_LAYOUT, &searches))
		return false;
	if (!look_for(e, "simul_stress", NIGHT_LAYOUT, &nights))
		return false;
	if ((searches && !read_searches(e, out)) || (nights && !read_nights(e, out)))
		return false;
	for (size_t i = 0; workers && i < out->n; i++)
		if (!read_workers(e, &out->search[i]))
			return false;
	return true;
}

bool searches_read(struct engine *e, bool workers, struct searches *out)
{
	bool ok;

	*out = (struct searches){.n = 0};
	ok = engine_begin(e) && read_all(e, workers, out);
	engine_rollback(e);
	if (!ok && !engine_is_lost(e))
		say("%s", engine_why(e));
	if (!ok)
		searches_free(out);
	return ok;
}

void searches_free(struct searches *s)
{
	for (size_t i = 0; i < s->n; i++) {
		for (size_t k = 0; k < s->search[i].workers; k++)
			free(s->search[i].worker[k].machine);
		free(s->search[i].worker);
		free(s->search[i].command);
		free(s->search[i].program);
		free(s->search[i].state);
		free(s->search[i].reason);
	}
	for (size_t i = 0; i < s->nights; i++)
		free(s->night[i].name);
	free(s->search);
	free(s->night);
	*s = (struct searches){.n = 0};
}

bool searches_is_explored(const struct searches_search *s)
{
	return strcmp(s->state, "over") && !(s->stop && s->to_first_bug) && s->lease > 0;
}

const char *searches_state(const struct searches_search *s)
{
	if (!strcmp(s->state, "over"))
		return "complete";
	if (s->stop && s->to_first_bug)
		return "ended by a bug";
	if (!(s->lease > 0))
		return "no machine explores it";
	return !strcmp(s->state, "shared") ? "exploring" : !strcmp(s->state, "single") ? "exploring, one machine only" : "warming up, one machine";
}

bool searches_worker_is_free(const struct searches_worker *w)
{
	return w->has_work && !(w->lease > 0);
}

double searches_open(const struct searches_search *s)
{
	double open = s->open;

	for (size_t i = 0; i < s->workers; i++)
		open += searches_worker_is_free(&s->worker[i]);
	return open;
}

double searches_execution(const struct searches_search *s)
{
	return s->best_rate > 0 ? 1 / s->best_rate : NAN;
}

bool searches_are_too_fine(const struct searches_search *s)
{
	return !strcmp(s->state, "shared") && fine_is(searches_execution(s));
}
