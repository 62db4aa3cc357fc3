/* What `simul show` prints, byte for byte, for recordings made by hand; and divergence reports and JSON. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "recorder/report.h"
#include "replay/diverge.h"
#include "tests/unit/lib_recording.h"

typedef void (*reporter)(FILE *out, const struct recording *r, const struct report_options *options);

static char *printed(reporter report, const struct recording *r, struct report_options o)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	assert_non_null(f);
	report(f, r, &o);
	assert_int_equal(fclose(f), 0);
	return text;
}

/* Takes over r. */
static void expect_report(reporter report, struct recording *r, unsigned width, const char *expected)
{
	char *text = printed(report, r, (struct report_options){ .width = width });

	if (strcmp(text, expected) != 0)
		fail_msg("this was printed:\n%s", text);
	free(text);
	recording_free(r);
}

static const char deadlock_120[] =
	"DEADLOCK in ./bank_test --fast\n"
	"  deadlock: 4 threads wait, none can go on\n"
	"  at bank.c:32\n"
	"  6 steps, 0 preemptions; confirmed: 3 of 3 replays failed in the same way\n"
	"  found in execution 17 of strategy optimal\n"
	"\n"
	"Schedule\n"
	"    │ T0 main          │ T0.1 transfer_thread   │ T0.2 transfer_thread   │ T0.3 transfer_thread   │ where\n"
	"────┼──────────────────┼────────────────────────┼────────────────────────┼────────────────────────┼───────────────────\n"
	"  1 │ create T0.1      │                        │                        │                        │ main bank.c:61\n"
	"  2 │ create T0.2      │                        │                        │                        │ main bank.c:61\n"
	"  3 │ create T0.3      │                        │                        │                        │ main bank.c:61\n"
	"› 4 │                  │ lock account[0].lock   │                        │                        │ transfer bank.c:31\n"
	"› 5 │                  │                        │ lock account[1].lock   │                        │ transfer bank.c:31\n"
	"› 6 │                  │                        │                        │ lock account[2].lock   │ transfer bank.c:31\n"
	"✗   │ waits: join T0.1 │                        │                        │                        │ main bank.c:66\n"
	"✗   │                  │ waits: account[1].lock │                        │                        │ transfer bank.c:32\n"
	"✗   │                  │                        │ waits: account[2].lock │                        │ transfer bank.c:32\n"
	"✗   │                  │                        │                        │ waits: account[0].lock │ transfer bank.c:32\n"
	"  › another thread goes on   ✗ the failure\n"
	"\n"
	"What happened\n"
	"  The threads wait for each other in a circle:\n"
	"  T0.1 waits for account[1].lock at bank.c:32, which T0.2 holds since step 5 (bank.c:31)\n"
	"  T0.2 waits for account[2].lock at bank.c:32, which T0.3 holds since step 6 (bank.c:31)\n"
	"  T0.3 waits for account[0].lock at bank.c:32, which T0.1 holds since step 4 (bank.c:31)\n"
	"  T0 waits for T0.1 to end (join at bank.c:66)\n"
	"\n"
	"Threads at the end\n"
	"  T0 main, next: join T0.1\n"
	"      #0 main  bank.c:66\n"
	"  T0.1 transfer_thread, next: lock account[1].lock\n"
	"      #0 transfer  bank.c:32\n"
	"  T0.2 transfer_thread, next: lock account[2].lock\n"
	"      #0 transfer  bank.c:32\n"
	"  T0.3 transfer_thread, next: lock account[0].lock\n"
	"      #0 transfer  bank.c:32\n";

static void test_deadlock_120(void **state)
{
	expect_report(report_show, sample_deadlock(), 120, deadlock_120);
}

