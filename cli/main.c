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
#include "cli/cmd.h"
#include "cli/replay/gdb.h"
#include "cli/base/interrupt.h"
#include "cli/options/options.h"
#include "cli/base/own_stack.h"
#include "cli/base/say.h"

static const char *const names[] = {"run", "replay", "minimize", "show", "certify", "enforce", "stress", "search", "work", "doctor", "help", NULL};

static int print_help(const char *command)
{
	const char *text = help_text(command);

	if (!text) {
		const char *near = nearest_name(command, names);

		say("there is no command '%s'%s%s%s; 'simul --help' lists them", command,
			near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "");
		return SIMUL_EXIT_USAGE;
	}
	fputs(text, stdout);
	return SIMUL_EXIT_OK;
}

static int unknown(const char *word)
{
	const char *near = nearest_name(word[0] == '-' ? word + strspn(word, "-") : word, names);

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

	if (!word) {
		fputs(help_text(NULL), stderr);
		return SIMUL_EXIT_USAGE;
	}
	if (!strcmp(word, "--version") || !strcmp(word, "-V") || !strcmp(word, "version")) {
		puts("simul " SIMUL_VERSION);
		return SIMUL_EXIT_OK;
	}
	if (!strcmp(word, "--help") || !strcmp(word, "-h"))
		return print_help(NULL);
	if (!strcmp(word, "--list-commands")) { /* for completion/ and tests/docs.sh */
		for (const char *const *name = names; *name; name++)
			puts(*name);
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
	if (!strcmp(word, "run"))
		return cmd_run(argc - 1, argv + 1);
	if (!strcmp(word, "replay"))
		return cmd_replay(argc - 1, argv + 1);
	if (!strcmp(word, "minimize"))
		return cmd_minimize(argc - 1, argv + 1);
	if (!strcmp(word, "show"))
		return cmd_show(argc - 1, argv + 1);
	if (!strcmp(word, "certify"))
		return cmd_certify(argc - 1, argv + 1);
	if (!strcmp(word, "enforce"))
		return cmd_enforce(argc - 1, argv + 1);
	if (!strcmp(word, "stress"))
		return cmd_stress(argc - 1, argv + 1);
	if (!strcmp(word, "search"))
		return cmd_search(argc - 1, argv + 1);
	if (!strcmp(word, "work"))
		return cmd_work(argc - 1, argv + 1);
	if (!strcmp(word, "doctor"))
		return cmd_doctor(argc - 1, argv + 1);
	return unknown(word);
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
