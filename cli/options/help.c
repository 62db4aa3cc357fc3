/* The help: what is not said of one option, with examples first; and how the options of a command are printed. */
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "cli/options/cmd.h"
#include "cli/options/options.h"

#define COLUMN 25 /* where the texts of options begin */
#define WIDTH 88

static const char general[] =
	"simul runs a multithreaded test program many times, each time with a different\n"
	"interleaving of its threads, until it has tried every interleaving that can make a\n"
	"difference. The program needs no change and no recompilation.\n"
	"\n"
#define COMMAND(word, line) line
#include "cli/options/commands.def"
#undef COMMAND
	"\n"
	"  simul help COMMAND                   options and examples of a command\n"
	"  simul --version\n"
	"\n"
	"Exit status: 0 no bug found; 1 a bug was found (replay: it was reproduced); 2 wrong\n"
	"  usage, or a program or file that cannot be used; 3 the search is incomplete and\n"
	"  --require-complete was given; 4 a replay diverged, or its recording cannot be used\n"
	"  here; 70 an internal error of simul.\n";

/* The help of a command is: `before`, its options, `after`. */
static const struct command_text {
	const char *command, *before, *after;
} texts[] = {
	{"run",
		"simul run [OPTION...] [--] PROGRAM [ARGUMENT...]\n"
		"\n"
		"Runs PROGRAM under every distinct interleaving of its threads' shared operations:\n"
		"locks, condition variables, semaphores, joins, pipes, ..., and memory accesses.\n"
		"Reports deadlocks, livelocks, failed assertions, crashes, non-zero exits, hangs,\n"
		"misuse of locks and memory errors (use after free, double free, accesses beyond a\n"
		"heap block). Each bug is replayed in a fresh process before it is reported, and\n"
		"recorded in PROGRAM-N.simul.\n"
		"\n"
		"  simul run -- ./queue_test                      until complete, or the first bug\n"
		"  simul run --time 5m --keep-going -- ./t        all bugs found in five minutes\n"
		"  simul run --strategy pct --executions 10000 -- ./big_test      sample a large test\n"
		"  simul run --resume state --time 30m -- ./t     continue for another half hour\n"
		"  simul run --json out.json --quiet -- ./t       for scripts\n"
		"\n",

		"\n"
		"With --resume, the same command starts a search, continues one that was stopped or\n"
		"killed, and repeats the verdict of a finished one without running anything. A job can\n"
		"repeat the command until the search is complete. --time and --executions limit each\n"
		"run; counters and bugs are totals over all runs. PROGRAM and the options of the search\n"
		"must stay the same; budgets, --jobs and the options about output may change.\n"
		"\n"
		"PROGRAM's output is captured, and shown for a failing execution. PROGRAM reads the\n"
		"standard input of simul if that is a file or a pipe (a pipe is first read to its end);\n"
		"if it is a terminal, PROGRAM's input is empty. Sleeps and timeouts take no real time.\n"
		"\n"
		"The last line is the verdict.\n"
		"  \"complete\": every order of operations that threads can observe was tried\n"
		"  \"complete for library-level operations\": code between two calls to the C library\n"
		"      was treated as atomic; the reason follows\n"
		"  \"complete up to K preemptions\": most executions that need more were not tried\n"
		"  \"complete under TSO\": complete for that memory model\n"
		"Ctrl-C ends the search and prints the verdict so far; a second Ctrl-C stops at once.\n"
		"\n"
		"A bug that only --model pso finds does not happen on an x86 processor, which behaves as\n"
		"--model tso; it may happen on another processor, or if the compiler reorders stores.\n"
		"Plain machine code does not show which stores are releases. Code built with\n"
		"-fsanitize=thread reports the memory orders of its C11 atomics, and pso respects them.\n"},
	{"replay",
		"simul replay [OPTION...] FILE\n"
		"\n"
		"Runs the recorded program with the recorded interleaving, to reproduce the recorded\n"
		"failure.\n"
		"\n"
		"  simul replay queue_test-1.simul\n"
		"  simul replay --times 1000 queue_test-1.simul     count how often it happens\n"
		"  simul replay --gdb queue_test-1.simul            step through it in gdb, forward and\n"
		"                                                   back\n"
		"\n",

		"\n"
		"Exit status: 1 the recorded failure happened (every time); 4 the program behaved\n"
		"differently, or the recording is of another build; 2 FILE cannot be used. With --gdb,\n"
		"the exit status of gdb.\n"},
	{"minimize",
		"simul minimize [OPTION...] FILE\n"
		"\n"
		"Searches for a simpler interleaving with the same failure: fewer switches between\n"
		"threads, then fewer preemptions (switches away from a thread that could continue, and\n"
		"later does), then fewer steps. The simpler one replaces FILE after it has replayed.\n"
		"Then runs experiments to explain the failure: it reverses the order of the steps that\n"
		"the diagnosis names, and removes each switch in turn. Under RC11 it also tries stronger\n"
		"memory orders. 'simul run' does the same for each bug, for at most 2 seconds.\n"
		"\n"
		"  simul minimize queue_test-1.simul\n"
		"  simul minimize --time 10m -o small.simul queue_test-1.simul\n"
		"\n",

		"\n"
		"Exit status: 0 done, even if nothing simpler was found; 4 the recorded failure no\n"
		"longer happens, or the recording is of another build; 2 FILE cannot be used.\n"},
	{"show",
		"simul show [OPTION...] FILE\n"
		"\n"
		"Shows a recording: the failure, every step in a column for its thread, the switches\n"
		"that were preemptions, the values read and written, the position of each thread at\n"
		"the end, and the program's output.\n"
		"\n"
		"  simul show queue_test-1.simul\n"
		"  simul show --html bug.html queue_test-1.simul    an interactive page\n"
		"  simul show --json queue_test-1.simul | jq .schedule\n"
		"  simul show --dot queue_test-1.simul | dot -Tsvg >order.svg\n"
		"\n",

		"\n"
		"Exit status: 0 shown; 2 FILE cannot be used, or OUT cannot be written.\n"},
	{"certify",
		"simul certify -o FILE [OPTION...] [--] PROGRAM [ARGUMENT...]\n"
		"\n"
		"Searches like 'simul run', and writes a certificate of what is verified so far: the\n"
		"order of the first events of one execution, such that every execution that begins like\n"
		"this was explored and none failed. 'simul enforce' runs PROGRAM in these schedules only.\n"
		"The longer the search, the fewer events are ordered, and none when all was explored.\n"
		"Schedules that lead to a bug stay excluded. The first failure ends the search, unless\n"
		"--keep-going is given; after a failure in the warm-up, 10,000 executions do, unless there\n"
		"is a budget. The exit status is that of 'simul run'.\n"
		"\n"
		"  simul certify -o queue.cert -- ./queue_test\n"
		"  simul certify -o queue.cert --time 10m --model tso -- ./queue_test\n"
		"  simul show queue.cert                 show the ordered events with source lines\n"
		"\n",

		"\n"
		"Only a search that leaves nothing out can be certified: --strategy optimal (default) or\n"
		"source, without --preemptions, --patience, --time-model discrete, --barrier-serial first,\n"
		"--sections, --lock, --leave-out and --no-patch. If threads race\n"
		"for memory with plain stores, --model tso is needed, since processors delay stores. What\n"
		"cannot be enforced yet is refused by name: TCP, waits for descriptors, signals to the process,\n"
		"handlers that interrupt a call, the ends of cancelled threads, the start of processes.\n"},
	{"enforce",
		"simul enforce [OPTION...] CERTIFICATE [--] PROGRAM [ARGUMENT...]\n"
		"\n"
		"Runs PROGRAM with its threads in parallel, and makes them wait where CERTIFICATE orders\n"
		"their events. So only verified schedules happen, and no bug of an unexplored one can.\n"
		"After the ordered events no thread is made to wait.\n"
		"\n"
		"  simul enforce queue.cert -- ./queue_test\n"
		"\n",

		"\n"
		"The certificate holds for this build, these arguments, this standard input, the\n"
		"environment variables and the number of processors that the program asks for. Files,\n"
		"time and other input are not compared, but an event that differs is noticed.\n"
		"\n"
		"Exit status: that of PROGRAM; 2 the certificate cannot be used, or is not for this run;\n"
		"4 the program did not behave as certified, and the difference was reported.\n"},
	{"stress",
		"simul stress [OPTION...] -- TEST...\n"
		"simul stress [OPTION...] --gtest|--cmocka|--glib|--catch2|--doctest|--boost|--check\n"
		"             -- PROGRAM...\n"
		"simul stress [OPTION...] --ctest|--meson|--automake|--installed DIR\n"
		"simul stress [OPTION...] --cargo [DIR...]\n"
		"\n"
		"Searches many tests in a given time, several in parallel. With --state, the next run\n"
		"first replays the bugs found by this run, continues the unfinished searches, and skips\n"
		"the finished ones as long as the program has not changed.\n"
		"\n"
		"  simul stress --time 30m --state state --junit junit.xml -- ./tests/*_test\n"
		"  simul stress --gtest --filter 'Queue*' -- ./unit_tests\n"
		"  simul stress --time 2h --state state --ctest build\n"
		"  simul stress --time 2h --search postgresql://ci@db.example.com/simul --ctest build\n"
		"\n",

		"\n"
		"With GITHUB_ACTIONS=true, bugs are also printed as GitHub annotations.\n"
		"\n"
		"Exit status, the first that applies: 1 a bug was found, now or in an earlier run, and\n"
		"still exists; 70 an internal error of simul; 4 a recording of this build no longer\n"
		"replays; 2 wrong usage, or tests that fail without simul or cannot be run; 3 a search\n"
		"is incomplete and --require-complete was given; 0.\n"},
	{"search",
		"simul search [OPTION...] URL\n"
		"\n"
		"Shows the searches ('simul run --search') and nights ('simul stress --search') that\n"
		"machines share through the PostgreSQL database at URL: program, state, executions and\n"
		"their estimated number, executions per second, open tasks, bugs, and the workers. Says\n"
		"whether executions are too short to be shared. Changes nothing.\n"
		"\n"
		"  simul search postgresql://ci@db.example.com/simul\n"
		"\n",

		"\n"
		"Exit status: 0; 2 wrong usage, or the database cannot be read.\n"},
	{"work",
		"simul work --search URL [OPTION...]\n"
		"\n"
		"Helps with the searches that others have begun with 'simul run --search URL': explores a\n"
		"part of each, with the same program, options and working directory as the machine that\n"
		"began, and ends when there is nothing to help with. The program must be at the same path\n"
		"here. The verdict is printed by the machines that run 'simul run'.\n"
		"\n"
		"  simul work --search postgresql://ci@db.example.com/simul\n"
		"\n"
		"This command runs programs that the database names. Use it only with a database to\n"
		"which nobody else can write.\n"
		"\n",

		"\n"
		"Exit status: 0; 2 wrong usage, the database cannot be used, or this machine can help\n"
		"with no search.\n"},
	{"doctor",
		"simul doctor [OPTION...] [--] PROGRAM [ARGUMENT...]\n"
		"\n"
		"Reports what simul sees of PROGRAM: library calls, memory accesses (by patching its\n"
		"code, or through the instrumentation of -fsanitize=thread), which functions are\n"
		"covered, what is missed, and how to improve it. PROGRAM is loaded, but without\n"
		"--run its main is not run.\n"
		"\n"
		"  simul doctor ./queue_test\n"
		"  simul doctor --run ./queue_test\n"
		"  simul doctor --patch 'libz.so*' --all ./queue_test\n"
		"\n",

		"\n"
		"Exit status: 0 simul can run PROGRAM; 2 it cannot, and the message gives the reason.\n"},
};

