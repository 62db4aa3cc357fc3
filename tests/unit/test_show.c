/* The output of `simul show`, byte for byte, for hand-made recordings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

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
	"  T0.1 waits for account[1].lock at bank.c:32, held by T0.2 since step 5 (bank.c:31)\n"
	"  T0.2 waits for account[2].lock at bank.c:32, held by T0.3 since step 6 (bank.c:31)\n"
	"  T0.3 waits for account[0].lock at bank.c:32, held by T0.1 since step 4 (bank.c:31)\n"
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
	"  T0.1 waits for account[1].lock at bank.c:32, held by T0.2\n"
	"      since step 5 (bank.c:31)\n"
	"  T0.2 waits for account[2].lock at bank.c:32, held by T0.3\n"
	"      since step 6 (bank.c:31)\n"
	"  T0.3 waits for account[0].lock at bank.c:32, held by T0.1\n"
	"      since step 4 (bank.c:31)\n"
	"  T0 waits for T0.1 to end (join at bank.c:66)\n";

static void test_summary_60(void **state)
{
	expect_report(report_bug_summary, sample_deadlock(), 60, summary_60);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_deadlock_120),
		cmocka_unit_test(test_lost_wakeup_80),
		cmocka_unit_test(test_assert_100),
		cmocka_unit_test(test_livelock_100),
		cmocka_unit_test(test_tso_100),
		cmocka_unit_test(test_pso_100),
		cmocka_unit_test(test_summary_60),
		cmocka_unit_test(test_colours),
		cmocka_unit_test(test_hostile_strings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
