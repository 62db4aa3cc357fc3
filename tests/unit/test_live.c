/*
 * The execution graph of a running execution under RC11 (sched/live.h): small programs run in the world, every order of
 * their threads with every store that world_stores offers. The graphs must be those of an oracle (lib_rc11.h): none is
 * lost, and none is invented. Without a rule of the model, or if the graph does not learn what library calls order,
 * they are not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "sched/hb.h"
#include "sched/live.h"
#include "sched/memory.h"
#include "sched/rc11.h"
#include "tests/unit/lib_rc11.h"
#include "tests/unit/lib_rc11_litmus.h"
#include "tests/unit/lib_seed.h"
#include "tests/unit/lib_toy_random.h"

#define BASE UINT64_C(0x5000)
#define EVENTS 64
#define MOST_CANDIDATES 10000
#define NOBODY 255

/* What tests leave out, besides enum rc11_without. */
#define WITHOUT_CALLS (UINT32_C(1) << 30) /* happens-before does not hear of locks */
#define WITHOUT_STORES (UINT32_C(1) << 29) /* the latest store is always chosen */

/* A decision of the enumeration: which of n. */
struct decision_made {
	uint16_t chosen, of;
};

static struct {
	const struct rc_program *p;
	struct decision_made made[4 * EVENTS];
	unsigned depth, decided; /* decisions known, and used in this execution */
	uint32_t without;
} search;

static struct {
	struct world *w;
	struct hb *hb;
	struct trace trace;
	thread_id id[RC_THREADS]; /* of each thread of the program */
	unsigned line[RC_THREADS];
	bool ended[RC_THREADS];
	uint32_t reg[RC_THREADS][RC_REGS];
	uint8_t name[EVENTS + 1]; /* of each event of the trace, from 1 */
	struct rc_key key;
	unsigned orders[RC_PLACES];
} run;

static struct thread_names names;
static struct memory_table cells;
static struct event events[EVENTS], pending[MAX_IDS];
static uint8_t pending_alts[MAX_IDS], mem[4096];
static _Alignas(16) char arena_memory[4 << 20];

static void *bytes_at(void *ctx, uint64_t addr, uint32_t size)
{
	assert_true(addr >= BASE && addr + size <= BASE + sizeof mem);
	return mem + (addr - BASE);
}

/* Returns the next decision of n. */
static unsigned decide(unsigned n)
{
	assert_true(search.decided < sizeof search.made / sizeof *search.made);
	struct decision_made *d = &search.made[search.decided++];
	if (search.decided > search.depth)
		*d = (struct decision_made){.of = (uint16_t)n};
	if (search.decided > search.depth)
		search.depth = search.decided;
	assert_int_equal(d->of, n);
	return d->chosen;
}

/* Goes to the next sequence of decisions. Returns false after the last one. */
static bool next_decisions(void)
{
	while (search.depth && search.made[search.depth - 1].chosen + 1u == search.made[search.depth - 1].of)
		search.depth--;
	if (!search.depth)
		return false;
	search.made[search.depth - 1].chosen++;
	return true;
}

/* ---- the world ---- */

static struct step go(struct choice c)
{
	struct step st;
	world_step(run.w, c, &st);
	assert_true(run.trace.n < EVENTS);
	events[run.trace.n++] = st.event;
	bool call = event_kind_object(st.event.kind) == OBJ_MUTEX;
	if (!(call && (search.without & WITHOUT_CALLS)))
		hb_event(run.hb, &st.event);
	else
		hb_event(run.hb, &(struct event){.thread = st.event.thread, .kind = EV_YIELD});
	return st;
}

static struct step perform(thread_id t, struct op op)
{
	world_announce(run.w, t, &op);
	return go((struct choice){.thread = t, .alt = ALT_NORMAL});
}

static struct op plain_op(unsigned kind)
{
	return (struct op){.kind = (uint8_t)kind, .deadline = OP_NO_DEADLINE, .pc = 0x400};
}

/* Thread `by` of the world creates thread t of the program. */
static void create(thread_id by, unsigned t)
{
	struct step st = perform(by, plain_op(EV_THREAD_CREATE));
	run.id[t] = st.created;
	perform(st.created, plain_op(EV_THREAD_START));
}

static bool is_created(const struct rc_program *p, unsigned t)
{
	for (unsigned by = 0; by < p->threads; by++)
		for (unsigned i = 0; i < p->length[by]; i++)
			if (p->line[by][i].what == RC_CREATE && p->line[by][i].other == (int)t)
				return true;
	return false;
}

