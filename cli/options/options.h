/*
 * Command-line options, each declared by one line of a table. Error messages name the option and the nearest valid name.
 */
#ifndef SIMUL_OPTIONS_H
#define SIMUL_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/units.h"

enum option_type {
	OPTION_FLAG,     /* bool: set to true */
	OPTION_ON,       /* uint32_t: set to 1 */
	OPTION_OFF,      /* uint32_t: set to 0 */
	OPTION_U32,      /* uint32_t, min..max */
	OPTION_U64,      /* uint64_t, min..max */
	OPTION_DURATION, /* uint64_t: nanoseconds; 30s, 5m, 1h, 1.5h, a bare number is seconds */
	OPTION_SIZE,     /* uint64_t: bytes; 512M, 2G */
	OPTION_STRING,   /* const char * */
	OPTION_LIST,     /* struct option_list: may be given several times */
	OPTION_CHOICE,   /* uint32_t: index of the value in `choices` */
};

#define OPTION_LIST_MAX 64

struct option_list {
	size_t n;
	char *value[OPTION_LIST_MAX + 1]; /* NULL-terminated, not owned */
};

/* An option. The line of its declaration is the only one: reading, help and completion follow from it. */
struct option_spec {
	const char *name;  /* without dashes; NULL ends the list */
	const char *value; /* the name of its value in the help; NULL: it has none */
	/* One of TO_FLAG ... TO_CHOICE gives these. */
	enum option_type type;
	size_t at;                  /* of its member, in the structure that the options are read into */
	uint64_t min, max;          /* numbers, nanoseconds, bytes; max 0: no limit */
	const char *const *choices; /* OPTION_CHOICE: NULL-terminated */

	const char *text;    /* its help, in lines of at most 65 characters. A % stands for `initial`. The first clause is for completion. NULL:
	                        the help omits the option */
	const char *group;   /* the heading of its part of the help; NULL: none */
	unsigned too;        /* options of run: the other commands that have it, of enum option_too */
	char letter;         /* short form, or 0 */
	const char *initial; /* the value if it is not given, see options_defaults; NULL: its member stays as it is */
};

enum option_too { CERTIFY_TOO = 1, STRESS_TOO = 2 };

/*
 * Kind, place and range of an option. OPTIONS_INTO is the structure that the file's options are read into. The member must have the type of the
 * kind; else the compiler refuses it.
 */
#define OPTION_AT(type, member) _Generic(((OPTIONS_INTO *)0)->member, type: offsetof(OPTIONS_INTO, member))
#define TO_FLAG(member) .type = OPTION_FLAG, OPTION_AT(bool, member), 0, 0, NULL
#define TO_ON(member) .type = OPTION_ON, OPTION_AT(uint32_t, member), 0, 0, NULL
#define TO_OFF(member) .type = OPTION_OFF, OPTION_AT(uint32_t, member), 0, 0, NULL
#define TO_U32(member, min, max) .type = OPTION_U32, OPTION_AT(uint32_t, member), min, max, NULL
#define TO_U64(member, min, max) .type = OPTION_U64, OPTION_AT(uint64_t, member), min, max, NULL
#define TO_DURATION(member, min, max) .type = OPTION_DURATION, OPTION_AT(uint64_t, member), min, max, NULL
#define TO_SIZE(member, min, max) .type = OPTION_SIZE, OPTION_AT(uint64_t, member), min, max, NULL
#define TO_TEXT(member) .type = OPTION_STRING, OPTION_AT(const char *, member), 0, 0, NULL
#define TO_LIST(member) .type = OPTION_LIST, OPTION_AT(struct option_list, member), 0, 0, NULL
#define TO_CHOICE(member, choices) .type = OPTION_CHOICE, OPTION_AT(uint32_t, member), 0, 0, choices

/* Options that were given to a command which passes them on to run. */
struct options_passed {
	size_t n;
	struct {
		const struct option_spec *option;
		const char *value; /* NULL: it takes none */
	} *given;
};

/* The options of a command. */
struct option_table {
	const char *command;
	bool mixed;                     /* options may stand after operands */
	const struct option_spec *own;  /* a list that ends with a name NULL */
	const struct option_spec *run;  /* the list of run: the command has those with `too`. NULL: it has none */
	unsigned too;
	struct options_passed *passed;  /* where those go; run checks their values. NULL: they are read as the command's own */
};

#define OPTIONS_MOST 96

/* All options of a command: its own, then those of run. */
struct option_set {
	size_t own, n;
	const struct option_spec *option[OPTIONS_MOST];
};

/* Returns whether the option takes no value. */
static inline bool option_is_flag(const struct option_spec *s)
{
	return s->type == OPTION_FLAG || s->type == OPTION_ON || s->type == OPTION_OFF;
}

struct option_set options_of(const struct option_table *t);

/* Stores the values of options that are not given. A value that OPTION_OFF sets to 0 is 1. */
void options_defaults(const struct option_table *t, void *into);

/*
 * Reads argv[1 .. argc) into *into. Stops at "--" or, unless t->mixed, at the first argument that is not an option; *first is then the index of
 * the first operand. With t->mixed, operands may be anywhere and are moved to the end of argv. false: the command ends with *code; one message
 * was printed, or the text of --help, -h or --list-options.
 */
bool options_read(const struct option_table *t, void *into, int argc, char **argv, int *first, int *code);

/* Returns the words of these options in the order of the list `run`: of each the last one that was given, of lists all. NULL-terminated; owned by
   the caller. Frees what *passed has. */
char **options_pass_on(struct options_passed *passed, const struct option_spec *run);

/*
 * Prints the options as lines for programs (completion/, tests/docs.sh). Each line has six fields separated by tabs, "-" for an empty one:
 * --name, -letter, kind (flag, number, duration, size, text, list, choice), the name of the value, the values of a choice separated by
 * spaces, and the first clause of the help. No clause: the help omits the option.
 */
void options_list(const struct option_table *t);

/* Prints the help of the command (help.c). */
void help_print(const struct option_table *t);

/* Returns the entry of `names` (NULL-terminated) nearest to `word`; NULL if none is near. */
const char *nearest_name(const char *word, const char *const *names);

/* For a command that takes one recording: reads its options and checks that argv[*first] is the only operand. false: the command ends with
   *code; help or one message was printed. */
bool options_read_recording(const struct option_table *t, void *into, int argc, char **argv, int *first, int *code);

#endif
