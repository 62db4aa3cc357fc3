/* Prints the options of a command as lines for programs. */
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

/* Prints the first clause of a help text. */
static void print_clause(const char *at)
{
	char text[DESCRIPTION_MAX];
	size_t n = 0;

	for (; *at && n < sizeof(text) - 1; at++) {
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

void options_list(const struct option_table *t)
{
	struct option_set set = options_of(t);

	for (size_t i = 0; i < set.n; i++) {
		const struct option_spec *s = set.option[i];

		printf("--%s\t-%.1s\t%s\t%s\t", s->name, s->letter ? &s->letter : "", kind_name(s->type), s->value ? s->value : "-");
		if (!s->choices)
			putchar('-');
		else
			for (uint32_t c = 0; s->choices[c]; c++)
				printf("%s%s", c ? " " : "", s->choices[c]);
		putchar('\t');
		print_clause(s->text ? s->text : "");
	}
}
