#include "cli/supervise/lengthy.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "cli/base/say.h"
#include "cli/supervise/counts.h"
#include "cli/supervise/search.h"
#include "recorder/symbols/symbols.h"

#define AFTER_NS (3 * NS_PER_S) /* so that all is said within five seconds */
#define PART_OF_BUDGET 3        /* of --time, at most this fraction, and */
#define LEAST_NS NS_PER_S       /* at least this long */
#define LONG_EVENTS 5000        /* with fewer, other things than its length may keep an execution from ending: */
#define LAST_NS (15 * NS_PER_S) /* then the first one gets this time */
/* if more executions than this, and than those that ended, did not end, whole ones are too long */
#define MANY_UNENDED 8
#define WARM_UP_RATE 2          /* a warm-up with more executions a second leads to a search that makes progress */
#define SYMBOLS_NS (NS_PER_S / 2)
#define PLACES 64               /* instructions that are looked at: those with most events */

/* ---- what the execution is ---- */

struct place {
	uint64_t pc;
	uint32_t n;
};

static int by_pc(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static int by_number(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return x->n > y->n ? -1 : x->n < y->n;
}

/* Counts the events at each instruction. Returns the places, those with most events first; *n: their number. */
static struct place *count_places(const struct execution *e, size_t *n)
{
	uint64_t *pc = xcalloc(e->n + 1, sizeof(*pc));
	struct place *place = xcalloc(e->n + 1, sizeof(*place));

	for (uint32_t i = 0; i < e->n; i++)
		pc[i] = e->events[i].pc;
	qsort(pc, e->n, sizeof(*pc), by_pc);
	*n = 0;
	for (uint32_t i = 0; i < e->n; i++) {
		if (!i || pc[i] != pc[i - 1])
			place[(*n)++].pc = pc[i];
		place[*n - 1].n++;
	}
	free(pc);
	qsort(place, *n, sizeof(*place), by_number);
	return place;
}

/* A function of the program, with the line in it that makes most events. */
struct busy {
	char *function;
	char where[256];
	uint32_t n;
};

/* Adds the events at a place to those of its function. */
static void add_place(struct busy *busy, size_t *n, struct symbols *symbols, const struct place *p)
{
	struct rec_stack st = symbolize_stack(symbols, &p->pc, 1, false);
	const struct rec_frame *f = rec_stack_user_frame(&st);
	size_t i = 0;

	if (f && f->function) {
		while (i < *n && strcmp(busy[i].function, f->function))
			i++;
		if (i == *n) {
			busy[i].function = xstrdup(f->function);
			rec_frame_where(f, busy[i].where, sizeof(busy[i].where));
			(*n)++;
		}
		busy[i].n += p->n;
	}
	rec_stack_free(&st);
}

/* Writes where most of the events come from. */
static void describe_loop(const struct search *search, const struct execution *e, char *buf, size_t size)
{
	struct symbols *symbols = search->maps && e->n ? symbols_open(search->maps) : NULL;
	struct busy busy[PLACES] = {0}, *most = busy;
	size_t n, functions = 0;
	struct place *place;

	if (!symbols)
		return;
	symbols_limit(symbols, SYMBOLS_NS);
	place = count_places(e, &n);
	for (size_t i = 0; i < n && i < PLACES; i++)
		if (place[i].pc)
			add_place(busy, &functions, symbols, &place[i]);
	for (size_t i = 0; i < functions; i++)
		most = busy[i].n > most->n ? &busy[i] : most;
	if (functions)
		text_set(buf, size, "%.0f %% of the events in %.120s (%.160s)", 100.0 * most->n / e->n, most->function,
			most->where);
	for (size_t i = 0; i < functions; i++)
		free(busy[i].function);
	free(place);
	symbols_close(symbols);
}

/* ---- whether ---- */

const char *lengthy_without(const struct run_options *o)
{
	const struct {
		bool given;
		const char *name;
	} all[] = {
		{o->settings.model != MODEL_SC, "another --model than sc"},
		{o->settings.fail_on_race, "--fail-on-race (most accesses are not seen)"},
		{o->settings.patience, "--patience"},
		{o->settings.discrete_time, "--time-model discrete"},
		{o->settings.spurious, "--spurious"},
		{o->passing, "--passing"},
		{o->settings.barrier_first, "--barrier-serial first"},
	};

	for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i].given)
			return all[i].name;
	return NULL;
}

