/* Names of functions as a reader wants them: without long template arguments, tags of the ABI and the classes of GoogleTest. */
#include <ctype.h>
#include <string.h>

#include "recorder/symbols/symbols_internal.h"

#define LEFT_OUT "…"
#define ARGUMENTS_MOST 14 /* bytes between the brackets that stay */
#define ABI_TAG "[abi:"
#define OPERATOR "operator"
#define TEST_BODY "TestBody"

static bool in_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* Returns the bracket that closes the one at `open`; NULL if there is none. The arrow of a function's type closes nothing. */
static char *closing(char *open)
{
	unsigned depth = 0;

	for (char *c = open; *c; c++) {
		if (*c == '<')
			depth++;
		else if (*c == '>' && c[-1] != '-' && --depth == 0)
			return c;
	}
	return NULL;
}

/* Returns whether the bracket at `at` begins arguments: it follows a name or its tag, or "::" in Rust. One at the beginning of a path is a type of Rust,
   as in "<Stack as Drop>::drop". */
static bool begins_arguments(const char *name, const char *at)
{
	return *at == '<' && at > name && (in_word(at[-1]) || at[-1] == ']' || (at - name > 2 && at[-1] == ':' && in_word(at[-3])));
}

/* The body of a GoogleTest test is a method of a class of its own, "Queue_KeepsOrder_Test::TestBody". Returns whether the name is one. */
static bool is_test_body(const char *name)
{
	const char *end = name ? strstr(name, "_Test::" TEST_BODY) : NULL;

	return end && !strcmp(end, "_Test::" TEST_BODY);
}

char *symbols_shorten(char *name)
{
	char *to = name, *end;

	if (is_test_body(name)) {
		memmove(name, name + strlen(name) - strlen(TEST_BODY), strlen(TEST_BODY) + 1);
		return name;
	}

	for (char *from = name; from && *from;) {
		size_t copied = 1;

		if (symbols_begins(from, ABI_TAG) && (end = strchr(from, ']'))) {
			from = end + 1;
			continue;
		}
		if (symbols_begins(from, OPERATOR) && (from == name || !in_word(from[-1]))) {
			copied = strlen(OPERATOR) + strspn(from + strlen(OPERATOR), "<=>-");
		} else if (begins_arguments(name, from) && (end = closing(from)) && end - from > ARGUMENTS_MOST + 1) {
			memcpy(to, "<" LEFT_OUT ">", strlen("<" LEFT_OUT ">"));
			to += strlen("<" LEFT_OUT ">");
			from = end + 1;
			continue;
		}
		memmove(to, from, copied);
		to += copied;
		from += copied;
	}
	if (name)
		*to = '\0';
	return name;
}