static const char lost_wakeup_80[] =
	"DEADLOCK in ./bank_test --fast\n"
	"  deadlock: 2 threads wait, none can go on\n"
	"  at queue.c:25\n"
	"  6 steps, 2 preemptions; confirmed: 3 of 3 replays failed in the same way\n"
	"  found in execution 17 of strategy optimal\n"
	"\n"
	"Schedule\n"
	"    │ T0 main           │ T0.1 consumer                  │ where\n"
	"────┼───────────────────┼────────────────────────────────┼────────────────────\n"
	"  1 │ create T0.1       │                                │ main queue.c:40\n"
	"» 2 │                   │ lock q.lock                    │ consumer queue.c:20\n"
	"  3 │                   │ unlock q.lock                  │ consumer queue.c:22\n"
	"» 4 │ signal q.nonempty │                                │ produce queue.c:14\n"
	"› 5 │                   │ lock q.lock                    │ consumer queue.c:24\n"
	"  6 │                   │ wait q.nonempty, unlock q.lock │ consumer queue.c:25\n"
	"✗   │ waits: join T0.1  │                                │ main queue.c:44\n"
	"✗   │                   │ waits: q.nonempty              │ consumer queue.c:25\n"
	"  › another thread goes on   » it was preempted: the thread before could have gone on   ✗ the failure\n"
	"\n"
	"What happened\n"
	"  T0 waits for T0.1 to end (join at queue.c:44)\n"
	"  T0.1 waits on q.nonempty at queue.c:25, and no thread is left to signal it;\n"
	"      the last signal was step 4, by T0 at queue.c:14, before this wait began in\n"
	"      step 6: a lost wake-up\n"
	"\n"
	"Threads at the end\n"
	"  T0 main, next: join T0.1\n"
	"      #0 main  queue.c:44\n"
	"  T0.1 consumer, next: wake-up of q.nonempty\n"
	"      #0 consumer  queue.c:25\n";

static void test_lost_wakeup_80(void **state)
{
	expect_report(report_show, sample_lost_wakeup(), 80, lost_wakeup_80);
}

static const char assert_100[] =
	"ASSERTION FAILED in ./bank_test --fast\n"
	"  bank.c:17: withdraw_all: Assertion `balance >= 0' failed.\n"
	"  at bank.c:17, in thread T0.1 (withdraw_all)\n"
	"  6 steps, 2 preemptions; confirmed: 3 of 3 replays failed in the same way\n"
	"  found in execution 17 of strategy optimal\n"
	"\n"
	"Schedule\n"
	"    │ T0 main         │ T0.1 withdraw_all       │ where\n"
	"────┼─────────────────┼─────────────────────────┼───────────────────────\n"
	"  1 │ create T0.1     │                         │ main bank.c:40\n"
	"» 2 │                 │ lock mutex#1            │ withdraw_all bank.c:12\n"
	"  3 │                 │ unlock mutex#1          │ withdraw_all bank.c:14\n"
	"» 4 │ trylock mutex#1 │                         │ main bank.c:44\n"
	"› 5 │                 │ trylock mutex#1 → EBUSY │ withdraw_all bank.c:15\n"
	"✗ 6 │                 │ assertion fails         │ withdraw_all bank.c:17\n"
	"  › another thread goes on   » it was preempted: the thread before could have gone on   ✗ the failure\n"
	"\n"
	"What happened\n"
	"  T0.1: bank.c:17: withdraw_all: Assertion `balance >= 0' failed.\n"
	"  in withdraw_all bank.c:17\n"
	"  T0 held mutex#1 at that moment, since step 4 at bank.c:44\n"
	"\n"
	"Stack of the failure\n"
	"  #0 withdraw_all  bank.c:17\n"
	"\n"
	"Threads at the end\n"
	"  T0 main, next: unlock mutex#1\n"
	"      #0 main  bank.c:46\n"
	"  T0.1 withdraw_all, failed\n"
	"      #0 withdraw_all  bank.c:17\n"
	"\n"
	"Output of the program\n"
	"  | start\n"
	"  | ?[31mbalance -5\n";

static void test_assert_100(void **state)
{
	expect_report(report_show, sample_assert(), 100, assert_100);
}

static const char livelock_100[] =
	"LIVELOCK in ./bank_test --fast\n"
	"  livelock: 1 thread spins, 2 are blocked\n"
	"  at count.c:9, in thread T0.1 (count)\n"
	"  6 steps, 1 preemption; confirmed: 3 of 3 replays failed in the same way\n"
	"  found in execution 17 of strategy optimal\n"
	"\n"
	"Schedule\n"
	"    │ T0 main              │ T0.1 count      │ where\n"
	"────┼──────────────────────┼─────────────────┼────────────────\n"
	"  1 │ create T0.1          │                 │ main count.c:20\n"
	"  2 │ load counter         │                 │ count count.c:5\n"
	"» 3 │                      │ load counter    │ count count.c:5\n"
	"  4 │                      │ store counter   │ count count.c:5\n"
	"› 5 │ store counter        │                 │ count count.c:5\n"
	"  6 │ cas flags[1] → fails │                 │ main count.c:22\n"
	"✗   │ waits: join T0.1     │                 │ main count.c:25\n"
	"✗   │                      │ spins: flags[1] │ await count.c:9\n"
	"  › another thread goes on   » it was preempted: the thread before could have gone on   ✗ the failure\n"
	"\n"
	"What happened\n"
	"  T0.1 spins for what nobody can change:\n"
	"  T0.1 spins at count.c:9 until flags[1] changes; nothing in this schedule wrote it\n"
	"  T0 waits for T0.1 to end (join at count.c:25)\n"
	"\n"
	"Threads at the end\n"
	"  T0 main, next: join T0.1\n"
	"      #0 main  count.c:25\n"
	"  T0.1 count, next: load flags[1]\n"
	"      #0 await  count.c:9\n";