static void begin(void)
{
	struct arena *a = arena_init(arena_memory, sizeof arena_memory);
	struct world_config config = {.names = &names, .trace = &run.trace, .memory = bytes_at};
	config.graph_events = EVENTS;
	config.settings.model = MODEL_RC11;
	memset(&run, 0, sizeof run);
	memset(mem, 0, sizeof mem);
	run.trace = (struct trace){.event = events, .cap = EVENTS, .memory = &cells};
	run.trace.pending = pending;
	run.trace.alts = pending_alts;
	run.hb = hb_init(a, MODEL_RC11);
	config.order = run.hb;
	run.w = world_init(a, &config);
	live_leave_out(run.w, search.without & ~(WITHOUT_CALLS | WITHOUT_STORES));
	for (unsigned t = 0; t < search.p->threads; t++)
		run.id[t] = NOBODY;
	for (unsigned t = 0; t < search.p->threads; t++)
		if (!is_created(search.p, t))
			create(0, t);
}

/* ---- the program ---- */

static uint32_t value(unsigned t, struct rc_value v)
{
	return (v.reg < 0 ? 0 : run.reg[t][v.reg]) + (uint32_t)v.constant;
}

static bool acquires(enum rc11_order o)
{
	return o == RC11_CONSUME || o == RC11_ACQUIRE || o == RC11_ACQ_REL || o == RC11_SEQ_CST;
}

static bool releases(enum rc11_order o)
{
	return o == RC11_RELEASE || o == RC11_ACQ_REL || o == RC11_SEQ_CST;
}

static struct op access_op(unsigned t, const struct rc_line *l)
{
	struct op op = plain_op(l->what == RC_LOAD ? EV_LOAD : l->what == RC_STORE ? EV_STORE
										   : EV_RMW);
	uint32_t expected = value(t, l->expected);
	op.arg[0] = BASE + 16u * (unsigned)l->place;
	op.arg[1] = 4;
	assert_true(memory_name(&cells, op.arg[0], 4, op.obj, &op.span));
	op.flags = l->order == RC11_PLAIN ? OPF_PLAIN : OPF_ATOMIC;
	op.flags |= acquires(l->order) && l->what != RC_STORE ? OPF_ACQUIRE : 0;
	op.flags |= releases(l->order) && l->what != RC_LOAD ? OPF_RELEASE : 0;
	op.seq_cst = l->order == RC11_SEQ_CST;
	if (l->what == RC_CAS) {
		op.type = memory_fingerprint(&expected, 4);
		op.failed_acquires = acquires(l->fail);
		op.failed_seq_cst = l->fail == RC11_SEQ_CST;
	}
	return op;
}

static uint32_t updated(enum rc11_update update, uint32_t found, uint32_t operand)
{
	switch (update) {
	case RC11_EXCHANGE: return operand;
	case RC11_ADD: return found + operand;
	case RC11_SUB: return found - operand;
	case RC11_AND: return found & operand;
	case RC11_OR: return found | operand;
	case RC11_XOR: return found ^ operand;
	case RC11_NAND: return ~(found & operand);
	}
	return 0;
}

/* The access itself, as the program's code makes it. */
static void access_memory(unsigned t, const struct rc_line *l)
{
	uint32_t *at = bytes_at(NULL, BASE + 16u * (unsigned)l->place, 4), found = *at;
	world_show_buffer(run.w, run.id[t]);
	found = *at;
	if (l->what == RC_STORE)
		*at = value(t, l->value);
	else if (l->what == RC_UPDATE)
		*at = updated(l->update, found, value(t, l->value));
	else if (l->what == RC_CAS && found == value(t, l->expected))
		*at = value(t, l->value);
	if (l->what != RC_STORE)
		run.reg[t][l->reg] = found;
	world_hide_buffer(run.w, run.id[t]);
	if (l->what != RC_STORE)
		run.key.found[t][run.line[t]] = found;
}

/* Notes where the newest event stands in the graph. */
static void note(unsigned t, const struct rc_line *l, const struct event *e)
{
	bool writes = mode_changes_bytes(event_bytes_mode(e));
	uint32_t from = event_reads_from(e);
	uint8_t store = from ? run.name[from] : RC_FIRST;
	run.name[run.trace.n] = RC_NAME(t, run.line[t]);
	run.key.reads[t][run.line[t]] = l->what == RC_STORE ? RC_DONE : store;
	if (!writes)
		return;
	uint8_t *order = run.key.order[l->place];
	unsigned at = 0, n = run.orders[l->place]++;
	while (from && order[at++] != store)
		assert_true(at < n);
	memmove(order + at + 1, order + at, n - at);
	order[at] = run.name[run.trace.n];
}

