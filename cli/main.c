/*
 * simul: runs a multithreaded test binary under every meaningfully different interleaving.
 * This file only finds the subcommand.
 */
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/exit_codes.h"
#include "cli/base/child_processes.h"
#include "cli/options/cmd.h"
#include "cli/replay/gdb.h"
#include "cli/base/interrupt.h"
#include "cli/options/options.h"
#include "cli/base/own_stack.h"
#include "cli/base/say.h"

typedef int command_fn(int argc, char **argv);

static const struct {
	const char *name;
	command_fn *run;
} commands[] = {
#define COMMAND(word, line) {#word, cmd_##word},
#include "cli/options/commands.def"
#undef COMMAND
};
#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

/* Returns the command's function; NULL if there is none with this name. */
static command_fn *find_command(const char *name)
{
	for (size_t i = 0; i < COMMANDS; i++)
		if (!strcmp(commands[i].name, name))
			return commands[i].run;
	return NULL;
}

/* Returns the name of the command nearest to `word`; NULL if none is near. */
static const char *nearest_command(const char *word)
{
	const char *names[COMMANDS + 2];
	size_t n = 0;

	for (; n < COMMANDS; n++)
		names[n] = commands[n].name;
	names[n++] = "help";
	names[n] = NULL;
	return nearest_name(word, names);
}

/* Prints the help of a command, of simul itself without a name. */
static int print_help(char *name)
{
	command_fn *run = name ? find_command(name) : NULL;
	const char *near;

	if (!name || !strcmp(name, "help")) {
		fputs(help_general(), stdout);
		return SIMUL_EXIT_OK;
	}
	if (run)
		return run(2, (char *[]){name, "--help", NULL});
	near = nearest_command(name);
	say("there is no command '%s'%s%s%s; 'simul --help' lists them", name, near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "");
	return SIMUL_EXIT_USAGE;
}

static int unknown(const char *word)
{
	const char *near = nearest_command(word[0] == '-' ? word + strspn(word, "-") : word);

	if (near)
		say("unknown %s '%s'; did you mean 'simul %s'?", word[0] == '-' ? "option" : "command", word, near);
	else if (word[0] == '-')
		say("unknown option '%s'; 'simul --help' lists the commands", word);
	else
		say("unknown command '%s'; to run a program: simul run -- %s", word, word);
	return SIMUL_EXIT_USAGE;
}

static int command(int argc, char **argv)
{
	const char *word = argc > 1 ? argv[1] : NULL;
	command_fn *run;

	if (!word) {
		fputs(help_general(), stderr);
		return SIMUL_EXIT_USAGE;
	}
	if (!strcmp(word, "--version") || !strcmp(word, "-V") || !strcmp(word, "version")) {
		puts("simul " SIMUL_VERSION);
		return SIMUL_EXIT_OK;
	}
	if (!strcmp(word, "--help") || !strcmp(word, "-h"))
		return print_help(NULL);
	if (!strcmp(word, "--list-commands")) { /* for completion/ and tests/docs.sh */
		for (size_t i = 0; i < COMMANDS; i++)
			puts(commands[i].name);
		puts("help");
		return SIMUL_EXIT_OK;
	}
	if (!strcmp(word, "help"))
		return print_help(argc > 2 ? argv[2] : NULL);
	interrupt_init();
	children_init();
	if (!strcmp(word, GDB_PROCESS_WORD))
		return gdb_process(argc - 1, argv + 1);
	if (!strcmp(word, GDB_PLACE_WORD))
		return gdb_place(argc - 1, argv + 1);
	run = find_command(word);
	return run ? run(argc - 1, argv + 1) : unknown(word);
}

/* Returns whether stdout is a pipe or socket whose reader has closed it, as in `simul show FILE | head`. */
static bool reader_left(void)
{
	struct pollfd out = {.fd = STDOUT_FILENO};

	return poll(&out, 1, 0) == 1 && (out.revents & POLLERR);
}

/*
 * Output that could not be written makes the command fail, unless it fails for another reason already. If the reader closed the pipe, the
 * message is omitted: the reader wanted no more.
 */
static int report_lost_output(int code)
{
	bool flushed = !fflush(stdout);
	int error = flushed ? 0 : errno;

	if ((flushed && !ferror(stdout)) || code == SIMUL_EXIT_USAGE) /* usage errors have a message already */
		return code;
	if (!reader_left())
		say("cannot write to standard output%s%s", error ? ": " : "", error ? strerror(error) : "");
	return code == SIMUL_EXIT_OK ? SIMUL_EXIT_INTERNAL : code;
}

int main(int argc, char **argv)
{
	return report_lost_output(own_stack_call(command, argc, argv));
}