static void test_livelock_100(void **state)
{
	expect_report(report_show, sample_memory(), 100, livelock_100);
}

/* Rounds of a loop over memory are folded; other accesses in between end it. */
static void test_loops(void **state)
{
	struct recording *r = sample_memory();
	object_id item[2] = { sample_range(r, 3, "a[0]", 0x404100, 4), sample_range(r, 4, "a[1]", 0x404104, 4) };
	char *text;

	for (int i = 0; i < 20; i++) {
		sample_step(r, 1, EV_LOAD, item[i % 2], 0, "sum", "count.c", 40);
		sample_step(r, 1, EV_STORE, item[i % 2], 0, "sum", "count.c", 41);
	}
	sample_step(r, 0, EV_LOAD, item[0], 0, "main", "count.c", 50);
	text = printed(report_show, r, (struct report_options){ .width = 100 });
	assert_non_null(strstr(text, "\n»  7 "));
	assert_non_null(strstr(text, "\n   8 "));
	assert_null(strstr(text, "\n   9 "));
	assert_non_null(strstr(text, "… T0.1: the same accesses 19 times more, up to step 46 …"));
	assert_non_null(strstr(text, " 47 "));
	free(text);
	text = printed(report_show, r, (struct report_options){ .width = 100, .all = true });
	assert_null(strstr(text, "the same accesses"));
	assert_non_null(strstr(text, "\n  46 "));
	free(text);
	recording_free(r);
}

static const char summary_60[] =
	"DEADLOCK in ./bank_test --fast\n"
	"  deadlock: 4 threads wait, none can go on\n"
	"  at bank.c:32\n"
	"  6 steps, 0 preemptions; confirmed: 3 of 3 replays failed in the same way\n"
	"  found in execution 17 of strategy optimal\n"
	"\n"
	"  1 T0    create T0.1             main bank.c:61\n"
	"  2 T0    create T0.2             main bank.c:61\n"
	"  3 T0    create T0.3             main bank.c:61\n"
	"› 4 T0.1  lock account[0].lock    transfer bank.c:31\n"
	"› 5 T0.2  lock account[1].lock    transfer bank.c:31\n"
	"› 6 T0.3  lock account[2].lock    transfer bank.c:31\n"
	"✗   T0    waits: join T0.1        main bank.c:66\n"
	"✗   T0.1  waits: account[1].lock  transfer bank.c:32\n"
	"✗   T0.2  waits: account[2].lock  transfer bank.c:32\n"
	"✗   T0.3  waits: account[0].lock  transfer bank.c:32\n"
	"  › another thread goes on   ✗ the failure\n"
	"\n"
	"  The threads wait for each other in a circle:\n"
	"  T0.1 waits for account[1].lock at bank.c:32, which T0.2\n"
	"      holds since step 5 (bank.c:31)\n"
	"  T0.2 waits for account[2].lock at bank.c:32, which T0.3\n"
	"      holds since step 6 (bank.c:31)\n"
	"  T0.3 waits for account[0].lock at bank.c:32, which T0.1\n"
	"      holds since step 4 (bank.c:31)\n"
	"  T0 waits for T0.1 to end (join at bank.c:66)\n";

static void test_summary_60(void **state)
{
	expect_report(report_bug_summary, sample_deadlock(), 60, summary_60);
}

static const char diverged[] =
	"simul: replay diverged at step 5 of 6\n"
	"  recorded  T0.1  trylock mutex#1  (bank.c:15)\n"
	"  now       T0.1  lock an object that the recording does not have  (worker.c:88)\n"
	"  enabled   {T0, (new thread)}\n"
	"\n"
	"  the last steps that were the same\n"
	"    1 T0    create T0.1              main bank.c:40\n"
	"  » 2 T0.1  lock mutex#1             withdraw_all bank.c:12\n"
	"    3 T0.1  unlock mutex#1           withdraw_all bank.c:14\n"
	"  » 4 T0    trylock mutex#1          main bank.c:44\n"
	"\n"
	"  usual causes\n"
	"    input that changed: files, environment, standard input, the network\n"
	"    random numbers or identifiers that are not seeded the same (process ids, /dev/urandom)\n"
	"    an order that depends on addresses (pointers as keys of a sorted or hashed container)\n"
	"    time read in a way that simul does not see (the rdtsc instruction, the vdso)\n"
	"    threads that synchronise in a way that simul does not see\n"
	"\n"
	"  what to try\n"
	"    simul replay --stop-at 4 bank.simul    stops just before; look at the program there\n"
	"    simul show bank.simul    what was recorded\n";