static void do_access(unsigned t, const struct rc_line *l)
{
	struct choice stores[ALT_OLDEST - ALT_OLDER + 2];
	struct op op = access_op(t, l);
	world_announce(run.w, run.id[t], &op);
	unsigned n = world_stores(run.w, run.id[t], stores, sizeof stores / sizeof *stores);
	struct step st = go(stores[search.without & WITHOUT_STORES ? 0 : decide(n)]);
	note(t, l, &st.event);
	access_memory(t, l);
}

static void do_fence(unsigned t, const struct rc_line *l)
{
	struct op op = plain_op(EV_FENCE);
	op.seq_cst = 1;
	if (l->order == RC11_SEQ_CST)
		perform(run.id[t], op);
	else
		world_order_fence(run.w, run.id[t], acquires(l->order), releases(l->order));
	hb_fence(run.hb, run.id[t], acquires(l->order), releases(l->order));
}

static void do_call(unsigned t, const struct rc_line *l, unsigned kind, object_id o)
{
	struct op op = plain_op(kind);
	op.obj[0] = o;
	perform(run.id[t], op);
	run.name[run.trace.n] = RC_NAME(t, run.line[t]);
	if (l->what == RC_LOCK || l->what == RC_UNLOCK) { /* in the oracle they are accesses of a place */
		unsigned n = run.orders[l->place]++;
		uint8_t before = n ? run.key.order[l->place][n - 1] : RC_FIRST;
		run.key.reads[t][run.line[t]] = l->what == RC_UNLOCK ? RC_DONE : before;
		run.key.order[l->place][n] = run.name[run.trace.n];
	} else {
		run.key.reads[t][run.line[t]] = RC_DONE;
	}
}

static object_id mutex_of(const struct rc_line *l)
{
	return world_object(run.w, OBJ_MUTEX, BASE + 0x800 + 64u * (unsigned)l->place);
}

static void do_line(unsigned t)
{
	const struct rc_line *l = &search.p->line[t][run.line[t]];
	switch (l->what) {
	case RC_LOAD:
	case RC_STORE:
	case RC_UPDATE:
	case RC_CAS:
		do_access(t, l);
		break;
	case RC_FENCE:
		do_fence(t, l);
		run.key.reads[t][run.line[t]] = RC_DONE;
		break;
	case RC_LOCK:
		do_call(t, l, EV_MUTEX_LOCK, mutex_of(l));
		break;
	case RC_UNLOCK:
		do_call(t, l, EV_MUTEX_UNLOCK, mutex_of(l));
		break;
	case RC_CREATE:
		create(run.id[t], (unsigned)l->other);
		run.key.reads[t][run.line[t]] = RC_DONE;
		break;
	case RC_JOIN:
		do_call(t, l, EV_THREAD_JOIN, world_thread_object(run.w, run.id[l->other]));
		break;
	}
	run.line[t]++;
}

/* Passes over lines whose condition does not hold. Ends the thread after its last one. */
static void settle(unsigned t)
{
	const struct rc_program *p = search.p;
	for (; run.line[t] < p->length[t]; run.line[t]++) {
		const struct rc_line *l = &p->line[t][run.line[t]];
		if (l->cond < 0 || run.reg[t][l->cond] == (uint32_t)l->cond_value)
			return;
	}
	if (run.id[t] == NOBODY || run.ended[t])
		return;
	struct op op = plain_op(EV_THREAD_EXIT);
	op.obj[0] = world_thread_object(run.w, run.id[t]);
	perform(run.id[t], op);
	run.ended[t] = true;
}

static bool can_run(unsigned t)
{
	const struct rc_program *p = search.p;
	if (run.id[t] == NOBODY || run.line[t] == p->length[t])
		return false;
	const struct rc_line *l = &p->line[t][run.line[t]];
	struct object_info info;
	if (l->what == RC_LOCK)
		return !(world_object_info(run.w, mutex_of(l), &info) && info.held);
	return l->what != RC_JOIN || (run.id[l->other] != NOBODY && run.ended[l->other]);
}

static void execute(void)
{
	begin();
	for (;;) {
		unsigned can[RC_THREADS], n = 0;
		for (unsigned t = 0; t < search.p->threads; t++)
			settle(t);
		for (unsigned t = 0; t < search.p->threads; t++)
			if (can_run(t))
				can[n++] = t;
		if (!n)
			return;
		do_line(can[decide(n)]);
	}
}

