/*
 * Writes a certificate. The schedule of the spine, an execution that passed, runs once more in a fresh process, which has names and places
 * for everything. The session has the rest: which code accessed shared bytes in any execution, and which bytes those are.
 */
#include "cli/certify/certify_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/certify/handlers.h"
#include "cli/certify/supported.h"
#include "cli/base/proc_text.h"
#include "cli/collect/collect.h"
#include "cli/bugs/rerun.h"
#include "cli/base/say.h"
#include "cli/supervise/search.h"
#include "cli/verdict/verdict.h"
#include "cli/certify/address_map.h"
#include "cli/certify/program.h"
#include "base/own_files.h"
#include "enforce/partial_order.h"
#include "base/xalloc.h"
#include "sched/memory.h"

void certify_fail(struct certifying *x, const char *fmt, ...)
{
	va_list ap;

	if (x->why[0])
		return;
	va_start(ap, fmt);
	vsnprintf(x->why, sizeof(x->why), fmt, ap);
	va_end(ap);
}

/* ---- results of the search ---- */

/* Returns what to do where no execution passed, as the end of a sentence. */
static const char *what_helps(const struct explore_stats *st)
{
	if (st->finished && st->executions && !st->cut)
		return ": every one fails, so correct the program first";
	if (!st->executions && st->cut)
		return ": all were cut (a larger --max-steps may help)";
	return "; a longer search may find one (--executions, --time)";
}

static bool take_spine(struct certifying *x)
{
	const struct segment *seg = &x->search->seg;
	struct explore_spine spine;

	if (!explore_spine((const char *)seg->session + seg->layout.explore_off, seg->layout.explore_size, segment_common_search(seg), &spine)) {
		if (spine.lost)
			certify_fail(x, "the search could not follow %s %s %" PRIu32, x->search->opt.from,
				spine.lost > x->search->from->n ? "to a passing end, after step" : "beyond step", spine.lost - 1);
		else
			certify_fail(x, "no execution passed, so there is none to certify%s",
				what_helps(&x->verdict->stats));
		return false;
	}
	if (!segment_execution(seg, &x->at_end, x->why, sizeof(x->why)))
		return false;
	x->event = xcalloc(spine.n, sizeof(*x->event));
	memcpy(x->event, spine.event, spine.n * sizeof(*x->event));
	x->n = spine.n;
	x->certified = spine.certified;
	x->frozen = spine.frozen;
	x->siblings = spine.siblings;
	memcpy(x->sibling, spine.sibling, sizeof(x->sibling));
	if (!segment_events_valid(x->event, x->n, &x->at_end.names)) {
		certify_fail(x, "the program overwrote simul's memory");
		return false;
	}
	return true;
}

/* ---- the prefix ---- */

/* Describes why the certified prefix cannot shrink; frozen NULL: it can. If the search may have missed something, only the one schedule is
   certified. */