/* Returns whether windows can take the place of this search. */
static bool replaceable(const struct search *search)
{
	const struct run_options *o = &search->opt;
	const struct session_control *ctl = &search->seg.session->ctl;

	return search->config.strategy == STRATEGY_AUTO && !lengthy_without(o) && !o->certificate && !o->search &&
		!shared_load(&ctl->discoveries.applied_regions);
}

static uint64_t after_ns(const struct search *search)
{
	uint64_t part = search->opt.time_ns / PART_OF_BUDGET;
	const char *ms = getenv("SIMUL_TEST_LENGTHY"); /* for tests, so that a busy machine changes no search */

	if (ms)
		return strtoull(ms, NULL, 10) * (NS_PER_S / 1000);
	if (!part || part > AFTER_NS)
		return AFTER_NS;
	return part < LEAST_NS ? LEAST_NS : part;
}

static uint32_t longest(const struct search *search, const struct explore_stats *st)
{
	uint32_t running = shared_load(&search->seg.session->ctl.execution.trace_n);

	return running > st->max_depth ? running : st->max_depth;
}

/* Returns the executions that were cut, or left for another one that did not end either. */
static uint64_t unended(const struct search *search, const struct explore_stats *st)
{
	return explore_cut(st) + (shared_load(&search->seg.session->ctl.facts.endless) ? st->blocked : 0);
}

bool lengthy_mostly(const struct search *search, const struct explore_stats *st)
{
	uint64_t n = unended(search, st);

	return n > MANY_UNENDED && n > st->executions;
}

/* Writes that executions are long, for lengthy_why. */
static void note_cause(struct search *search, const struct explore_stats *st)
{
	struct lengthy *l = &search->lengthy;

	l->events = longest(search, st);
	l->cut = unended(search, st);
	l->most = search->config.settings.max_steps;
	l->ended = st->executions;
	l->memory = st->out_of_memory;
	l->endless = shared_load(&search->seg.session->ctl.facts.endless);
	l->seconds = (double)(wall_clock_ns() - l->since_ns) / 1e9;
}

/* Prints once how long an execution is, when the first one in slices has ended. */
static void print_length(struct search *search, const struct explore_stats *st)
{
	struct lengthy *l = &search->lengthy;
	uint64_t now = wall_clock_ns();
	char many[32];

	if (!l->slices_ns && search->seg.session->ctl.execution.executions_started)
		l->slices_ns = now;
	if (l->printed || !st->window_operations)
		return;
	l->printed = true;
	counts_rough(st->window_operations, many, sizeof(many));
	say("note: the first execution in slices %s about %s operations and accesses to memory, in %.1f s; "
	    "slices that a waiting loop ends early count whole",
		st->window_uncut ? "made" : "was ended after", many, (double)(now - l->slices_ns) / 1e9);
}

/* Writes where the running or latest execution has most of its events; "" if it is not known. */
static const char *loop_now(struct search *search)
{
	struct lengthy *l = &search->lengthy;
	struct execution e;
	char why[SESSION_MESSAGE];

	if (segment_execution(&search->seg, &e, why, sizeof(why))) {
		describe_loop(search, &e, l->loop, sizeof(l->loop));
		execution_free(&e);
	}
	return l->loop;
}

/* Prints once that the first execution, or the first one in slices, takes long. */
static void print_first(struct search *search, const struct explore_stats *st)
{
	struct lengthy *l = &search->lengthy;
	bool slices = search->config.strategy == STRATEGY_WINDOWS;
	uint64_t since = slices ? l->slices_ns : l->since_ns, now = wall_clock_ns();
	const char *where = slices ? " in slices" : "", *loop;

	if (l->first_noted[slices] || !since || now - since < after_ns(search))
		return;
	l->first_noted[slices] = true;
	if (search->opt.quiet || st->executions || explore_cut(st) || st->blocked ||
		search->seg.session->ctl.warm_up.executions)
		return;
	if (!slices)
		loop_now(search);
	loop = slices ? "" : l->loop;
	progress_end(&search->progress);
	say("note: the first execution%s has not ended after %.0f s; it has %" PRIu32 " events so far%s%s", where,
		(double)(now - since) / 1e9, longest(search, st), loop[0] ? "; " : "", loop);
}

