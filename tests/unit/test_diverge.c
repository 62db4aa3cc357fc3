/* The text of divergence reports, word for word, for hand-made recordings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "replay/diverge.h"
#include "tests/unit/lib_recording.h"

static const char diverged[] =
	"simul: replay diverged at step 5 of 6\n"
	"  recorded  T0.1  trylock mutex#1  (bank.c:15)\n"
	"  now       T0.1  lock an object that the recording does not have  (worker.c:88)\n"
	"  enabled   {T0, (new thread)}\n"
	"\n"
	"  the last identical steps\n"
	"    1 T0    create T0.1              main bank.c:40\n"
	"  » 2 T0.1  lock mutex#1             withdraw_all bank.c:12\n"
	"    3 T0.1  unlock mutex#1           withdraw_all bank.c:14\n"
	"  » 4 T0    trylock mutex#1          main bank.c:44\n"
	"\n"
	"  usual causes\n"
	"    input that changed: files, environment, standard input, the network\n"
	"    random numbers or identifiers without a fixed seed (process ids, /dev/urandom)\n"
	"    an order that depends on addresses (pointers as keys of a sorted or hashed container)\n"
	"    time read in a way that simul does not see (the rdtsc instruction in a library, the vdso)\n"
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

/* Memory has the names of the recording. */
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
		assert_non_null(strstr(text, "memory at other addresses"));
		free(text);
		d.found.span = i ? d.found.span : 8 | 11 << 4; /* bytes that were never accessed, then no page at all */
		d.found.obj[i % 2] = i ? ~0u : d.found.obj[0];
	}
	recording_free(r);
}

/* No value that the target writes into the segment may break the report. */
static void test_divergence_kinds(void **state)
{
	struct session_divergence d = { .happened = 1, .step = 4, .reason = DIVERGED_NOT_ENABLED,
		.expected = { 1, 0, EV_MUTEX_TRYLOCK, { 2, 0 }, .span = 0 }, .found = { 1, 0, EV_MUTEX_LOCK, { 2, 0 }, .span = 0 } };
	struct diverge_context c = { .other_build = true };

	expect_words(d, c, "now       T0.1 cannot continue: it is blocked in T0.1  lock mutex#1");
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

/* The text of a divergence about stores on their way to memory. */
static void test_divergence_of_stores(void **state)
{
	object_id cell = OBJECT_MEMORY;
	struct forced_step x = { MAX_THREADS + 1, 0, EV_UPDATE, { cell, 0 }, .span = 4 | 7 << 4 };
	struct session_divergence d = { .happened = 1, .step = 8, .reason = DIVERGED_NOT_ENABLED, .expected = x,
		.found = { .thread = NO_THREAD }, .enabled_mask = 1, .draining_mask = 6 };
	struct report_options o = { .width = 100 };
	const char *const words[] = {
		"recorded  T0.1's store to x reaches memory",
		"enabled   {T0, T0.1's store to memory, T0.2's store to memory}",
		"now       T0.1 has no such store in its buffer\n",
		"now       T0.1's store to y is next, but must wait for other stores of the thread\n",
		"now       T0.2's store to x reaches memory\n",
		"now       another thread's store to memory that the recording does not have reaches memory\n",
	};

	for (int i = 0; i < 6; i++) {
		struct recording *r = sample_tso();
		char *text = NULL;
		size_t size;
		FILE *f = open_memstream(&text, &size);
		if (i >= 3)
			d.found = x;
		if (i == 3)
			d.found.span = 12 | 15 << 4;
		if (i >= 4) {
			d.reason = DIVERGED_OTHER_EVENT;
			d.found.thread = i == 4 ? MAX_THREADS : 9999;
			d.found.obj[0] = i == 4 ? cell : cell + 999;
		}
		diverge_report(f, r, &d, NULL, &o);
		assert_int_equal(fclose(f), 0);
		if (!strstr(text, words[i]))
			fail_msg("\"%s\" is not in\n%s", words[i], text);
		free(text);
		recording_free(r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_divergence_of_stores),
		cmocka_unit_test(test_divergence),
		cmocka_unit_test(test_divergence_in_memory),
		cmocka_unit_test(test_divergence_kinds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
