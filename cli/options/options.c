#include "cli/options/options.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/exit_codes.h"
#include "cli/base/say.h"
#include "base/xalloc.h"

#define MAX_WORD 64

/* Edit distance of two short words. Two letters that changed places count as one mistake. */
static unsigned distance(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b);
	unsigned rows[3][MAX_WORD + 1], *last = rows[0], *before = rows[1], *row = rows[2];

	if (n > MAX_WORD || m > MAX_WORD)
		return MAX_WORD;
	for (size_t j = 0; j <= m; j++)
		last[j] = before[j] = (unsigned)j;
	for (size_t i = 1; i <= n; i++) {
		unsigned *free_row = before;

		row[0] = (unsigned)i;
		for (size_t j = 1; j <= m; j++) {
			unsigned change = last[j - 1] + (a[i - 1] != b[j - 1]);
			unsigned best = row[j - 1] < last[j] ? row[j - 1] + 1 : last[j] + 1;

			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && before[j - 2] + 1 < change)
				change = before[j - 2] + 1;
			row[j] = best < change ? best : change;
		}
		before = last;
		last = row;
		row = free_row;
	}
	return last[m];
}

const char *nearest_name(const char *word, const char *const *names)
{
	const char *best = NULL;
	size_t length = strlen(word);
	unsigned limit = length < 4 ? 1 : length < 8 ? 2 : 3, least = limit + 1;

	for (; *names; names++) {
		unsigned d = distance(word, *names);

		if (length >= 3 && !strncmp(word, *names, length))
			d = 1; /* an abbreviation */
		if (d < least) {
			least = d;
			best = *names;
		}
	}
	return best;
}

static bool parse_decimal(const char *text, double *value, const char **rest)
{
	char *end;

	if (!isdigit((unsigned char)*text) && *text != '.')
		return false;
	errno = 0;
	*value = strtod(text, &end);
	*rest = end;
	return end != text && errno == 0 && *value >= 0;
}

static bool parse_unsigned(const char *text, uint64_t *value)
{
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	*value = strtoull(text, &end, 10);
	return !*end && errno == 0;
}

/* `text` is a number followed by one of `units`; `factors` has the factor of each unit. */
static bool parse_scaled(const char *text, const char *const *units, const uint64_t *factors,
	uint64_t *value)
{
	const char *unit;
	double number;

	if (!parse_decimal(text, &number, &unit))
		return false;
	for (size_t i = 0; units[i]; i++) {
		if (strcasecmp(unit, units[i]))
			continue;
		number *= (double)factors[i];
		if (number >= 9e18)
			return false;
		*value = (uint64_t)number;
		return true;
	}
	return false;
}

static bool parse_duration(const char *text, uint64_t *ns)
{
	static const char *const units[] = {"", "s", "sec", "ms", "m", "min", "h", "d", NULL};
	static const uint64_t factors[] = {NS_PER_S, NS_PER_S, NS_PER_S, NS_PER_S / 1000, 60 * NS_PER_S,
		60 * NS_PER_S, 3600 * NS_PER_S, 86400 * NS_PER_S};

	return parse_scaled(text, units, factors, ns);
}

static bool parse_size(const char *text, uint64_t *bytes)
{
	static const char *const units[] = {"", "b", "k", "kb", "kib", "m", "mb", "mib", "g", "gb", "gib",
		"t", NULL};
	static const uint64_t factors[] = {1, 1, 1 << 10, 1 << 10, 1 << 10, 1 << 20, 1 << 20, 1 << 20,
		1 << 30, 1 << 30, 1 << 30, UINT64_C(1) << 40};

	return parse_scaled(text, units, factors, bytes);
}

static void describe_range(const struct option_spec *s, char *buf, size_t size)
{
	bool small = s->min && s->min < NS_PER_S;
	uint64_t unit = s->type == OPTION_DURATION ? (small ? NS_PER_S / 1000 : NS_PER_S) : s->type == OPTION_SIZE ? 1 << 20 : 1;
	const char *name = s->type == OPTION_DURATION ? (small ? " ms" : " s") : s->type == OPTION_SIZE ? " MiB" : "";

	if (s->type == OPTION_DURATION)
		text_set(buf, size, "a duration such as 30s, 5m or 1h");
	else if (s->type == OPTION_SIZE)
		text_set(buf, size, "a size such as 512M or 2G");
	else
		text_set(buf, size, "a whole number");
	if (s->max)
		text_add(buf, size, " between %llu and %llu%s", (unsigned long long)(s->min / unit),
			(unsigned long long)(s->max / unit), name);
	else if (s->min)
		text_add(buf, size, ", at least %llu%s", (unsigned long long)(s->min / unit), name);
}

