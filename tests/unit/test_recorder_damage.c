/* The `.simul` format: files that are truncated, changed or no recordings are refused with the reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recorder/format/format.h"
#include "recorder/format/recording_file.h"
#include "recorder/json/report_json.h"
#include "recorder/report/report.h"
#include "tests/unit/lib_recording.h"

/* Parses text. The error must be `expected`, and the message must contain `word`. */
static void expect_error(const char *text, size_t n, enum recording_error expected, const char *word)
{
	enum recording_error err = RECORDING_OK;
	char message[300] = "";
	struct recording *r = recording_parse(text, n, "x.simul", &err, message, sizeof(message));

	assert_null(r);
	assert_int_equal(err, expected);
	if (!strstr(message, word) || strncmp(message, "x.simul ", 8) != 0)
		fail_msg("the message is: %s", message);
}

static void test_four_messages(void **state)
{
	struct recording *r = sample_deadlock();
	size_t n;
	char *text = recording_format(r, &n), *newer = malloc(n + 2);

	recording_free(r);
	expect_error("\177ELF\2\1\1", 7, RECORDING_NOT_ONE, "is not a simul recording");
	expect_error("hello\n", 6, RECORDING_NOT_ONE, "is not a simul recording");
	expect_error("", 0, RECORDING_INCOMPLETE, "incomplete");
	expect_error(text, n - 1, RECORDING_INCOMPLETE, "incomplete");
	expect_error(text, n / 2, RECORDING_INCOMPLETE, "incomplete");
	expect_error(text, 8, RECORDING_INCOMPLETE, "incomplete");
	sprintf(newer, "%s9%s", FORMAT_MAGIC, text + strlen(FORMAT_MAGIC)); /* one more digit */
	expect_error(newer, n + 1, RECORDING_TOO_NEW, "newer simul");
	text[n / 2] ^= 1;
	expect_error(text, n, RECORDING_CORRUPT, "checksum");
	free(text);
	free(newer);
}

/* A file with a correct checksum and an invalid line: the message names the line. */
static void test_syntax_error_names_line(void **state)
{
	char body[] = FORMAT_MAGIC "1\n[program]\nsimul \"1\"\nnonsense 3\n", text[200];

	snprintf(text, sizeof(text), "%send %016llx\n", body,
		(unsigned long long)format_checksum(body, strlen(body)));
	expect_error(text, strlen(text), RECORDING_CORRUPT, "line 4: \"nonsense\" is not a key of this section");
}

