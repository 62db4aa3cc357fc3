/* The output of `simul show`, byte for byte, for hand-made recordings; and its JSON. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/lib_recording.h"
#include "tests/unit/lib_report.h"

/* Takes ownership of r. */
static void expect_report(reporter report, struct recording *r, unsigned width, const char *expected)
{
	char *text = report_to_text(report, r, (struct report_options){ .width = width });

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
	"  › switch to another thread   ✗ the failure\n"
	"\n"
	"  3 switches to another thread, 0 of them preemptions\n"
	"\n"
	"What happened\n"
	"  The threads wait for each other in a cycle:\n"
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
	"  › switch to another thread\n"
	"  » preemption: the thread before could have continued   ✗ the failure\n"
	"\n"
	"  3 switches to another thread, 2 of them preemptions:\n"
	"  » step 2: T0 stops after create T0.1 (queue.c:40); T0.1 runs lock q.lock\n"
	"      (queue.c:20); T0 continues in step 4\n"
	"  » step 4: T0.1 stops after unlock q.lock (queue.c:22); T0 runs signal\n"
	"      q.nonempty (queue.c:14); T0.1 continues in step 5\n"
	"\n"
	"What happened\n"
	"  Likely a lost wake-up: no thread was waiting when T0 did the last signal of\n"
	"      q.nonempty (queue.c:14, step 4); T0.1 began to wait after that\n"
	"      (queue.c:25, step 6), and no further one follows.\n"
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
	"  › switch to another thread   » preemption: the thread before could have continued   ✗ the failure\n"
	"\n"
	"  3 switches to another thread, 2 of them preemptions:\n"
	"  » step 2: T0 stops after create T0.1 (bank.c:40); T0.1 runs lock mutex#1 (bank.c:12); T0 continues\n"
	"      in step 4\n"
	"  » step 4: T0.1 stops after unlock mutex#1 (bank.c:14); T0 runs trylock mutex#1 (bank.c:44); T0.1\n"
	"      continues in step 5\n"
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
	"  | \\x1b[31mbalance -5\n";

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
	"  › switch to another thread   » preemption: the thread before could have continued   ✗ the failure\n"
	"\n"
	"  2 switches to another thread, 1 of them a preemption:\n"
	"  » step 3: T0 stops after load counter (count.c:5); T0.1 runs load counter (count.c:5); T0\n"
	"      continues in step 5\n"
	"\n"
	"What happened\n"
	"  T0.1 spins on a condition that no thread can change:\n"
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

static const char tso_100[] =
	"ASSERTION FAILED in ./bank_test --fast\n"
	"  weak.c:35: main: Assertion `a || b' failed.\n"
	"  at weak.c:35, in thread T0 (main)\n"
	"  12 steps, 2 preemptions; confirmed: 3 of 3 replays failed in the same way\n"
	"  found in execution 17 of strategy optimal, memory model TSO\n"
	"\n"
	"Schedule\n"
	"     │ T0 main         │ T0.1 one                    │ T0.2 two                    │ where\n"
	"─────┼─────────────────┼─────────────────────────────┼─────────────────────────────┼───────────────\n"
	"   1 │ create T0.1     │                             │                             │ main weak.c:30\n"
	"   2 │ create T0.2     │                             │                             │ main weak.c:31\n"
	"»  3 │                 │ store x → buffer            │                             │ one weak.c:10\n"
	"   4 │                 │ load y                      │                             │ one weak.c:11\n"
	"›  5 │                 │                             │ store y → buffer            │ two weak.c:20\n"
	"   6 │                 │                             │ load y ← buffer             │ two weak.c:21\n"
	"   7 │                 │                             │ load x                      │ two weak.c:22\n"
	"   8 │                 │                             │   y reaches memory (step 5) │\n"
	"   9 │                 │   x reaches memory (step 3) │                             │\n"
	"» 10 │                 │ thread-exit                 │                             │\n"
	"› 11 │                 │                             │ thread-exit                 │\n"
	"✗ 12 │ assertion fails │                             │                             │ main weak.c:35\n"
	"  › switch to another thread   » preemption: the thread before could have continued   ✗ the failure\n"
	"  → buffer: only its own thread sees the store, until it reaches memory\n"
	"\n"
	"  5 switches to another thread, 2 of them preemptions:\n"
	"  » step 3: T0 stops after create T0.2 (weak.c:31); T0.1 runs store x → buffer (weak.c:10); T0\n"
	"      continues in step 12\n"
	"  » step 10: T0.2 stops after load x (weak.c:22); T0.1 runs thread-exit; T0.2 continues in step 11\n"
	"\n"
	"What happened\n"
	"  Likely a missing fence in T0.1 between its store to x (weak.c:10, step 3) and its load of y\n"
	"      (weak.c:11, step 4): the first reached memory after the second, and T0.2 did \"load x\"\n"
	"      (weak.c:22, step 7) before that.\n"
	"  T0: weak.c:35: main: Assertion `a || b' failed.\n"
	"  T0.1's store to x (weak.c:10, step 3) reached memory only at step 9, after T0.1 had read y\n"
	"      (weak.c:11, step 4); T0.2 read x in step 7 and did not see it\n"
	"\n"
	"Threads at the end\n"
	"  T0 main, failed\n"
	"  ended: T0.1 T0.2\n";

static void test_tso_100(void **state)
{
	expect_report(report_show, sample_tso(), 100, tso_100);
}

static const char pso_100[] =
	"ASSERTION FAILED in ./bank_test --fast\n"
	"  weak.c:21: consumer: Assertion `data == 42' failed.\n"
	"  at weak.c:21, in thread T0.2 (consumer)\n"
	"  8 steps, 0 preemptions; confirmed: 3 of 3 replays failed in the same way\n"
	"  found in execution 17 of strategy optimal, memory model PSO\n"
	"\n"
	"Schedule\n"
	"    │ T0 main      │ T0.1 producer                   │ T0.2 consumer   │ where\n"
	"────┼──────────────┼─────────────────────────────────┼─────────────────┼───────────────────\n"
	"  1 │ create T0.1  │                                 │                 │ main weak.c:30\n"
	"  2 │ create T0.2  │                                 │                 │ main weak.c:31\n"
	"› 3 │              │ store data → buffer             │                 │ producer weak.c:10\n"
	"  4 │              │ store ready → buffer            │                 │ producer weak.c:11\n"
	"  5 │              │   ready reaches memory (step 4) │                 │\n"
	"› 6 │              │                                 │ load ready      │ consumer weak.c:20\n"
	"  7 │              │                                 │ load data       │ consumer weak.c:21\n"
	"✗ 8 │              │                                 │ assertion fails │ consumer weak.c:21\n"
	"  › switch to another thread   ✗ the failure\n"
	"  → buffer: only its own thread sees the store, until it reaches memory\n"
	"\n"
	"  2 switches to another thread, 0 of them preemptions\n"
	"\n"
	"What happened\n"
	"  Likely a missing fence in T0.1 between its store to data (weak.c:10, step 3) and its store to\n"
	"      ready (weak.c:11, step 4): the first had not reached memory at the end, and T0.2 did \"load\n"
	"      data\" (weak.c:21, step 7) before that.\n"
	"  T0.2: weak.c:21: consumer: Assertion `data == 42' failed.\n"
	"  T0.1's store to data (weak.c:10, step 3) had not reached memory at the end, though the later store\n"
	"      to ready (weak.c:11, step 4) had reached it in step 5; T0.2 read data in step 7 and did not\n"
	"      see it\n"
	"  Here stores of one thread reach memory out of order (PSO). An x86 processor never does that;\n"
	"      --model tso explores what it does. The failure concerns other processors, or compilers that\n"
	"      reorder these stores.\n"
	"\n"
	"Threads at the end\n"
	"  T0.1 producer, next: thread-exit\n"
	"      #0 producer  weak.c:12\n"
	"  T0.2 consumer, failed\n"
	"  ended: T0\n";

static void test_pso_100(void **state)
{
	expect_report(report_show, sample_pso(0), 100, pso_100);
}

/* No remark is added for code with known memory orders, or when the stores arrive in order. */
static void test_what_if(void **state)
{
	for (int i = 0; i < 3; i++) {
		struct recording *r = sample_pso(i == 0 ? EVF_PLAIN : i == 1 ? EVF_ATOMIC : 0);
		char *text;
		if (i == 2) {
			struct rec_step load = r->steps[6];
			r->steps[6] = r->steps[4]; /* ready, ... */
			r->steps[4] = load;        /* ... after data was read ... */
			r->steps[5] = (struct rec_step){ .thread = 1, .kind = EV_UPDATE, .obj = { 3 }, .place = 0x404004,
				.stack = r->steps[5].stack }; /* ... and had arrived */
		}
		text = report_to_text(report_show, r, (struct report_options){ .width = 200 });
		assert_int_equal(strstr(text, "T0.1's store to data") != NULL, i < 2);
		assert_null(strstr(text, "out of order (PSO)"));
		free(text);
		recording_free(r);
	}
}

static void expect_shown(struct recording *r, const char *expected)
{
	char *text = report_to_text(report_show, r, (struct report_options){ .width = 300 });

	if (!strstr(text, expected))
		fail_msg("\"%s\" is not in\n%s", expected, text);
	free(text);
	recording_free(r);
}

static void drop_steps(struct recording *r, size_t n)
{
	while (r->n_steps > n)
		rec_stack_free(&r->steps[--r->n_steps].stack);
}

static void test_delayed_stores(void **state)
{
	struct recording *r = sample_tso();

	r->steps[6].obj[0] = 4; /* no thread reads x */
	expect_shown(r, "No access missed a store on its way to memory: this can happen without store buffers as well.");
	r = sample_tso();
	r->steps[6].kind = EV_STORE; /* straight to memory */
	expect_shown(r, "after T0.1 had read y (weak.c:11, step 4); T0.2 wrote it in between, in step 7\n");
	r = sample_tso();
	r->steps[6].flags = EVF_FORWARDED; /* it read its own store */
	expect_shown(r, "No access missed a store");
	r = sample_tso();
	drop_steps(r, 7); /* the end came first */
	expect_shown(r, "T0.1's store to x (weak.c:10, step 3) had not reached memory at the end, though T0.1 had read y");
	r = sample_tso();
	drop_steps(r, 3);
	for (int i = 0; i < 9; i++) {
		if (i)
			sample_store(r, 1, 3, PLACE_ALL, 50 + i);
		sample_step(r, 1, EV_LOAD, 4, 0, NULL, NULL, 0);
	}
	sample_step(r, 2, EV_LOAD, 3, 0, NULL, NULL, 0);
	expect_shown(r, "\n  3 more stores reached memory late\n");
}

/* A spinning thread waits for memory, not for buffered stores. */
static void test_spin_and_buffer(void **state)
{
	struct recording *r = sample_tso();

	r->bug_kind = BUG_LIVELOCK;
	sample_pending(r, 2, EV_LOAD, 3, 0, NO_THREAD, "two", "weak.c", 25);
	expect_shown(r, "spins at weak.c:25 until x changes; T0.1 wrote it last, in step 9\n");
	r = sample_tso();
	r->bug_kind = BUG_LIVELOCK;
	drop_steps(r, 8);
	sample_pending(r, 2, EV_LOAD, 3, 0, NO_THREAD, "two", "weak.c", 25);
	expect_shown(r, "spins at weak.c:25 until x changes; nothing in this schedule wrote it\n");
}

/* Rounds of a loop over memory are folded; other accesses in between end the fold. */
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
	text = report_to_text(report_show, r, (struct report_options){ .width = 100 });
	assert_non_null(strstr(text, "\n»  7 "));
	assert_non_null(strstr(text, "\n   8 "));
	assert_null(strstr(text, "\n   9 "));
	assert_non_null(strstr(text, "… T0.1: the same accesses 19 times more, up to step 46 …"));
	assert_non_null(strstr(text, " 47 "));
	free(text);
	text = report_to_text(report_show, r, (struct report_options){ .width = 100, .all = true });
	assert_null(strstr(text, "the same accesses"));
	assert_non_null(strstr(text, "\n  46 "));
	free(text);
	recording_free(r);
}

