/* Words on the lines of a text: base/scan.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/scan.h"

/* Returns a scanner of a copy of the bytes, which ends where the block ends, so that sanitizers notice a read behind it. It is at the first line. */
static struct scan begin(char **copy, const char *bytes, size_t size)
{
	char *text = *copy = malloc(size ? size : 1);
	struct scan s = { .at = text, .line_end = text, .end = text + size };

	assert_non_null(text);
	memcpy(text, bytes, size);
	scan_line(&s);
	return s;
}

#define SCAN(literal) begin(&copy, literal, sizeof(literal) - 1)

static void expect_problem(struct scan *s, const char *problem)
{
	assert_true(s->bad);
	assert_string_equal(s->problem, problem);
}

static void lines_and_words(void **state)
{
	char *copy, word[8];
	struct scan s = SCAN("\n# comment\none  two\n\n three\n#\nlast");

	assert_int_equal(s.line, 3);
	assert_true(scan_word(&s, word, sizeof(word)));
	assert_string_equal(word, "one");
	assert_true(scan_more(&s));
	assert_false(scan_end(&s));
	assert_true(scan_word(&s, word, sizeof(word)));
	assert_string_equal(word, "two");
	assert_true(scan_end(&s));
	assert_true(scan_line(&s));
	assert_int_equal(s.line, 5);
	assert_true(scan_word(&s, word, sizeof(word)));
	assert_string_equal(word, "three");
	assert_true(scan_line(&s));
	assert_int_equal(s.line, 7);
	assert_true(scan_word(&s, word, sizeof(word)));
	assert_string_equal(word, "last");
	assert_false(scan_line(&s));
	assert_false(s.bad);
	free(copy);
}

static void empty_texts(void **state)
{
	static const char *const text[] = { "", "\n", "\n\n", "#", "# only\n# comments\n" };

	for (size_t i = 0; i < sizeof(text) / sizeof(*text); i++) {
		char *copy;
		struct scan s = begin(&copy, text[i], strlen(text[i]));

		assert_false(scan_line(&s));
		assert_false(s.bad);
		free(copy);
	}
}

static void words_that_are_none(void **state)
{
	char *copy, word[4];
	struct scan s = SCAN("abc");

	assert_true(scan_word(&s, word, sizeof(word)));
	assert_false(scan_word(&s, word, sizeof(word)));
	expect_problem(&s, "the line ends too early");
	assert_string_equal(word, "");
	free(copy);
	s = SCAN("abcd"); /* one byte too long */
	assert_false(scan_word(&s, word, sizeof(word)));
	expect_problem(&s, "a word is too long or has an invalid character");
	assert_string_equal(word, "abc");
	free(copy);
	s = SCAN("a\0b");
	assert_false(scan_word(&s, word, sizeof(word)));
	expect_problem(&s, "a word is too long or has an invalid character");
	free(copy);
	s = SCAN("a\"b");
	assert_false(scan_word(&s, word, sizeof(word)));
	assert_false(scan_fail(&s, "a later problem"));
	expect_problem(&s, "a word is too long or has an invalid character");
	free(copy);
}

static void long_line(void **state)
{
	size_t n = 1 << 20;
	char *bytes = malloc(n), *copy, *text, word[16];
	struct scan s;

	assert_non_null(bytes);
	memset(bytes, 'a', n);
	s = begin(&copy, bytes, n);
	assert_false(scan_word(&s, word, sizeof(word)));
	expect_problem(&s, "a word is too long or has an invalid character");
	assert_string_equal(word, "aaaaaaaaaaaaaaa");
	free(copy);
	bytes[0] = bytes[n - 1] = '"';
	s = begin(&copy, bytes, n);
	assert_true(scan_text(&s, &text));
	assert_int_equal(strlen(text), n - 2);
	free(text);
	free(copy);
	s = begin(&copy, bytes, n - 1);
	assert_false(scan_text(&s, &text));
	expect_problem(&s, "a string has no closing quote");
	assert_null(text);
	free(copy);
	free(bytes);
}