static bool set_number(const char *command, const struct option_spec *s, void *value_at, const char *text)
{
	uint64_t value = 0;
	char expected[128];
	bool ok;

	if (s->type == OPTION_DURATION)
		ok = parse_duration(text, &value);
	else if (s->type == OPTION_SIZE)
		ok = parse_size(text, &value);
	else
		ok = parse_unsigned(text, &value);
	if (ok && value >= s->min && (!s->max || value <= s->max) &&
		(s->type != OPTION_U32 || value <= UINT32_MAX)) {
		if (s->type == OPTION_U32)
			*(uint32_t *)value_at = (uint32_t)value;
		else
			*(uint64_t *)value_at = value;
		return true;
	}
	describe_range(s, expected, sizeof(expected));
	say("%s: --%s %s: expected %s", command, s->name, text, expected);
	return false;
}

static bool set_choice(const char *command, const struct option_spec *s, uint32_t *value, const char *text)
{
	char list[256] = "";
	const char *near;

	for (uint32_t i = 0; s->choices[i]; i++) {
		if (!strcmp(text, s->choices[i])) {
			*value = i;
			return true;
		}
		text_add(list, sizeof(list), "%s%s", i ? ", " : "", s->choices[i]);
	}
	near = nearest_name(text, s->choices);
	say("%s: --%s %s: expected one of %s%s%s%s", command, s->name, text, list,
		near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
	return false;
}

/* Returns whether a list of n values may get this one. false: one message was printed. */
static bool list_takes(const char *command, const struct option_spec *s, size_t n, const char *text)
{
	if (!*text || n == OPTION_LIST_MAX) {
		say(*text ? "%s: --%s is given too many times" : "%s: --%s: the value must not be empty", command, s->name);
		return false;
	}
	return true;
}

static bool add_to_list(const char *command, const struct option_spec *s, struct option_list *list, const char *text)
{
	if (!list_takes(command, s, list->n, text))
		return false;
	list->value[list->n++] = (char *)text;
	return true;
}

static bool set_value(const char *command, const struct option_spec *s, void *into, const char *text)
{
	void *value = (char *)into + s->at;

	switch (s->type) {
	case OPTION_FLAG:
		*(bool *)value = true;
		return true;
	case OPTION_ON:
	case OPTION_OFF:
		*(uint32_t *)value = s->type == OPTION_ON;
		return true;
	case OPTION_STRING:
		*(const char **)value = text;
		return true;
	case OPTION_LIST:
		return add_to_list(command, s, value, text);
	case OPTION_CHOICE:
		return set_choice(command, s, value, text);
	case OPTION_U32:
	case OPTION_U64:
	case OPTION_DURATION:
	case OPTION_SIZE:
		return set_number(command, s, value, text);
	}
	return false;
}

struct option_set options_of(const struct option_table *t)
{
	struct option_set set = {.n = 0};

	for (const struct option_spec *s = t->own; s->name && set.n < OPTIONS_MOST; s++)
		set.option[set.n++] = s;
	set.own = set.n;
	for (const struct option_spec *s = t->run; s && s->name && set.n < OPTIONS_MOST; s++)
		if (s->too & t->too)
			set.option[set.n++] = s;
	INVARIANT(set.n < OPTIONS_MOST, "%s has too many options", t->command);
	return set;
}

void options_defaults(const struct option_table *t, void *into)
{
	struct option_set set = options_of(t);

	for (size_t i = 0; i < set.n; i++) {
		const struct option_spec *s = set.option[i];

		if (s->type == OPTION_OFF)
			*(uint32_t *)((char *)into + s->at) = 1;
		else if (s->initial)
			INVARIANT(set_value(t->command, s, into, s->initial), "the default of --%s", s->name);
	}
}

static void unknown_option(const struct option_table *t, const struct option_set *set, const char *word)
{
	const char *names[OPTIONS_MOST + 2], *near;
	size_t n = 0, length = strcspn(word, "=");
	char *bare = xasprintf("%.*s", (int)length, word);

	for (; n < set->n; n++)
		names[n] = set->option[n]->name;
	names[n++] = "help";
	names[n] = NULL;
	near = bare[0] == '-' && bare[1] == '-' ? nearest_name(bare + 2, names) : NULL;
	if (near)
		say("%s: unknown option '%s'; did you mean '--%s'?", t->command, bare, near);
	else
		say("%s: unknown option '%s'; 'simul %s --help' lists the options", t->command, bare, t->command);
	free(bare);
}

/* Returns the index of the option that `word` names; set->n if there is none. *value: what stands behind it in the same word, or NULL. */
static size_t find_option(const struct option_set *set, const char *word, const char **value)
{
	size_t length = strcspn(word + 2, "="), i = 0;

	*value = NULL;
	if (word[1] != '-') {
		while (i < set->n && (!set->option[i]->letter || set->option[i]->letter != word[1]))
			i++;
		if (i == set->n || (word[2] && option_is_flag(set->option[i])))
			return set->n;
		*value = word[2] ? word + 2 : NULL;
		return i;
	}
	while (i < set->n && (strlen(set->option[i]->name) != length || strncmp(set->option[i]->name, word + 2, length)))
		i++;
	if (i < set->n)
		*value = word[2 + length] ? word + 3 + length : NULL;
	return i;
}

/* Keeps an option for run. */
static bool pass(const char *command, struct options_passed *p, const struct option_spec *s, const char *value)
{
	size_t before = 0;

	for (size_t i = 0; i < p->n; i++)
		before += p->given[i].option == s;
	if (s->type == OPTION_LIST && !list_takes(command, s, before, value))
		return false;
	p->given = xgrow(p->given, p->n, sizeof(*p->given));
	p->given[p->n].option = s;
	p->given[p->n++].value = value;
	return true;
}

char **options_pass_on(struct options_passed *passed, const struct option_spec *run)
{
	char **words = xcalloc(passed->n + 1, sizeof(*words));
	size_t n = 0;

	for (const struct option_spec *s = run; s->name; s++) {
		size_t first = n;

		for (size_t i = 0; i < passed->n; i++) {
			const char *value = passed->given[i].value;

			if (passed->given[i].option != s)
				continue;
			if (s->type != OPTION_LIST && n > first)
				free(words[--n]);
			words[n++] = value ? xasprintf("--%s=%s", s->name, value) : xasprintf("--%s", s->name);
		}
	}
	words[n] = NULL;
	free(passed->given);
	*passed = (struct options_passed){.n = 0};
	return words;
}

/* Reads one option at argv[*i], which may take the next argument as its value. */
static bool read_option(const struct option_table *t, void *into, int argc, char **argv, int *i)
{
	struct option_set set = options_of(t);
	const char *value;
	size_t found = find_option(&set, argv[*i], &value);
	const struct option_spec *s = set.option[found];

	if (found == set.n) {
		unknown_option(t, &set, argv[*i]);
		return false;
	}
	if (option_is_flag(s) && value) {
		say("%s: --%s takes no value", t->command, s->name);
		return false;
	}
	if (!option_is_flag(s) && !value) {
		if (*i + 1 >= argc || !strcmp(argv[*i + 1], "--")) {
			say("%s: --%s needs a value", t->command, s->name);
			return false;
		}
		value = argv[++*i];
	}
	return found >= set.own && t->passed ? pass(t->command, t->passed, s, value) : set_value(t->command, s, into, value);
}

bool options_read(const struct option_table *t, void *into, int argc, char **argv, int *first, int *code)
{
	char **operands = xcalloc((size_t)argc + 1, sizeof(*operands));
	int n = 0, i;
	bool ok = true;

	*code = SIMUL_EXIT_USAGE;
	for (i = 1; i < argc && ok; i++) {
		if (!strcmp(argv[i], "--")) {
			i++;
			break;
		}
		if (argv[i][0] != '-' || !argv[i][1]) {
			if (!t->mixed)
				break;
			operands[n++] = argv[i];
		} else if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
			help_print(t);
			*code = SIMUL_EXIT_OK;
			ok = false;
		} else if (!strcmp(argv[i], "--list-options")) {
			options_list(t);
			*code = SIMUL_EXIT_OK;
			ok = false;
		} else {
			ok = read_option(t, into, argc, argv, &i);
		}
	}
	if (i > argc)
		i = argc;
	while (t->mixed && i < argc)
		operands[n++] = argv[i++];
	*first = t->mixed ? argc - n : i;
	if (n)
		memcpy(argv + *first, operands, sizeof(*operands) * (size_t)n);
	free(operands);
	return ok;
}

bool options_read_recording(const struct option_table *t, void *into, int argc, char **argv, int *first, int *code)
{
	if (!options_read(t, into, argc, argv, first, code))
		return false;
	if (argc - *first == 1)
		return true;
	if (*first >= argc)
		say("%s: no recording given; for example: simul %s queue_test-1.simul", t->command, t->command);
	else
		say("%s: one recording at a time", t->command);
	return false;
}
