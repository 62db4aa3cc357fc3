/*
 * Finds the expression in a source line that reads or writes memory through a pointer: "q->head", "table[i]", "*p", or the
 * object of an atomic method, "head.load()". Only when it is unambiguous; a guess would mislead.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "recorder/symbols/symbols_internal.h"

#define MAX_TEXT 40

struct candidate {
	const char *text;
	size_t n;
	unsigned steps;    /* number of pointers that it dereferences */
};

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

void symbols_blank_out(char *line)
{
	char quote = 0;

	for (char *p = line; *p; p++) {
		if (quote) {
			if (*p == '\\' && p[1])
				*p++ = ' ';
			else if (*p == quote)
				quote = 0;
			*p = ' ';
		} else if (*p == '"' || *p == '\'') {
			quote = *p;
			*p = ' ';
		} else if (p[0] == '/' && p[1] == '/') {
			*p = 0;
			return;
		} else if (p[0] == '/' && p[1] == '*') {
			char *end = strstr(p, "*/");
			if (!end) {
				*p = 0;
				return;
			}
			memset(p, ' ', (size_t)(end + 2 - p));
		}
	}
}

size_t symbols_brackets(const char *p)
{
	int depth = 0;

	for (size_t i = 0; p[i]; i++) {
		depth += p[i] == '[' || p[i] == '(';
		depth -= p[i] == ']' || p[i] == ')';
		if (depth == 0)
			return i + 1;
	}
	return 0;
}

static bool is_method(const char *p, size_t n)
{
	static const char *const names[] = { "load", "store", "exchange", "test_and_set", "clear", "test" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strlen(names[i]) == n && strncmp(names[i], p, n) == 0)
			return true;
	return (n > 6 && strncmp(p, "fetch_", 6) == 0) || (n > 17 && strncmp(p, "compare_exchange_", 17) == 0);
}

/* Parses "a->b[i].c" at p and returns its length. Fills c; c->n is 0 when it dereferences no pointer, or is a call. */
static size_t read_chain(const char *p, bool star, struct candidate *c)
{
	size_t n = 0, before_member = 0, member = 0, k;
	unsigned steps = star, steps_before = star;

	c->n = 0;
	while (is_word(p[n]))
		n++;
	for (;;) {
		k = p[n] == '.' && isalpha((unsigned char)p[n + 1]) ? 1 : p[n] == '-' && p[n + 1] == '>' ? 2 : 0;
		if (k) {
			before_member = n;
			steps_before = steps;
			steps += k == 2;
			n += k;
			member = n;
			while (is_word(p[n]))
				n++;
		} else if (p[n] == '[' && symbols_brackets(p + n)) {
			n += symbols_brackets(p + n);
			steps++;
			member = 0;
		} else {
			break;
		}
	}
	c->text = p;
	c->steps = steps;
	if (p[n] != '(')
		c->n = steps ? n : 0;
	else if (member && is_method(p + member, n - member)) {
		c->n = before_member;
		c->steps = steps_before ? steps_before : 1;
	}
	return n;
}

bool symbols_is_dereference(const char *line, const char *p)
{
	while (p > line && p[-1] == ' ')
		p--;
	return p == line || strchr("(=,;&|!+-{}\t?:<>", p[-1]);
}

/* Returns the end of the left side of the assignment in the line, or NULL when there is none. */
static const char *assignment(const char *line)
{
	for (const char *p = line; *p; p++) {
		if (*p != '=' || p == line)
			continue;
		if (p[1] == '=') {
			p++;
			continue;
		}
		if (p[-1] == '!' || ((p[-1] == '<' || p[-1] == '>') && (p - 1 == line || p[-2] != p[-1])))
			continue;
		return p;
	}
	return NULL;
}

/* Finds the expression in [from, to) that dereferences a pointer: the only one, or with `last` the last one. false: none, or several. */
static bool choose(const char *line, const char *from, const char *to, bool last, struct candidate *out)
{
	bool found = false;

	for (const char *p = from; p < to && *p;) {
		struct candidate c;
		bool star = *p == '*' && symbols_is_dereference(line, p);
		const char *word = p;
		if (star)
			for (word++; *word == '(' || *word == ' '; word++)
				;
		if (!isalpha((unsigned char)*word) && *word != '_') {
			p++;
			continue;
		}
		p = word + read_chain(word, star, &c);
		if (!c.n)
			continue;
		if (found && !last && (c.n != out->n || strncmp(c.text, out->text, c.n) != 0))
			return false;
		if (star) { /* the text includes the star */
			c.n += (size_t)(c.text - word) + 1;
			c.text = word - 1;
			if (*c.text != '*')
				return false;
		}
		*out = c;
		found = true;
	}
	return found;
}

char *symbols_access_in_line(const char *line, bool write)
{
	char *text = xstrdup(line), *name = NULL;
	const char *equals, *end;
	struct candidate c;
	bool ok;

	symbols_blank_out(text);
	text[strcspn(text, "\n")] = 0;
	end = text + strlen(text);
	equals = assignment(text);
	if (!equals)
		ok = choose(text, text, end, false, &c);
	else if (write && choose(text, text, equals, true, &c))
		ok = true;
	else
		ok = choose(text, equals + 1, end, false, &c);
	/* a write goes to the end of a->b->c; a read may be of a part of the way */
	if (ok && (c.steps == 1 || write) && c.n <= MAX_TEXT)
		name = xasprintf("%.*s", (int)c.n, c.text);
	free(text);
	return name;
}