static void taken(void **state)
{
	char *copy;
	struct scan s = SCAN("  read 0x2a/4 reading");

	assert_false(scan_take(&s, "rea"));
	assert_false(scan_take(&s, "reads"));
	assert_true(scan_take(&s, "read"));
	assert_false(scan_mark(&s, "0x")); /* the space before it */
	scan_blanks(&s);
	assert_true(scan_mark(&s, "0x"));
	assert_int_equal(scan_digits(&s, 16, 255), 42);
	assert_false(scan_mark(&s, "/5"));
	assert_true(scan_mark(&s, "/"));
	assert_int_equal(scan_digits(&s, 10, 8), 4);
	assert_false(scan_take(&s, "read"));
	assert_true(scan_take(&s, "reading"));
	assert_true(scan_end(&s));
	assert_false(scan_take(&s, "-"));
	assert_false(s.bad);
	free(copy);
}

static void strings(void **state)
{
	char *copy, *text;
	struct scan s = SCAN("\"a b\" - \"\\n\\t\\\"\\\\\\x1b\\xff\" \"\" \"\xc3\xa4\"");

	assert_true(scan_string(&s, &text));
	assert_string_equal(text, "a b");
	free(text);
	assert_true(scan_string(&s, &text));
	assert_null(text);
	assert_true(scan_text(&s, &text));
	assert_string_equal(text, "\n\t\"\\\x1b\xff");
	free(text);
	assert_true(scan_text(&s, &text));
	assert_string_equal(text, "");
	free(text);
	assert_true(scan_text(&s, &text));
	assert_string_equal(text, "\xc3\xa4");
	free(text);
	assert_true(scan_done(&s));
	free(copy);
}

static void raw(void **state)
{
	char *copy, *text, word[8];
	struct scan s = SCAN("a\"b \"a\tb\\x41\" \"\\n\"");

	s.raw = true;
	assert_true(scan_word(&s, word, sizeof(word)));
	assert_string_equal(word, "a\"b");
	assert_true(scan_text(&s, &text));
	assert_string_equal(text, "a\tbA");
	free(text);
	assert_false(scan_text(&s, &text));
	expect_problem(&s, "a string holds an unknown escape");
	free(copy);
}

/* A string without escapes is read where it is. All others, and what is none, are left for scan_string. */
static void plain(void **state)
{
	char *copy;
	size_t n = 99;
	struct scan s = SCAN("  \"a b\"\"\" \"a\\x21\" -");
	const char *text = scan_plain(&s, &n);

	assert_ptr_equal(text, copy + 3);
	assert_int_equal(n, 3);
	assert_non_null(scan_plain(&s, &n));
	assert_int_equal(n, 0);
	assert_null(scan_plain(&s, &n));
	char *escaped;
	assert_true(scan_string(&s, &escaped));
	assert_string_equal(escaped, "a!");
	free(escaped);
	free(copy);
	static const char *const none[] = { "-", "a", "", "\"", "\"open", "\"a\tb\"", "\"a\n\"" };
	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++) {
		s = begin(&copy, none[i], strlen(none[i]));
		const char *at = s.at;
		assert_null(scan_plain(&s, &n));
		assert_ptr_equal(s.at, at);
		assert_false(s.bad);
		free(copy);
	}
}

static void strings_that_are_none(void **state)
{
	static const struct {
		const char *bytes;
		size_t size;
		const char *problem;
	} bad[] = {
#define BAD(literal, problem) { literal, sizeof(literal) - 1, problem }
		BAD("abc", "a quoted string is missing"),
		BAD(" ", "a quoted string is missing"),
		BAD("-", "a string is missing"),
		BAD("\"abc", "a string has no closing quote"),
		BAD("\"abc\nd\"", "a string has no closing quote"),
		BAD("\"a\tb\"", "a string holds a control character"),
		BAD("\"a\0b\"", "a string holds a control character"),
		BAD("\"\\q\"", "a string holds an unknown escape"),
		BAD("\"\\", "a string holds an unknown escape"),
		BAD("\"\\x1", "a string holds an unknown escape"),
		BAD("\"\\x1g\"", "a string holds an unknown escape"),
		BAD("\"\\x00\"", "a string holds an unknown escape"),
		BAD("\"\\xAB\"", "a string holds an unknown escape"),
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		char *copy, *text;
		struct scan s = begin(&copy, bad[i].bytes, bad[i].size);

		assert_false(scan_text(&s, &text));
		assert_null(text);
		expect_problem(&s, bad[i].problem);
		free(copy);
	}
}

