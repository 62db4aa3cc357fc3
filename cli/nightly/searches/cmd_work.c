/*
 * simul work: helps with the searches of `simul run --search` that others have begun. It starts `simul run` with the same program, options
 * and working directory, once for each processor. Those processes compare program, libraries and options with what is stored, as any
 * machine does that joins.
 */
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/exit_codes.h"
#include "base/units.h"
#include "cli/base/interrupt.h"
#include "cli/base/say.h"
#include "cli/options/cmd.h"
#include "cli/nightly/machines/command.h"
#include "cli/options/options.h"
#include "cli/nightly/searches/searches.h"
#include "cli/supervise/process.h"
#include "cli/supervise/jobs.h"
#include "cli/supervise/watchdog.h"
#include "base/xalloc.h"

#define LOOK_NS NS_PER_S /* between two looks at the database while a processor is free */
#define MOST_JOBS 1024u
#define MOST_TRIES 3u    /* starts for one search that ended at once */
#define SOON_S 5.0

static struct work_options {
	const char *search, *output, *only; /* only: the id of the search to help with; NULL: any */
	uint64_t time_ns, idle_ns;
	uint32_t jobs;
	bool quiet;
} opt;

/* A processor: what it helps with. */
struct seat {
	struct process process;
	char search[UUID];
	char *program;
	bool busy;
};

/* A search that this machine has helped with. */
struct helped {
	char search[UUID];
	unsigned quick;   /* processes that ended at once */
	bool refused;     /* this machine cannot help */
};

struct work {
	struct engine *engine;
	struct seat *seat;
	struct helped *helped;
	size_t n;
	uint64_t begun_ns, used_ns; /* used_ns: when the last process ended */
	unsigned started, refused;  /* processes */
};

static struct helped *helped_with(struct work *w, const char *search)
{
	for (size_t i = 0; i < w->n; i++)
		if (!strcmp(w->helped[i].search, search))
			return &w->helped[i];
	w->helped = xgrow(w->helped, w->n, sizeof(*w->helped));
	w->helped[w->n] = (struct helped){.refused = false};
	memcpy(w->helped[w->n].search, search, UUID);
	return &w->helped[w->n++];
}

static unsigned busy_with(const struct work *w, const char *search)
{
	unsigned n = 0;

	for (uint32_t i = 0; i < opt.jobs; i++)
		n += w->seat[i].busy && (!search || !strcmp(w->seat[i].search, search));
	return n;
}

/* ---- starting ---- */

/* Returns the seconds that are left for a search; NAN: no limit. */
static double seconds_left(const struct work *w, const struct searches_search *s)
{
	double own = opt.time_ns ? (double)opt.time_ns / NS_PER_S - (double)(wall_clock_ns() - w->begun_ns) / NS_PER_S : NAN;

	return isnan(own) || s->time_left < own ? s->time_left : own;
}

/* Texts of options. */
struct limits {
	char time[40], executions[24];
};

/* Makes the command line of `simul run` for a stored command. NULL: the stored command is none. */
static char **command_line(const struct searches_search *s, double seconds, char *copy, struct limits *limits, const char **cwd)
{
	const char *const head[] = {"/proc/self/exe", "run", "--quiet", "--search", opt.search, "--output", opt.output};
	char **stored, **argv;
	size_t n = 0, k = 0;

	memcpy(copy, s->command, s->command_size);
	stored = command_words(copy, s->command_size);
	if (!stored)
		return NULL;
	while (stored[k])
		k++;
	argv = xcalloc(k + sizeof(head) / sizeof(*head) + 6, sizeof(*argv));
	for (; n < sizeof(head) / sizeof(*head); n++)
		argv[n] = (char *)head[n];
	if (!s->to_first_bug)
		argv[n++] = (char *)"--keep-going";
	text_set(limits->time, sizeof(limits->time), "%.3fs", seconds);
	if (!isnan(seconds)) {
		argv[n++] = (char *)"--time";
		argv[n++] = limits->time;
	}
	if (s->most) {
		text_set(limits->executions, sizeof(limits->executions), "%" PRIu64, s->most);
		argv[n++] = (char *)"--executions";
		argv[n++] = limits->executions;
	}
	for (k = 1; stored[k]; k++)
		argv[n++] = stored[k];
	*cwd = stored[0];
	free(stored);
	return argv;
}