/* What a program does after a failed check, its exit apart, is one line. What a framework does in the line of the check belongs to it. */
static void test_teardown(void **state)
{
	struct recording *r = sample_assert();
	object_id m = 2;
	size_t check;
	char *text;

	r->bug_kind = BUG_EXIT;
	free(r->where);
	r->where = strdup("q_test.cc:9");
	sample_step(r, 0, EV_MUTEX_LOCK, m, 0, "TestBody", "q_test.cc", 9);
	check = r->n_steps;
	sample_step(r, 0, EV_MUTEX_UNLOCK, m, 0, "testing::AssertionFailure", "q_test.cc", 9);
	free(r->steps[check].stack.frame[0].file);
	r->steps[check].stack.frame[0].file = NULL;
	for (int i = 0; i < 9; i++)
		sample_step(r, 0, i % 2 ? EV_MUTEX_UNLOCK : EV_MUTEX_LOCK, m, 0, "~Fixture", "q_test.cc", 30 + i);
	text = report_to_text(report_show, r, (struct report_options){ .width = 100 });
	assert_non_null(strstr(text, "TestBody q_test.cc:9"));
	assert_non_null(strstr(text, "… 9 steps of teardown; simul show --all prints them …"));
	assert_null(strstr(text, "q_test.cc:30"));
	assert_non_null(strstr(text, "q_test.cc:38"));
	free(text);
	text = report_to_text(report_show, r, (struct report_options){ .width = 100, .all = true });
	assert_null(strstr(text, "of teardown"));
	assert_non_null(strstr(text, "q_test.cc:30"));
	free(text);
	r->bug_kind = BUG_ASSERT;
	text = report_to_text(report_show, r, (struct report_options){ .width = 100 });
	assert_null(strstr(text, "of teardown"));
	free(text);
	recording_free(r);
}