/* Parses the text of a recording after one replacement, with a corrected checksum. Takes ownership of r. */
static void expect_refusal(struct recording *r, const char *from, const char *to, const char *word)
{
	size_t n;
	char *text = recording_format(r, &n), *copy = malloc(n + 100), *at;

	recording_free(r);
	text[n - 21] = '\0';
	at = strstr(text, from);
	assert_non_null(at);
	n = (size_t)sprintf(copy, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
	n += (size_t)sprintf(copy + n, "end %016llx\n", (unsigned long long)format_checksum(copy, n));
	expect_error(copy, n, RECORDING_CORRUPT, word);
	free(text);
	free(copy);
}

static void expect_refused(const char *from, const char *to, const char *word)
{
	expect_refusal(sample_deadlock(), from, to, word);
}

static void expect_memory_refused(const char *from, const char *to, const char *word)
{
	expect_refusal(sample_memory(), from, to, word);
}

static void expect_stores_refused(unsigned model, const char *from, const char *to, const char *word)
{
	expect_refusal(model == MODEL_TSO ? sample_tso() : sample_pso(0), from, to, word);
}

static void test_wrong_stores(void **state)
{
	expect_stores_refused(MODEL_TSO, "model \"tso\"", "model \"arm\"", "the model \"arm\" is not known");
	expect_stores_refused(MODEL_TSO, "model \"tso\"", "model \"sc\"", "without store buffers");
	expect_stores_refused(MODEL_TSO, "model \"tso\"", "model \"pso\"", "a buffer that the memory model does not have");
	expect_stores_refused(MODEL_PSO, "model \"pso\"", "model \"tso\"", "a buffer that the memory model does not have");
	expect_stores_refused(MODEL_TSO, " T0.1~ ", " T0.7~ ", "there is no thread T0.7");
	expect_stores_refused(MODEL_TSO, " T0.1~ ", " T0.2~ ", "the buffer of another thread");
	expect_stores_refused(MODEL_TSO, " T0.1~ ", " T0.1 ", "is not a drain agent");
	expect_stores_refused(MODEL_TSO, " T0.1~ ", " 0 ", "an update has no store");
	expect_stores_refused(MODEL_PSO, " T0.1~40400c s", " T0.1~40400d s", "an update has no store");
	expect_stores_refused(MODEL_PSO, " T0.1~40400c s", " T0.1~40400g s", "is not a drain agent");
	expect_stores_refused(MODEL_PSO, " T0.1~40400c s", " T0.1~0 s", "is not a drain agent");
	expect_stores_refused(MODEL_PSO, " T0.1~40400c s", " T0.1~00000000040400c0c s", "is not a drain agent");
	expect_stores_refused(MODEL_TSO, " T0.1~ ", " T0~1~ ", "is not a drain agent");
	expect_stores_refused(MODEL_TSO, "\n9 T0.1~", "\n9 T0.1", "is not a drain agent");
	expect_stores_refused(MODEL_TSO, "\n9 T0.1~", "\n9 T0~", "an update has no store");
	expect_stores_refused(MODEL_TSO, "\n9 T0.1~", "\n9 T0.2~", "an update has no store");
	expect_stores_refused(MODEL_TSO, "2047:0", "2048:0", "not the number of a store");
	expect_stores_refused(MODEL_TSO, "0:3", "0:128", "not the number of a store");
	expect_stores_refused(MODEL_TSO, "0:3", "0", "not the number of a store");
	expect_stores_refused(MODEL_TSO, "0:3", "-1:3", "not the number of a store");
	expect_stores_refused(MODEL_TSO, "robustness 0", "robustness 2", "out of range");
	expect_refused(" o1  -   0 s", " o1  -   T0~ s", "not a number");
}

static void test_wrong_memory(void **state)
{
	expect_memory_refused("page 0x404000 4-7", "page 0x404000 7-4", "not a range of bytes in a page");
	expect_memory_refused("page 0x404000 4-7", "page 0x404000 4096", "not a range of bytes in a page");
	expect_memory_refused("page 0x404000 4-7", "page 0x404000 -7", "not a range of bytes in a page");
	expect_memory_refused("page 0x404000", "page 0x404004", "the address of a page is invalid");
	expect_memory_refused("late 12-13", "late 13-12", "not a range of bytes in a page");
	expect_memory_refused("late 12-13", "late 0-1", "bytes that the line of its page does not have");
	expect_memory_refused("[memory]", "[memory]\nlate 12-13", "a late line comes before all pages");
	expect_memory_refused("spin 0xabcdef", "spin 0x0", "an invalid state");
	expect_memory_refused("round 1", "round 2", "unknown spin loop");
	expect_memory_refused("0x404004 4", "0x404004", "ends too early");
	expect_memory_refused("0x404004 4", "0x404ffe 4", "crosses a page");
	expect_memory_refused("[memory]", "[objects]", "not expected here");
	expect_memory_refused("\npatch 1", "\npatch 2", "out of range");
}

static void test_wrong_tries(void **state)
{
	static const char *const wrong[][3] = {
		{ "try go-on T0 0", "try go T0 0", "kind of try" },
		{ "try go-on T0 0", "try go-on T0.77 0", "there is no thread" },
		{ "try go-on T0 0 5", "try go-on T0 0 0", "unknown step" },
		{ "try go-on T0 0 5", "try go-on T0 0 9999", "unknown step" },
		{ "try go-on T0 0", "try go-on T0 1", "step of the wrong kind" },
		{ "try go-on T0 0", "try store T0 0", "step of the wrong kind" },
		{ "try order T0.1 6", "try order T0.1 9999", "unknown step" },
		{ "3 fails", "3 failed", "a result" },
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		expect_refusal(sample_tries(), wrong[i][0], wrong[i][1], wrong[i][2]);
}

static void test_wrong_orders(void **state)
{
	static const char *const wrong[][3] = {
		{ "orders 7 fewest 6", "orders 7 few 6", "a result" },
		{ "orders 7 fewest 6", "orders 0 fewest 6", "no replays" },
		{ "orders 7 fewest 6", "orders 7 fewest 0", "no places" },
		{ "orders 7 fewest 6", "orders 7 fewest 5", "no effect" },
		{ "orders 7 fewest 6", "orders 7 fewest 9999", "no effect" },
		{ "orders 7 fewest 6", "orders 7 fails 6", "no line \"orders\"" },
		{ "orders 7 fewest 6", "orders 7 fewest 6\norders 7 fewest 6", "two lines" },
		{ "at release 4", "at weak 4", "a memory order" },
		{ "at release 4", "at relaxed 4", "orders nothing" },
		{ "at release 4", "at release 0", "not at an access" },
		{ "at release 4", "at release 9999", "not at an access" },
		{ "at release 4", "at release 1", "not at an access" },
		{ "at release 4\nat acquire 5\n", "", "no place" },
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		expect_refusal(sample_orders(), wrong[i][0], wrong[i][1], wrong[i][2]);
}

static void test_wrong_values(void **state)
{
	static const char *const wrong[][3] = {
		{ " 0x12345678 -", " 0x1234567 -", "is not a value of 4 bytes" },
		{ " 0x12345678 -", " 0x123456789a -", "is not a value of 4 bytes" },
		{ " 0x12345678 -", " 0x1234567g -", "is not a value of 4 bytes" },
		{ " 0x12345678 -", " 12345678 -", "is not a value of 4 bytes" },
		{ " 0x12345678 -", " 0x12345678", "ends too early" },
		{ "\nvalue ", "\nvalue 9000 - -\nvalue ", "there is no step 9000" },
		{ "\nvalue ", "\nvalue 1 - -\nvalue ", "accesses no memory" },
		{ "pointer 0x404010", "pointer 0x7ffff7a00001", "not sorted" },
		{ "pointer 0x404010 \"&pool[2]\"", "pointer 0x404010 -", "string" },
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		expect_refusal(sample_values(), wrong[i][0], wrong[i][1], wrong[i][2]);
}

static void test_wrong_contents(void **state)
{
	expect_refused("thread T0.1 lock", "thread T0.7 lock", "there is no thread T0.1");
	expect_refused("[objects]", "thread T1 ended - - - - -\n[objects]", "spawn path");
	expect_refused("[objects]", "thread T0.04 ended - - - - -\n[objects]", "spawn path");
	expect_refused("[objects]", "thread T0.2 ended - - - - -\n[objects]", "twice");
	expect_refused("[objects]", "thread T0.9.1 ended - - - - -\n[objects]", "before its parent");
	expect_refused("thread T0.1 lock o5", "thread T0.1 lock o77", "unknown");
	expect_refused("o2 thread 3", "o3 thread 3", "line 2 of the table is missing");
	expect_refused("[schedule]", "[schedul]", "not expected here");
	expect_refused("kind deadlock", "kind deadlok", "kind of failure");
	expect_refused("stack s1", "stack s2", "missing");
	expect_refused("confirmed 3 3", "confirmed 4 3", "more replays");
	expect_refused("confirmed 3 3", "confirmed 3 3\ncycle 1 after", "not an order");
	expect_refused("confirmed 3 3", "confirmed 3 3\ncycle 0 order", "unknown step");
	expect_refused("confirmed 3 3", "confirmed 3 3\ncycle 900 order", "unknown step");
	expect_refused("spurious 0", "spurious 4294967296", "out of range");
	expect_refused("cwd \"/home/ann\"", "cwd \"/home/ann", "no closing quote");
	expect_refused("cwd \"/home/ann\"", "cwd \"/ho\\qe/ann\"", "escape");
	expect_refused("path \"/home/ann/bank_test\"\n", "", "which program");
}

static void test_truncations(void **state)
{
	struct recording *r = sample_assert();
	size_t n;
	char *text = recording_format(r, &n);

	recording_free(r);
	for (size_t i = 0; i < n; i++) {
		enum recording_error err;
		char message[300];
		char *exact = malloc(i ? i : 1); /* exact size, so that a sanitizer detects reads past the end */
		memcpy(exact, text, i);
		assert_null(recording_parse(exact, i, "x", &err, message, sizeof(message)));
		assert_int_equal(err, RECORDING_INCOMPLETE);
		free(exact);
	}
	free(text);
}

static void test_byte_flips(void **state)
{
	uint64_t seed = 7;

	for (int i = 0; i < 4000; i++) {
		struct recording *r = sample_random(&seed);
		enum recording_error err;
		char message[300];
		size_t n;
		char *text = recording_format(r, &n), *exact = malloc(n);
		memcpy(exact, text, n);
		for (unsigned k = 1 + sample_next(&seed) % 3; k; k--)
			exact[sample_next(&seed) % n] ^= (char)(1 + sample_next(&seed) % 255);
		if (memcmp(exact, text, n) != 0)
			assert_null(recording_parse(exact, n, "x", &err, message, sizeof(message)));
		recording_free(r);
		free(text);
		free(exact);
	}
}

/* The parser must withstand any text with a correct checksum: damage the body and correct the sum. */
static void test_damage_behind_the_checksum(void **state)
{
	uint64_t seed = 11;
	unsigned loaded = 0;

	for (int i = 0; i < 6000; i++) {
		struct recording *r = sample_random(&seed), *b;
		enum recording_error err;
		char message[300], sum[24];
		const char *why;
		size_t n;
		char *text = recording_format(r, &n);
		for (unsigned k = 1 + sample_next(&seed) % 4; k; k--) {
			size_t at = sample_next(&seed) % (n - 21);
			text[at] = sample_next(&seed) % 2 ? (char)sample_next(&seed) : "0 \"-\n[so9"[sample_next(&seed) % 9];
		}
		snprintf(sum, sizeof(sum), "end %016llx\n", (unsigned long long)format_checksum(text, n - 21));
		memcpy(text + n - 21, sum, 21);
		b = recording_parse(text, n, "x", &err, message, sizeof(message));
		if (b) {
			FILE *null = fopen("/dev/null", "w");
			struct report_options o = { 0 };
			loaded++;
			assert_true(recording_valid(b, &why));
			report_show(null, b, &o);
			assert_int_equal(report_json(null, b), 0);
			fclose(null);
		}
		recording_free(b);
		recording_free(r);
		free(text);
	}
	assert_in_range(loaded, 1, 5999); /* some files were accepted, some were refused */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wrong_values),
		cmocka_unit_test(test_wrong_tries),
		cmocka_unit_test(test_wrong_orders),
		cmocka_unit_test(test_wrong_stores),
		cmocka_unit_test(test_four_messages),
		cmocka_unit_test(test_syntax_error_names_line),
		cmocka_unit_test(test_wrong_memory),
		cmocka_unit_test(test_wrong_contents),
		cmocka_unit_test(test_truncations),
		cmocka_unit_test(test_byte_flips),
		cmocka_unit_test(test_damage_behind_the_checksum),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