/* Finds the graphs of all executions, each once. Returns false when there are more than `most` executions. */
static bool all_graphs(const struct rc_program *p, uint32_t without, unsigned most, struct rc_keys *out)
{
	struct rc_keys all = {0};
	search.p = p;
	search.without = without;
	search.depth = 0;
	unsigned n = 0;
	do {
		search.decided = 0;
		execute();
		rc_add(&all, &run.key);
	} while (++n < most && next_decisions());
	rc_sort(&all);
	for (size_t i = 0; i < all.n; i++)
		if (!i || memcmp(&all.key[i - 1], &all.key[i], sizeof *all.key) != 0)
			rc_add(out, &all.key[i]);
	rc_free(&all);
	return n < most;
}

struct totals {
	unsigned programs, wrong, too_big;
	size_t graphs, lost, invented;
};

static void compare(
	const struct rc_program *p, const struct rc_keys *want, uint32_t without, unsigned most, struct totals *sum)
{
	struct rc_keys found = {0};
	if (!all_graphs(p, without, most, &found)) {
		sum->too_big++;
		rc_free(&found);
		return;
	}
	size_t lost = rc_missing(want, &found), invented = rc_missing(&found, want);
	sum->programs++;
	sum->graphs += found.n;
	sum->lost += lost;
	sum->invented += invented;
	sum->wrong += lost || invented;
	if ((lost || invented) && !without) {
		rc_print(p);
		printf("\t%zu graphs of %zu, %zu lost, %zu invented\n", found.n, want->n, lost, invented);
	}
	rc_free(&found);
}

enum { RULES = 7 };
static const uint32_t rules[RULES] = {RC11_WITHOUT_PSC, RC11_WITHOUT_RELEASE_SEQUENCE, RC11_WITHOUT_OLD_PLACES,
	RC11_WITHOUT_FENCES, RC11_WITHOUT_LONG_CYCLES, WITHOUT_CALLS, WITHOUT_STORES};

static void print(const char *what, const struct totals *t)
{
	print_message("%s: %u programs (%u too big), %zu graphs, %zu lost, %zu invented, %u wrong\n", what, t->programs,
		t->too_big, t->graphs, t->lost, t->invented, t->wrong);
}

static void litmus_tests(void **state)
{
	struct totals sum = {0}, broken[RULES] = {{0}};
	for (size_t i = 0; i < sizeof litmus / sizeof *litmus; i++) {
		struct rc_program p;
		struct rc_keys want = {0};
		assert_true(rc_read(&p, litmus[i].text));
		assert_true(rc_oracle(&p, UINT64_MAX, &want));
		rc_sort(&want);
		compare(&p, &want, 0, 300000, &sum);
		for (unsigned k = 0; k < RULES; k++)
			compare(&p, &want, rules[k], 20000, &broken[k]);
		rc_free(&want);
	}
	print("litmus", &sum);
	assert_int_equal(sum.wrong, 0);
	assert_int_equal(sum.too_big, 0);
	for (unsigned k = 0; k < RULES; k++) /* each rule is needed */
		assert_true(broken[k].wrong > 0);
}

/* Compares n random programs. */
static struct totals programs(unsigned n, unsigned with, unsigned most)
{
	struct totals sum = {0};
	uint64_t draw = test_seed(20261129) + with;
	for (unsigned i = 0; i < n; i++) {
		struct rc_program p;
		struct rc_keys want = {0};
		rc_draw(&p, &draw, with);
		if (rc_oracle(&p, MOST_CANDIDATES, &want) && !rc_racy(&want)) {
			rc_sort(&want);
			compare(&p, &want, 0, most, &sum);
		}
		rc_free(&want);
	}
	print("random programs", &sum);
	return sum;
}

static void random_programs(void **state)
{
	struct totals sum = programs(toy_random_part(2000), 0, 20000);
	assert_int_equal(sum.wrong, 0);
	assert_true(sum.programs > sum.too_big);
}

static void random_programs_with_calls(void **state)
{
	assert_int_equal(programs(toy_random_part(1000), RC_JOINS, 20000).wrong, 0);
	assert_int_equal(programs(toy_random_part(1000), RC_LOCKS, 20000).wrong, 0);
	assert_int_equal(programs(toy_random_part(1000), RC_LOCKS | RC_NESTED | RC_JOINS, 20000).wrong, 0);
}

static void random_programs_with_plain_accesses(void **state)
{
	assert_int_equal(programs(toy_random_part(1000), RC_PLAIN | RC_LOCKS, 20000).wrong, 0);
	assert_int_equal(programs(toy_random_part(1000), RC_PLAIN | RC_JOINS, 20000).wrong, 0);
}

int main(void)
{
	thread_names_init(&names);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(litmus_tests),
		cmocka_unit_test(random_programs),
		cmocka_unit_test(random_programs_with_calls),
		cmocka_unit_test(random_programs_with_plain_accesses),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