static const char summary_60[] =
	"DEADLOCK in ./bank_test --fast\n"
	"  deadlock: 4 threads wait, none can go on\n"
	"  at bank.c:32\n"
	"  6 steps, 0 preemptions; confirmed: 3 of 3 replays failed\n"
	"      in the same way\n"
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
	"  › switch to another thread   ✗ the failure\n"
	"\n"
	"  The threads wait for each other in a cycle:\n"
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

/* A long schedule is printed without its middle, unless --all is given. */
static void test_long(void **state)
{
	struct recording *r = sample_assert();
	object_id m = 2;
	char *text;

	r->n_steps--; /* move the last step to the end */
	struct rec_step last = r->steps[r->n_steps];
	for (int i = 0; i < 500; i++)
		sample_step(r, 0, i % 2 ? EV_MUTEX_UNLOCK : EV_MUTEX_LOCK, m, 0, "main", "bank.c", 50);
	sample_step(r, last.thread, EV_DEATH, 0, 0, NULL, NULL, 0)->stack = last.stack;
	text = report_to_text(report_show, r, (struct report_options){ .width = 100 });
	assert_non_null(strstr(text, "… 426 steps left out; simul show --all prints them …"));
	assert_null(strstr(text, "\n  200 "));
	assert_non_null(strstr(text, "\n✗ 506 "));
	free(text);
	text = report_to_text(report_show, r, (struct report_options){ .width = 100, .all = true });
	assert_null(strstr(text, "left out"));
	assert_non_null(strstr(text, "\n  200 "));
	free(text);
	recording_free(r);
}