static void start(struct work *w, struct seat *seat, const struct searches_search *s, double seconds)
{
	char *copy = xcalloc(1, s->command_size + 1), *why;
	struct limits limits;
	struct process_plan plan = {.processors = 1, .is_simul = true};
	const char *step;
	char **argv = command_line(s, seconds, copy, &limits, &plan.cwd);
	int error;

	if (!argv) {
		say("work: %s: the stored command is damaged", s->program);
		helped_with(w, s->id)->refused = true;
		w->refused++;
		free(copy);
		return;
	}
	plan.argv = argv;
	if (!opt.quiet && !busy_with(w, s->id))
		say("work: helping with %s (%zu worker%s before)", s->program, s->workers, s->workers == 1 ? "" : "s");
	error = process_start(&seat->process, &plan, &step);
	if (error) {
		why = *step ? xasprintf("%s: %s", step, strerror(error)) : process_why(&plan, error, step);
		say("work: cannot help with %s: %s", s->program, why);
		free(why);
		helped_with(w, s->id)->refused = true;
		w->refused++;
	} else {
		seat->busy = true;
		memcpy(seat->search, s->id, UUID);
		seat->program = xstrdup(s->program);
		w->started++;
	}
	free(argv);
	free(copy);
}

/* ---- ending ---- */

/* Returns the last line of what it printed, without the newline. */
static char *last_line(struct process *p)
{
	char *text = p->err.size ? p->err.text : p->out.size ? p->out.text : NULL, *line;
	size_t n = text ? strlen(text) : 0;

	while (n && text[n - 1] == '\n')
		text[--n] = 0;
	line = n ? strrchr(text, '\n') : NULL;
	line = n ? (line ? line + 1 : text) : (char *)"it printed nothing";
	return !strncmp(line, "simul: ", 7) ? line + 7 : line;
}

static void end(struct work *w, struct seat *seat)
{
	struct helped *h = helped_with(w, seat->search);
	struct process *p = &seat->process;
	bool worked = WIFEXITED(p->status) && WEXITSTATUS(p->status) != SIMUL_EXIT_USAGE && WEXITSTATUS(p->status) != SIMUL_EXIT_INTERNAL;
	char how[128];

	if (!worked && !h->refused && !p->stopped_ns) {
		process_describe(p, how, sizeof(how));
		say("work: cannot help with %s: %s%s%s", seat->program, WIFEXITED(p->status) ? "" : how, WIFEXITED(p->status) ? "" : "; ", last_line(p));
	}
	h->refused |= !worked;
	w->refused += !worked;
	h->quick = (double)(wall_clock_ns() - p->started_ns) / NS_PER_S < SOON_S ? h->quick + 1 : 0;
	w->used_ns = wall_clock_ns();
	process_free(p);
	seat->busy = false;
	if (worked && !opt.quiet && !busy_with(w, seat->search))
		say("work: no longer helping with %s", seat->program);
	free(seat->program);
	seat->program = NULL;
}

/* ---- the loop ---- */

static bool can_help(struct work *w, const struct searches_search *s)
{
	const struct helped *h = helped_with(w, s->id);
	double left = seconds_left(w, s);

	return (!opt.only || !strcmp(s->id, opt.only)) && searches_is_explored(s) && !strcmp(s->state, "shared") && !h->refused && h->quick < MOST_TRIES * opt.jobs && (isnan(left) || left > 0.2) &&
	       (!s->most || s->executions < s->most);
}

/* Returns the search with the fewest processes of this machine; NULL: there is none to help with. */
static const struct searches_search *choose(struct work *w, const struct searches *all)
{
	const struct searches_search *best = NULL;

	for (size_t i = 0; i < all->n; i++)
		if (can_help(w, &all->search[i]) && (!best || busy_with(w, all->search[i].id) < busy_with(w, best->id)))
			best = &all->search[i];
	return best;
}

/* Gives free processors to searches. false: the database is lost. */
static bool fill(struct work *w)
{
	struct searches all;
	const struct searches_search *s;

	if (!searches_read(w->engine, true, &all))
		return false;
	for (uint32_t i = 0; i < opt.jobs && (s = choose(w, &all)); i++)
		if (!w->seat[i].busy)
			start(w, &w->seat[i], s, seconds_left(w, s));
	searches_free(&all);
	return true;
}