bool lengthy_look(struct search *search, const struct explore_stats *st, size_t bugs)
{
	struct lengthy *l = &search->lengthy;
	const struct session_control *ctl = &search->seg.session->ctl;
	uint64_t now = wall_clock_ns();

	if (l->windows && !bugs) /* replays of a bug take time, too */
		print_length(search, st);
	if (!ctl->execution.executions_started)
		return false;
	if (!l->since_ns)
		l->since_ns = now;
	if (!replaceable(search)) {
		print_first(search, st);
		return false;
	}
	if (bugs || now - l->since_ns < after_ns(search))
		return false;
	if (lengthy_mostly(search, st) && !st->bound_done) {
		note_cause(search, st);
		return true;
	}
	if (st->executions)
		return false;
	if (longest(search, st) < LONG_EVENTS && (ctl->warm_up.executions || now - l->since_ns < LAST_NS)) {
		print_first(search, st);
		return false;
	}
	if (!explore_cut(st) && ctl->warm_up.executions * NS_PER_S > WARM_UP_RATE * (now - l->since_ns))
		return false;
	note_cause(search, st);
	return true;
}

bool lengthy_over(struct search *search, const struct explore_stats *st, size_t bugs)
{
	uint64_t end = search->start_ns + search->opt.time_ns;

	bool memory = st->out_of_memory && longest(search, st) >= LONG_EVENTS;
	bool mostly = search->lengthy.since_ns && lengthy_mostly(search, st);

	if (bugs || !replaceable(search) || (!memory && !mostly) || !search->opt.time_ns ||
		wall_clock_ns() + after_ns(search) >= end)
		return false;
	if (!search->lengthy.since_ns)
		search->lengthy.since_ns = search->start_ns;
	note_cause(search, st);
	return true;
}

/* ---- going on ---- */

void lengthy_configure(struct session_config *config)
{
	config->strategy = STRATEGY_WINDOWS;
	config->rounds = false;
	/* in a window, a lock may be held that was taken before it, where its accesses were no events */
	config->settings.known_locks = KNOWN_LOCKS_NONE;
}

void lengthy_use_windows(struct search *search)
{
	search->lengthy.windows = true;
	search->lengthy.printed = true;
	lengthy_configure(&search->config);
}

const char *lengthy_why(const struct lengthy *l, char *buf, size_t size)
{
	buf[0] = 0;
	if (!l->windows)
		return buf;
	if (!l->seconds)
		text_set(buf, size, "an earlier run found that executions are long");
	else if (l->memory)
		text_set(buf, size, "executions of up to %" PRIu32 " events use up the memory of the search (--memory)",
			l->events);
	else if (l->cut && l->ended)
		text_set(buf, size, "%" PRIu64 " of %" PRIu64 " executions did not end (--max-steps)", l->cut,
			l->cut + l->ended);
	else if (l->cut)
		text_set(buf, size, "%" PRIu64 " execution%s cut after %" PRIu32 " events (--max-steps)", l->cut,
			l->cut == 1 ? " was" : "s were", l->most);
	else
		text_set(buf, size, "an execution had %" PRIu32 " events after %.0f s, and did not end", l->events,
			l->seconds);
	if (l->endless)
		text_add(buf, size, "; threads may wait in loops for ever");
	return buf;
}

void lengthy_go_on(struct search *search)
{
	struct lengthy *l = &search->lengthy;
	char why[SESSION_MESSAGE];

	loop_now(search);
	lengthy_use_windows(search);
	l->printed = search->opt.quiet;
	progress_end(&search->progress);
	if (!search->opt.quiet)
		say("note: %s%s%s. The search goes on with windows: short parts of executions (docs/windows.md). "
		    "A smaller test would be explored whole",
			lengthy_why(l, why, sizeof(why)), l->loop[0] ? "; " : "", l->loop);
}