static char *diverge_text(struct session_divergence d, struct diverge_context c)
{
	struct recording *r = sample_assert();
	struct report_options o = { .width = 100 };
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	diverge_report(f, r, &d, &c, &o);
	assert_int_equal(fclose(f), 0);
	recording_free(r);
	return text;
}

static void test_divergence(void **state)
{
	struct session_divergence d = { .happened = 1, .step = 4, .reason = DIVERGED_OTHER_EVENT,
		.expected = { 1, 0, EV_MUTEX_TRYLOCK, { 2, 0 }, .span = 0 }, .found = { 1, 0, EV_MUTEX_LOCK, { 9, 0 }, .span = 0 },
		.enabled_mask = 5 };
	struct diverge_context c = { .recording_path = "bank.simul", .found_where = "worker.c:88" };
	char *text = diverge_text(d, c);

	assert_string_equal(text, diverged);
	free(text);
}

static void expect_words(struct session_divergence d, struct diverge_context c, const char *words)
{
	char *text = diverge_text(d, c);

	if (!strstr(text, words))
		fail_msg("\"%s\" is not in\n%s", words, text);
	free(text);
}

/* Memory is called as the recording calls it. */
static void test_divergence_in_memory(void **state)
{
	struct recording *r = sample_memory();
	object_id cell = OBJECT_MEMORY | 1 << 8;
	struct session_divergence d = { .happened = 1, .step = 4, .reason = DIVERGED_OTHER_EVENT,
		.expected = { .kind = EV_STORE, .obj = { cell }, .span = 4 | 7 << 4 },
		.found = { .kind = EV_LOAD, .obj = { cell }, .span = 12 | 15 << 4 } };
	struct report_options o = { .width = 100 };
	char *text = NULL;
	size_t size;
	FILE *f;

	for (int i = 0; i < 3; i++) {
		f = open_memstream(&text, &size);
		diverge_report(f, r, &d, NULL, &o);
		assert_int_equal(fclose(f), 0);
		assert_non_null(strstr(text, "recorded  T0  store counter  (count.c:5)\n"));
		assert_non_null(strstr(text, i == 0 ? "now       T0  load flags[1]\n" :
			"now       T0  load memory that the recording does not have\n"));
		assert_non_null(strstr(text, "memory that lies elsewhere"));
		free(text);
		d.found.span = i ? d.found.span : 8 | 11 << 4; /* bytes that nobody touched; then no page at all */
		d.found.obj[i % 2] = i ? ~0u : d.found.obj[0];
	}
	recording_free(r);
}

/* Whatever the target wrote into the segment must not break the report. */
static void test_divergence_kinds(void **state)
{
	struct session_divergence d = { .happened = 1, .step = 4, .reason = DIVERGED_NOT_ENABLED,
		.expected = { 1, 0, EV_MUTEX_TRYLOCK, { 2, 0 }, .span = 0 }, .found = { 1, 0, EV_MUTEX_LOCK, { 2, 0 }, .span = 0 } };
	struct diverge_context c = { .other_build = true };

	expect_words(d, c, "now       T0.1 cannot go on: it is blocked in T0.1  lock mutex#1");
	expect_words(d, c, "the program was rebuilt");
	d.found.kind = EV_NONE;
	expect_words(d, c, "it has ended or was never created");
	d.reason = DIVERGED_ENDED_EARLY;
	expect_words(d, c, "now       the program ended");
	d.reason = DIVERGED_WENT_ON;
	d.step = 6;
	d.found = (struct forced_step){ .thread = 77, .alt = 9, .kind = 250, .obj = { 1000000, 7 } };
	expect_words(d, c, "recorded  the end, after 6 steps");
	expect_words(d, c, "a thread that the recording does not have");
	d = (struct session_divergence){ .step = 4000000000u, .reason = 99, .expected = { 65535, 255, 255, { ~0u, ~0u }, .span = 0 },
		.enabled_mask = ~UINT64_C(0) };
	expect_words(d, c, "diverged at step");
}

