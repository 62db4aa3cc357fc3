/*
 * Prints the options of a command as lines for programs. The option table defines which options exist; the help text describes them: a line
 * " -x, --name VALUE description", whose description may continue, or start, on the next lines. So nothing is written twice.
 */
#include <stdio.h>
#include <string.h>

#include "cli/options/options.h"

#define DESCRIPTION_MAX 160

static const char *kind_name(enum option_type type)
{
	switch (type) {
	case OPTION_FLAG:
	case OPTION_ON:
	case OPTION_OFF:
		return "flag";
	case OPTION_U32:
	case OPTION_U64:
		return "number";
	case OPTION_DURATION:
		return "duration";
	case OPTION_SIZE:
		return "size";
	case OPTION_STRING:
		return "text";
	case OPTION_LIST:
		return "list";
	case OPTION_CHOICE:
		return "choice";
	}
	return "-";
}

/* Returns the text after the name of this option in the help; NULL if the help has no line for it. */
static const char *find_in_help(const char *help, const char *name)
{
	size_t length = strlen(name);

	for (const char *line = help; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, "  -", 3))
			continue;
		const char *at = line + 2;
		if (at[1] != '-' && at[1] && !strncmp(at + 2, ", ", 2))
			at += 4;
		if (!strncmp(at, "--", 2) && !strncmp(at + 2, name, length) && strchr(" \n", at[2 + length]) &&
			strncmp(at + 2 + length, " --", 3)) /* not a line that only lists several options */
			return at + 2 + length;
	}
	return NULL;
}

/* Prints the first clause of the text at `at`. The text continues on lines indented like descriptions. */
static void print_clause(const char *at)
{
	char text[DESCRIPTION_MAX];
	size_t n = 0;

	for (; *at && n < sizeof(text) - 1; at++) {
		if (*at == '\n' && strncmp(at + 1, "      ", 6))
			break;
		if (strchr(";:(", *at) || (*at == '.' && strchr(" \n", at[1])))
			break;
		if (*at != ' ' && *at != '\n')
			text[n++] = *at;
		else if (n && text[n - 1] != ' ')
			text[n++] = ' ';
	}
	while (n && strchr(" ,", text[n - 1]))
		n--;
	printf("%.*s\n", n ? (int)n : 1, n ? text : "-");
}

void options_list(const char *help, const struct option_spec *specs)
{
	for (const struct option_spec *s = specs; s->name; s++) {
		const char *at = find_in_help(help, s->name);
		size_t value = 0;

		printf("--%s\t-%.1s\t%s\t", s->name, s->letter ? &s->letter : "", kind_name(s->type));
		if (at && !option_is_flag(s)) {
			at += strspn(at, " ");
			value = strcspn(at, " \n");
		}
		printf("%.*s\t", value ? (int)value : 1, value ? at : "-");
		if (!s->choices)
			putchar('-');
		else
			for (uint32_t i = 0; s->choices[i]; i++)
				printf("%s%s", i ? " " : "", s->choices[i]);
		putchar('\t');
		print_clause(at ? at + value : "");
	}
}