static void describe_search(struct certifying *x)
{
	static const char *const words[] = {"an execution failed", "an execution was cut (--max-steps)",
		"an execution ended at an assumption that does not hold",
		"objects have addresses that depend on the schedule", "the search was aborted", "the program marks regions to explore"};
	const char *weakness = x->verdict->weakness;
	char explored[2048];

	coverage_text(&x->verdict->seen.coverage, explored, sizeof(explored));
	if (weakness || explored[0]) {
		x->c->but = xasprintf("%s%s%s", weakness ? weakness : "", weakness && explored[0] ? ";" : "",
			explored + strspn(explored, ", "));
		x->certified = x->n;
		x->siblings = 0;
		x->c->frozen = xasprintf("only the one schedule is certified, since the search does not cover everything: %s", x->c->but);
		return;
	}
	for (unsigned i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (x->frozen & 1u << i && !x->c->frozen)
			x->c->frozen = xstrdup(words[i]);
}

/* ---- shared memory ---- */

static void add_shared(struct certifying *x, uint64_t addr, uint64_t size)
{
	struct certificate *c = x->c;
	struct cert_range range;

	/* no event of the spine touches bytes elsewhere (events.c), so nothing has to wait for them */
	if (!address_map_find(x->map, c, addr, (uint32_t)size, &range))
		return;
	c->shared = xgrow(c->shared, c->n_shared, sizeof(*c->shared));
	c->shared[c->n_shared++] = range;
}

static void describe_shared(struct certifying *x)
{
	const struct rec_memory *m = &x->at_end.memory;

	for (size_t p = 0; p < m->n_pages; p++) {
		uint32_t from = 0;

		for (uint32_t b = 0; b <= MEMORY_PAGE; b++) {
			bool in = b < MEMORY_PAGE && m->page[p].shared[b / 64] >> b % 64 & 1;

			if (in)
				continue;
			if (from < b)
				add_shared(x, m->page[p].base + from, b - from);
			from = b + 1;
		}
	}
}

static void describe_sites(struct certifying *x, const char *maps)
{
	struct certificate *c = x->c;
	char place[1024];

	if (x->sensors->sites_full)
		certify_fail(x, "too many places in the code access shared memory");
	for (size_t i = 0; i < SESSION_SITES; i++) {
		uint64_t pc = x->sensors->site[i] >> 1;
		struct cert_range range;

		if (!x->sensors->site[i])
			continue;
		if (x->sensors->site[i] & 1)
			certify_fail(x,
				"cannot be enforced yet: shared memory is accessed by a function of the C library, "
				"which is called%s (0x%" PRIx64 " in %s)",
				supported_place_of(maps, pc, place, sizeof(place)), pc,
				address_map_module(x->map, pc) ? address_map_module(x->map, pc) : "code outside any file");
		else if (!address_map_find(x->map, c, pc, 0, &range))
			certify_fail(x, "cannot be enforced yet: code outside any file accesses shared memory");
		if (x->why[0])
			return;
		c->sites = xgrow(c->sites, c->n_sites, sizeof(*c->sites));
		c->sites[c->n_sites++] = range;
	}
}

/* ---- writing it ---- */

/* Adds the program itself, which is module 0. */
static void add_program(struct certifying *x)
{
	struct certificate *c = x->c;

	c->modules = xgrow(c->modules, c->n_modules, sizeof(*c->modules));
	c->modules[c->n_modules++] = (struct cert_module){xstrdup(c->program), xstrdup(c->build_id)};
}

/* Returns whether the process still runs the program that was started. */
static bool is_program(pid_t pid, const char *program)
{
	char link[64], exe[4096];
	char *real = realpath(program, NULL);
	ssize_t n;
	bool same;

	snprintf(link, sizeof(link), "/proc/%d/exe", (int)pid);
	n = readlink(link, exe, sizeof(exe) - 1);
	exe[n > 0 ? n : 0] = 0;
	same = real && !strcmp(real, exe);
	free(real);
	return same;
}

/* Records the place of the pool in which the thread had its stack, if there is one. */
static void note_place(struct cert_thread *to, const struct session_pool *pool, const char *path, uint64_t stack_hi)
{
	for (uint32_t i = 0; i < pool->n; i++) {
		uint64_t at = pool->thread[i].stack_at, bytes = pool->thread[i].stack_size;

		if (strcmp(pool->thread[i].path, path) || bytes > STACK_MOST || at % STACK_LOW || stack_hi - at - 1 >= bytes)
			continue;
		to->at = at;
		to->bytes = bytes;
		to->guard = pool->thread[i].guard_size;
		return;
	}
}

/* Records where the stacks and the thread-local variables of the threads are, in the process that has followed the spine. */
static void note_threads(struct certifying *x, const struct segment *seg)
{
	for (thread_id t = 0; t < x->at_end.names.count && t < MAX_THREADS; t++) {
		struct session_thread thread;
		uint32_t number;
		char path[SESSION_PATH];

		segment_thread(seg, t, &thread);
		if (!thread.stack_hi)
			continue;
		number = certify_thread(x, t);
		x->c->threads[number].stack = (uint32_t)(thread.stack_hi % STACK_LOW);
		note_place(&x->c->threads[number], &x->at_end.pool, thread_name_format(&x->at_end.names, t, path, sizeof(path)), thread.stack_hi);
		address_map_thread(x->map, number, thread.stack_hi, thread.tls);
	}
}

static void build(struct certifying *x, const struct segment *seg, const struct capture *output, pid_t pid, const struct execution *e)
{
	struct collect_input in = {
		.target = &x->search->target,
		.seg = seg,
		.execution = e,
		.config = &x->search->config,
		.patterns = x->search->opt.patch.value,
		.memory = &x->at_end.memory,
		.output = output,
		.pid = pid,
		.strategy = "",
	};
	char *maps;

	if (e->n != x->n) {
		certify_fail(x, "the passing schedule ended differently when it was repeated: the program is not "
			"deterministic");
		return;
	}
	if (!is_program(pid, x->c->program)) {
		certify_fail(x, "cannot be enforced yet: %s executes another program; certify that one", x->c->program);
		return;
	}
	maps = proc_text_maps(pid);
	x->recording = collect_recording(&in);
	x->object = xcalloc(x->recording->n_objects + 1, sizeof(*x->object));
	x->map = address_map_open(maps, collect_heap_low(seg));
	add_program(x);
	note_threads(x, seg);
	certify_events(x, seg, e->events, e->n, maps);
	describe_shared(x);
	handlers_check_stacks(x->c, x->why, sizeof(x->why));
	describe_sites(x, maps);
	address_map_close(x->map);
	free(maps);
}

static void at_end(void *ctx, const struct segment *seg, const struct capture *output, pid_t pid, const struct confirm_outcome *outcome)
{
	struct certifying *x = ctx;
	struct execution e;
	char why[256];

	if (outcome->kind != CONFIRM_NO_FAILURE || x->recording || !pid)
		return;
	if (!segment_execution(seg, &e, why, sizeof(why)))
		return;
	build(x, seg, output, pid, &e);
	execution_free(&e);
}

static void follow_spine(struct certifying *x)
{
	struct schedule schedule;
	struct confirm_outcome out;
	char text[SESSION_MESSAGE];
	struct rerun r = rerun_of_search(x->search, &schedule);

	r.stacks = true;
	r.at_end = at_end;
	r.ctx = x;
	schedule_from_events(&schedule, x->event, x->n, &x->at_end.names, &x->at_end.pool, &x->at_end.memory);
	rerun_once(&r, &out);
	schedule_free(&schedule);
	if (x->recording)
		return;
	confirm_describe(&out, text, sizeof(text));
	certify_fail(x, "the passing schedule could not be repeated: %s", text);
}

void certify_describe(const struct certificate *c, char *buf, size_t size)
{
	if (!c->certified && c->executions == 1)
		snprintf(buf, size, "unconstrained: there is only one execution, and it did not fail");
	else if (!c->certified)
		snprintf(buf, size, "unconstrained: all %" PRIu64 " executions were explored, and none failed", c->executions);
	else
		snprintf(buf, size, "%" PRIu32 " of %zu events certified, %" PRIu32 " constraint%s, after %" PRIu64 " execution%s%s%s", c->certified,
			c->n_events, certificate_constraints(c, c->certified), certificate_constraints(c, c->certified) == 1 ? "" : "s",
			c->executions, c->executions == 1 ? "" : "s", c->frozen ? "; more executions cannot improve this: " : "", c->frozen ? c->frozen : "");
}

static bool write_it(struct certifying *x, FILE *out)
{
	const char *why = "";
	int error = certificate_write(x->c, x->search->opt.certificate, &why);
	char text[2048];

	if (error) {
		say("cannot write the certificate %s: %s: %s", x->search->opt.certificate, why, strerror(-error));
		return false;
	}
	certify_describe(x->c, text, sizeof(text));
	fprintf(out, "certificate: %s: %s\n", x->search->opt.certificate, text);
	if (x->search->sup.cause == STOP_BUG && x->c->certified && !x->c->frozen)
		fprintf(out, "  the bug was met before the first of these executions, and the search has not reached it; --time or --executions "
			"continues, and may leave fewer constraints\n");
	return true;
}

bool certify_write(const struct verdict *v, FILE *out)
{
	const struct search *search = v->search;
	struct certifying x = {.verdict = v, .search = search, .c = certificate_new(), .sensors = segment_sensors(&search->seg)};
	bool ok = false;

	x.thread = xcalloc(MAX_THREADS, sizeof(*x.thread));
	if (v->unusable || v->internal)
		certify_fail(&x, "there was nothing to certify");
	else if (search->target.script)
		certify_fail(&x, "cannot be enforced yet: a script starts the program; certify the program itself");
	else if (take_spine(&x) && supported_kinds(x.sensors, search->config.settings.model, search->target.argv[0], search->maps, x.why,
		sizeof(x.why))) {
		certify_program(search, &v->stats, x.c);
		x.c->inline_calls = x.sensors->inline_call;
		describe_search(&x);
		follow_spine(&x);
	}
	if (x.why[0])
		say("no certificate was written to %s: %s", search->opt.certificate, x.why);
	else
		ok = write_it(&x, out);
	if (x.at_end.events)
		execution_free(&x.at_end);
	recording_free(x.recording);
	certificate_free(x.c);
	free(x.object);
	free(x.thread);
	free(x.event);
	free(x.sensors);
	return ok;
}
