/*
 * Command-line options, driven by tables. Error messages name the option and the nearest valid name.
 */
#ifndef SIMUL_OPTIONS_H
#define SIMUL_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/units.h"

enum option_type {
	OPTION_FLAG,     /* bool *: set to true */
	OPTION_ON,       /* uint32_t *: set to 1 */
	OPTION_OFF,      /* uint32_t *: set to 0 */
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

/* Returns whether the option takes no value. */
static inline bool option_is_flag(const struct option_spec *s)
{
	return s->type == OPTION_FLAG || s->type == OPTION_ON || s->type == OPTION_OFF;
}

/*
 * Reads argv[1 .. argc). Stops at "--" or, unless `mixed`, at the first argument that is not an option; *first is then the index of the
 * first operand. With `mixed`, operands may be anywhere and are moved to the end of argv. false: the command ends with *code; one message
 * was printed, or the text of --help, -h or --list-options.
 */
bool options_read(const char *command, const struct option_spec *specs, bool mixed, int argc, char **argv, int *first, int *code);

/*
 * Prints the options as lines for programs (completion/, tests/docs.sh). Each line has six fields separated by tabs, "-" for an empty one:
 * --name, -letter, kind (flag, number, duration, size, text, list, choice), the name of the value, the values of a choice separated by
 * spaces, and a description. The name of the value and the description come from `help`, the command's help text.
 */
void options_list(const char *help, const struct option_spec *specs);

/* Returns the entry of `names` (NULL-terminated) nearest to `word`; NULL if none is near. */
const char *nearest_name(const char *word, const char *const *names);

/* For a command that takes one recording: reads its options and checks that argv[*first] is the only operand. false: the command ends with
   *code; help or one message was printed. */
bool options_read_recording(const char *command, const struct option_spec *specs, int argc, char **argv, int *first, int *code);

#endif