/* A long schedule loses its middle, unless all of it is wanted. */
static void test_long(void **state)
{
	struct recording *r = sample_assert();
	object_id m = 2;
	char *text;

	r->n_steps--; /* the end moves to the end */
	struct rec_step last = r->steps[r->n_steps];
	for (int i = 0; i < 500; i++)
		sample_step(r, 0, i % 2 ? EV_MUTEX_UNLOCK : EV_MUTEX_LOCK, m, 0, "main", "bank.c", 50);
	sample_step(r, last.thread, EV_DEATH, 0, 0, NULL, NULL, 0)->stack = last.stack;
	text = printed(report_show, r, (struct report_options){ .width = 100 });
	assert_non_null(strstr(text, "… 426 steps left out; simul show --all prints them …"));
	assert_null(strstr(text, "\n  200 "));
	assert_non_null(strstr(text, "\n✗ 506 "));
	free(text);
	text = printed(report_show, r, (struct report_options){ .width = 100, .all = true });
	assert_null(strstr(text, "left out"));
	assert_non_null(strstr(text, "\n  200 "));
	free(text);
	recording_free(r);
}

static size_t visible_width(const char *line, size_t n)
{
	size_t width = 0;

	for (size_t i = 0; i < n; i++)
		width += ((unsigned char)line[i] & 0xc0) != 0x80;
	return width;
}

/* The table keeps to the width it is given, as long as a list of these events can. */
static void test_width(void **state)
{
	for (unsigned width = 60; width < 200; width++) {
		struct recording *r = sample_lost_wakeup();
		char *text = printed(report_show, r, (struct report_options){ .width = width }), *table, *line;
		table = strstr(text, "Schedule\n");
		*strstr(table, "  › another") = '\0';
		for (line = table; *line; line += strcspn(line, "\n") + 1)
			if (visible_width(line, strcspn(line, "\n")) > width)
				fail_msg("too wide for %u:\n%s", width, table);
		free(text);
		recording_free(r);
	}
}

static void test_colours(void **state)
{
	struct recording *r = sample_assert();
	char *with = printed(report_show, r, (struct report_options){ .width = 100, .colour = true }), *to = with;
	char *without = printed(report_show, r, (struct report_options){ .width = 100 });

	assert_null(strchr(without, '\033'));
	assert_non_null(strchr(with, '\033'));
	for (const char *from = with; *from; from++) { /* taking the colours off gives the same text */
		if (*from == '\033')
			while (*from != 'm')
				from++;
		else
			*to++ = *from;
	}
	*to = '\0';
	assert_string_equal(with, without);
	free(with);
	free(without);
	recording_free(r);
}

static void test_hostile_strings(void **state)
{
	uint64_t seed = 3;

	for (int i = 0; i < 300; i++) {
		struct recording *r = sample_random(&seed);
		char *text = printed(report_show, r, (struct report_options){ .width = 20 + i });
		for (const char *p = text; *p; p++)
			if ((unsigned char)*p < 0x20 && *p != '\n')
				fail_msg("a control character was printed");
		free(text);
		recording_free(r);
	}
}

static const char *string_at(json_t *o, const char *object, const char *key)
{
	return json_string_value(json_object_get(json_object_get(o, object), key));
}

static void test_json(void **state)
{
	struct recording *r = sample_assert();
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	json_t *o, *step;

	assert_int_equal(report_json(f, r), 0);
	fclose(f);
	o = json_loads(text, 0, NULL);
	assert_non_null(o);
	assert_int_equal(json_integer_value(json_object_get(o, "schema")), 1);
	assert_string_equal(string_at(o, "failure", "kind"), "assert");
	assert_string_equal(string_at(o, "failure", "thread"), "T0.1");
	assert_string_equal(string_at(o, "program", "path"), "/home/ann/bank_test");
	assert_int_equal(json_array_size(json_object_get(o, "schedule")), 6);
	step = json_array_get(json_object_get(o, "schedule"), 4);
	assert_string_equal(json_string_value(json_object_get(step, "text")), "trylock mutex#1 → EBUSY");
	assert_string_equal(json_string_value(json_object_get(step, "where")), "bank.c:15");
	assert_true(json_is_true(json_object_get(step, "failed")));
	json_decref(o);
	free(text);
	recording_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_deadlock_120),
		cmocka_unit_test(test_lost_wakeup_80),
		cmocka_unit_test(test_assert_100),
		cmocka_unit_test(test_livelock_100),
		cmocka_unit_test(test_loops),
		cmocka_unit_test(test_summary_60),
		cmocka_unit_test(test_divergence),
		cmocka_unit_test(test_divergence_in_memory),
		cmocka_unit_test(test_divergence_kinds),
		cmocka_unit_test(test_long),
		cmocka_unit_test(test_width),
		cmocka_unit_test(test_colours),
		cmocka_unit_test(test_hostile_strings),
		cmocka_unit_test(test_json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