/* Waits until a process writes or ends, 0.1 s at most. */
static void wait_a_moment(const struct work *w)
{
	struct pollfd fds[3 * 32];
	nfds_t n = 0;

	for (uint32_t i = 0; i < opt.jobs && n + 3 <= sizeof(fds) / sizeof(*fds); i++)
		if (w->seat[i].busy) {
			fds[n++] = (struct pollfd){w->seat[i].process.pidfd, POLLIN, 0};
			fds[n++] = (struct pollfd){w->seat[i].process.out.fd, POLLIN, 0};
			fds[n++] = (struct pollfd){w->seat[i].process.err.fd, POLLIN, 0};
		}
	poll(fds, n, 100);
}

static bool is_over(const struct work *w)
{
	uint64_t now = wall_clock_ns();

	return interrupt_count() || (opt.time_ns && now - w->begun_ns >= opt.time_ns) ||
	       (!busy_with(w, NULL) && now - w->used_ns >= opt.idle_ns);
}

static bool help(struct work *w)
{
	uint64_t looked = 0;
	bool ok = true;

	w->begun_ns = w->used_ns = wall_clock_ns();
	while (busy_with(w, NULL) || (ok && !is_over(w))) {
		bool over = !ok || is_over(w);

		if (!over && busy_with(w, NULL) < opt.jobs && wall_clock_ns() - looked >= LOOK_NS) {
			ok = fill(w);
			looked = wall_clock_ns();
		}
		for (uint32_t i = 0; i < opt.jobs; i++) {
			struct seat *seat = &w->seat[i];

			if (!seat->busy)
				continue;
			if (over)
				process_stop(&seat->process);
			if (process_look(&seat->process))
				end(w, seat);
		}
		wait_a_moment(w);
	}
	return ok;
}

#define OPTIONS_INTO struct work_options

static const struct option_spec specs[] = {
	{"search", "URL", TO_TEXT(search), "the PostgreSQL database"},
	{"jobs", "N", TO_U32(jobs, 1, MOST_JOBS), "processes (default: one for each processor)"},
	{"time", "TIME", TO_DURATION(time_ns, NS_PER_S / 1000, 0), "end after TIME"},
	{"idle", "TIME", TO_DURATION(idle_ns, 0, 0), "end when there was nothing to help with for TIME (default %)", .initial = "60s"},
	{"only", "ID", TO_TEXT(only), "help with one search; 'simul search --json' has its id"},
	{"output", "DIR", TO_TEXT(output), "write recordings of bugs to DIR (default %)", .initial = "simul-work"},
	{"quiet", NULL, TO_FLAG(quiet), "print only why it cannot help", .letter = 'q'},
	{.name = NULL},
};

static const struct option_table option_table = {.command = "work", .mixed = true, .own = specs};

static bool read_options(int argc, char **argv, int *code)
{
	int first;

	options_defaults(&option_table, &opt);
	opt.jobs = jobs_default();
	if (!options_read(&option_table, &opt, argc, argv, &first, code))
		return false;
	*code = SIMUL_EXIT_USAGE;
	if (first < argc)
		say("work: unexpected '%s': the programs come from the searches; only 'simul run' takes one", argv[first]);
	else if (!opt.search)
		say("work: no database given; for example: simul work --search postgresql://user@host/database");
	else
		return true;
	return false;
}

/* Returns a path that stays valid in other directories. */
static char *absolute(const char *path)
{
	char *cwd = path[0] == '/' ? NULL : getcwd(NULL, 0), *all = cwd ? xasprintf("%s/%s", cwd, path) : xstrdup(path);

	free(cwd);
	return all;
}

int cmd_work(int argc, char **argv)
{
	struct work w = {.n = 0};
	char why[512], *output;
	bool ok;
	int code;

	if (!read_options(argc, argv, &code))
		return code;
	w.engine = engine_open(opt.search, why, sizeof(why));
	if (!w.engine) {
		say("work: %s", why);
		return SIMUL_EXIT_USAGE;
	}
	output = absolute(opt.output);
	opt.output = output;
	w.seat = xcalloc(opt.jobs, sizeof(*w.seat));
	ok = help(&w);
	rmdir(output); /* stays if it has recordings */
	if (ok && !opt.quiet && !w.started && !interrupt_count())
		say("work: there was no search to help with");
	free(w.seat);
	free(w.helped);
	engine_close(w.engine);
	free(output);
	interrupt_obey();
	return !ok || (w.refused && w.refused == w.started) ? SIMUL_EXIT_USAGE : SIMUL_EXIT_OK;
}