const char *help_general(void)
{
	return general;
}

/* Prints the option, as "  -x, --name VALUE  text", the text in lines from COLUMN on. */
static void print_option(const struct option_spec *s)
{
	char head[80];
	int n = snprintf(head, sizeof(head), "  %s%.1s%s--%s%s%s", s->letter ? "-" : "", s->letter ? &s->letter : "", s->letter ? ", " : "", s->name,
		s->value ? " " : "", s->value ? s->value : "");

	printf("%-*s", COLUMN, head);
	if (n >= COLUMN)
		printf("\n%*s", COLUMN, "");
	for (const char *at = s->text; *at; at++) {
		if (*at == '%')
			fputs(s->initial, stdout);
		else
			putchar(*at);
		if (*at == '\n')
			printf("%*s", COLUMN, "");
	}
	putchar('\n');
}

/* Prints the names of options that the command has from run. */
static void print_passed_on(const struct option_set *set)
{
	int at = printf("Passed on to 'simul run' (see 'simul help run'):");

	for (size_t i = set->own; i < set->n; i++) {
		int length = (int)strlen(set->option[i]->name) + 3;

		if (!set->option[i]->text)
			continue;
		if (at + length > WIDTH) {
			printf("\n ");
			at = 1;
		}
		printf(" --%s", set->option[i]->name);
		at += length;
	}
	putchar('\n');
}

void help_print(const struct option_table *t)
{
	const struct command_text *text = texts;
	struct option_set set = options_of(t);
	const char *group = NULL;

	while (strcmp(text->command, t->command)) {
		text++;
		INVARIANT(text < texts + sizeof(texts) / sizeof(texts[0]), "simul %s has no help", t->command);
	}
	fputs(text->before, stdout);
	for (size_t i = 0; i < set.own; i++) {
		const struct option_spec *s = set.option[i];

		if (!s->text)
			continue;
		if (s->group && (!group || strcmp(s->group, group)))
			puts(s->group);
		group = s->group;
		print_option(s);
	}
	if (set.n > set.own)
		print_passed_on(&set);
	fputs(text->after, stdout);
}