/* The part of the middle that is kept is around a switch, in the summary too. */
static void test_long_with_switch(void **state)
{
	struct recording *r = sample_assert();
	char *text;

	r->n_steps--;
	struct rec_step last = r->steps[r->n_steps];
	for (int i = 0; i < 500; i++)
		sample_step(r, i == 250 ? 1 : 0, i % 2 ? EV_MUTEX_UNLOCK : EV_MUTEX_LOCK, 2, 0, "main", "bank.c", i == 250 ? 77 : 50);
	sample_step(r, last.thread, EV_DEATH, 0, 0, NULL, NULL, 0)->stack = last.stack;
	text = report_to_text(report_bug_summary, r, (struct report_options){ .width = 100 });
	assert_non_null(strstr(text, "left out"));
	assert_non_null(strstr(text, "bank.c:77"));
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

/* The table keeps to the given width, as far as its list of events allows. */
static void test_width(void **state)
{
	for (unsigned width = 60; width < 200; width++) {
		struct recording *r = sample_lost_wakeup();
		char *text = report_to_text(report_show, r, (struct report_options){ .width = width }), *table, *line;
		table = strstr(text, "Schedule\n");
		*strstr(table, "  › switch") = '\0';
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
	char *with = report_to_text(report_show, r, (struct report_options){ .width = 100, .colour = true }), *to = with;
	char *without = report_to_text(report_show, r, (struct report_options){ .width = 100 });

	assert_null(strchr(without, '\033'));
	assert_non_null(strchr(with, '\033'));
	for (const char *from = with; *from; from++) { /* removing the colours gives the same text */
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
		char *text = report_to_text(report_show, r, (struct report_options){ .width = 20 + i });
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

static void test_json_stores(void **state)
{
	struct recording *r = sample_tso();
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	json_t *o, *steps, *s;

	assert_int_equal(report_json(f, r), 0);
	fclose(f);
	o = json_loads(text, 0, NULL);
	assert_non_null(o);
	assert_string_equal(string_at(o, "options", "model"), "tso");
	steps = json_object_get(o, "schedule");
	s = json_array_get(steps, 2);
	assert_true(json_is_true(json_object_get(s, "buffered")));
	assert_null(json_object_get(s, "update_of"));
	s = json_array_get(steps, 8);
	assert_int_equal(json_integer_value(json_object_get(s, "update_of")), 3);
	assert_string_equal(json_string_value(json_object_get(s, "thread")), "T0.1");
	assert_string_equal(json_string_value(json_object_get(s, "text")), "x reaches memory (step 3)");
	assert_null(json_object_get(s, "buffered"));
	s = json_array_get(steps, 5);
	assert_true(json_is_true(json_object_get(s, "forwarded")));
	assert_true(json_is_false(json_object_get(s, "failed")));
	assert_null(json_object_get(json_array_get(steps, 6), "forwarded"));
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
		cmocka_unit_test(test_tso_100),
		cmocka_unit_test(test_pso_100),
		cmocka_unit_test(test_what_if),
		cmocka_unit_test(test_delayed_stores),
		cmocka_unit_test(test_spin_and_buffer),
		cmocka_unit_test(test_json_stores),
		cmocka_unit_test(test_loops),
		cmocka_unit_test(test_summary_60),
		cmocka_unit_test(test_long),
		cmocka_unit_test(test_teardown),
		cmocka_unit_test(test_long_with_switch),
		cmocka_unit_test(test_width),
		cmocka_unit_test(test_colours),
		cmocka_unit_test(test_hostile_strings),
		cmocka_unit_test(test_json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
