#include "cli/replay/consent.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/printable.h"
#include "base/xalloc.h"
#include "cli/base/say.h"

#define MOST_SHOWN 400 /* bytes of one argument or variable */

/* Prints text from another person's file, so that nothing in it moves the cursor or hides a part of the line. */
static void show(const char *before, const char *text)
{
	char piece[MOST_SHOWN + 1];

	printable_into(text, PRINTABLE_LINE, piece, sizeof(piece));
	fprintf(stderr, "%s%s%s\n", before, piece, strlen(text) > MOST_SHOWN ? " (cut)" : "");
}

static bool has_now(const char *entry)
{
	size_t n = strcspn(entry, "=");

	for (char **e = environ; *e; e++)
		if (!strncmp(*e, entry, n + 1))
			return !strcmp(*e, entry);
	return false;
}

static void show_run(const struct recorded *rec)
{
	const struct recording *r = rec->recording;

	show("  program:     ", r->start.program);
	for (char **a = r->start.argv[0] ? r->start.argv + 1 : r->start.argv; *a; a++)
		show("  argument:    ", *a);
	show("  directory:   ", r->start.cwd ? r->start.cwd : "-");
	if (r->start.stdin_file)
		show("  input from:  ", r->start.stdin_file);
	for (char **e = rec->env; *e; e++)
		if (!has_now(*e))
			show("  environment: ", *e);
}

/* Names the variables of the recording that another person must not set. See recorded_read. */
static void name_left_out(const struct recorded *rec)
{
	for (char **e = rec->recording->start.env; rec->choice == RECORDED_ENV && *e; e++) {
		bool taken = false;

		for (char **t = rec->env; *t && !taken; t++)
			taken = *t == *e;
		if (!taken && !has_now(*e))
			say("%s: its %.*s is ignored because the dynamic linker would obey it; if the program needs it, set it in your own "
				"environment", rec->path,
				(int)strcspn(*e, "="), *e);
	}
}

static bool ask(void)
{
	char answer[16] = "";

	fprintf(stderr, "Run it? [y/N] ");
	fflush(stderr);
	return fgets(answer, sizeof(answer), stdin) && (answer[0] == 'y' || answer[0] == 'Y');
}

bool consent_to_run(const struct recorded *rec, const char *command, bool trusted)
{
	if (rec->ours)
		return true;
	name_left_out(rec);
	if (trusted)
		return true;
	say("%s: this may not be your own recording (%s). It would run:", rec->path, rec->why_not_ours);
	show_run(rec);
	if (isatty(STDIN_FILENO) && isatty(STDERR_FILENO)) {
		if (ask())
			return true;
		say("%s: not run", rec->path);
		return false;
	}
	say("%s: not run; 'simul show' displays it without running anything, 'simul %s --trust' runs it", rec->path, command);
	return false;
}