static void numbers(void **state)
{
	char *copy;
	struct scan s = SCAN("0 18446744073709551615 0xffFFffff 7 -2147483648 2147483647 o12 - ; a comment");
	uint64_t v;
	uint32_t u;
	int32_t i;

	assert_true(scan_u64(&s, 0, &v) && v == 0);
	assert_true(scan_u64(&s, UINT64_MAX, &v) && v == UINT64_MAX);
	assert_true(scan_u32(&s, &u) && u == UINT32_MAX);
	assert_true(scan_i32(&s, &i) && i == 7);
	assert_true(scan_i32(&s, &i) && i == INT32_MIN);
	assert_true(scan_i32(&s, &i) && i == INT32_MAX);
	assert_true(scan_ref(&s, 'o', &v) && v == 12);
	assert_true(scan_ref(&s, 'o', &v) && v == 0);
	assert_false(scan_more(&s));
	assert_false(scan_end(&s));
	assert_true(scan_done(&s));
	assert_false(s.bad);
	free(copy);
}

static void numbers_that_are_none(void **state)
{
	static const struct {
		const char *text, *problem;
	} bad[] = {
		{ "18446744073709551616", "\"18446744073709551616\" is not a number" },
		{ "0x10000000000000000", "\"0x10000000000000000\" is not a number" },
		{ "1a", "\"1a\" is not a number" },
		{ "0x", "\"0x\" is not a number" },
		{ "+1", "\"+1\" is not a number" },
		{ "-1", "\"-1\" is not a number" },
		{ "11", "the number 11 is out of range" },
		{ "", "the line ends too early" },
		{ "000000000000000000000000", "a word is too long or has an invalid character" },
	};
	static const char *const reference[] = { "o", "o0", "p1", "o-1", "o1x", "o4294967296", "o99999999999999999999" };
	char *copy, problem[64];
	struct scan s;
	uint64_t v;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		s = begin(&copy, bad[i].text, strlen(bad[i].text));
		assert_false(scan_u64(&s, 10, &v));
		expect_problem(&s, bad[i].problem);
		free(copy);
	}
	for (size_t i = 0; i < sizeof(reference) / sizeof(*reference); i++) {
		s = begin(&copy, reference[i], strlen(reference[i]));
		assert_false(scan_ref(&s, 'o', &v));
		snprintf(problem, sizeof(problem), "\"%s\" is not a reference", reference[i]);
		expect_problem(&s, problem);
		free(copy);
	}
}

static void digits_that_are_none(void **state)
{
	static const char *const bad[] = { "", "x", "9", "A", "18446744073709551616", "99999999999999999999" };

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		char *copy;
		struct scan s = begin(&copy, bad[i], strlen(bad[i]));

		assert_int_equal(scan_digits(&s, 10, 8), 0);
		expect_problem(&s, "a number is missing or out of range");
		free(copy);
	}
}

static int parse(const char *word)
{
	return strcmp(word, "yes") ? -1 : 1;
}

static void names_and_ends(void **state)
{
	char *copy;
	struct scan s = SCAN("yes no");
	int v;

	assert_true(scan_name(&s, parse, "an answer", &v) && v == 1);
	assert_false(scan_name(&s, parse, "an answer", &v));
	expect_problem(&s, "\"no\" is not an answer");
	free(copy);
	s = SCAN("yes no");
	assert_true(scan_name(&s, parse, "an answer", &v));
	assert_false(scan_done(&s));
	expect_problem(&s, "the line has extra text at its end");
	free(copy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_and_words),
		cmocka_unit_test(empty_texts),
		cmocka_unit_test(words_that_are_none),
		cmocka_unit_test(long_line),
		cmocka_unit_test(taken),
		cmocka_unit_test(strings),
		cmocka_unit_test(raw),
		cmocka_unit_test(plain),
		cmocka_unit_test(strings_that_are_none),
		cmocka_unit_test(numbers),
		cmocka_unit_test(numbers_that_are_none),
		cmocka_unit_test(digits_that_are_none),
		cmocka_unit_test(names_and_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
