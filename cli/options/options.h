/*
 * Command-line options, table driven, with messages that name the option and the nearest right one.
 */
#ifndef SIMUL_OPTIONS_H
#define SIMUL_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum option_type {
	OPTION_FLAG,     /* bool *: set to true */
	OPTION_U32,      /* uint32_t *, min..max */
	OPTION_U64,      /* uint64_t *, min..max */
	OPTION_DURATION, /* uint64_t *: nanoseconds; 30s, 5m, 1h, 1.5h, a bare number is seconds */
	OPTION_SIZE,     /* uint64_t *: bytes; 512M, 2G */
	OPTION_STRING,   /* const char ** */
	OPTION_LIST,     /* struct option_list *: may be given several times */
	OPTION_CHOICE,   /* uint32_t *: index of the value in `choices` */
};

#define OPTION_LIST_MAX 64

struct option_list {
	size_t n;
	char *value[OPTION_LIST_MAX + 1]; /* NULL-terminated, not owned */
};

struct option_spec {
	const char *name; /* without dashes; NULL ends the table */
	char letter;      /* short form, or 0 */
	enum option_type type;
	void *value;
	uint64_t min, max;           /* numbers, nanoseconds, bytes; max 0: no limit */
	const char *const *choices;  /* OPTION_CHOICE: NULL-terminated */
};

enum options_result { OPTIONS_OK, OPTIONS_BAD, OPTIONS_TOLD };

/*
 * Reads argv[1 .. argc). Stops at "--" or, unless `mixed`, at the first argument that is no option;
 * *first is then the index of the first operand. With `mixed` operands may stand anywhere and are
 * moved to the end of argv. OPTIONS_BAD: one message was printed. OPTIONS_TOLD: what --help, -h or --list-options
 * ask for was printed, and the command is over.
 */
enum options_result options_read(const char *command, const struct option_spec *specs, bool mixed,
	int argc, char **argv, int *first);

/*
 * Prints the options as lines for programs (completion/, tests/docs.sh). Six fields with a tab between them, "-" where there is nothing:
 * --name, -letter, kind (flag, number, duration, size, text, list, choice), what the value is called, the values of a choice
 * with blanks between them, and a description. Name of the value and description are those of `help`, the command's help text.
 */
void options_list(const char *help, const struct option_spec *specs);

/* The entry of `names` (NULL-terminated) that `word` most likely meant; NULL when none is near. */
const char *nearest_name(const char *word, const char *const *names);

/* For a command that takes one recording: reads its options, and checks that argv[*first] is the only argument left. false: the command is
   over with *code; help or one message was printed. */
bool options_read_recording(const char *command, const struct option_spec *specs, int argc, char **argv, int *first, int *code);

#endif
