/* The help texts: short, with examples first. */
#include <string.h>

#include "cli/cmd.h"

static const char general[] =
	"simul runs a multithreaded test program again and again, each time with another\n"
	"interleaving of its threads, until every meaningfully different one was tried.\n"
	"The program needs no change and no recompiling.\n"
	"\n"
	"  simul run -- ./queue_test --fast     look for bugs; ends with a verdict\n"
	"  simul replay queue_test-1.simul      make the bug happen again\n"
	"  simul show queue_test-1.simul        who did what in which order, in source lines\n"
	"  simul doctor ./queue_test            what simul sees of this program, and what not\n"
	"\n"
	"  simul help run|replay|show|doctor    options and examples of a command\n"
	"  simul --version\n"
	"\n"
	"Exit status: 0 no bug found; 1 a bug was found (replay: it happened again);\n"
	"  2 wrong usage or a program or file that cannot be used; 3 search incomplete and\n"
	"  --require-complete given; 4 a replay diverged or its recording cannot be used\n"
	"  here; 70 a fault of simul itself.\n";

static const char run[] =
	"simul run [OPTION...] [--] PROGRAM [ARGUMENT...]\n"
	"\n"
	"Runs PROGRAM under every different interleaving of what its threads share: locks,\n"
	"condition variables, semaphores, joins, pipes, ..., and memory. Reports deadlocks,\n"
	"livelocks, failed assertions, crashes, non-zero exits, hangs and misuse of locks. Each\n"
	"bug is replayed in a fresh process before it is reported, and recorded in\n"
	"PROGRAM-N.simul.\n"
	"\n"
	"  simul run -- ./queue_test                      until done, or the first bug\n"
	"  simul run --time 5m --keep-going -- ./t        five minutes, all bugs\n"
	"  simul run --strategy pct --executions 10000 -- ./big_test      samples of a big one\n"
	"  simul run --resume state --time 30m -- ./t     half an hour more each time\n"
	"  simul run --json out.json --quiet -- ./t       for scripts\n"
	"\n"
	"Budget\n"
	"  --time DURATION        stop after 30s, 5m, 1h\n"
	"  --executions N         stop after N complete executions\n"
	"  --keep-going           go on after a bug; equal bugs are reported once\n"
	"  --require-complete     exit with 3 when the search is not complete\n"
	"  --resume DIR           keep the search in DIR, and go on with the one that is there\n"
	"Search\n"
	"  --strategy NAME        optimal: every trace exactly once (default)\n"
	"                         source: the same traces, some executions in vain\n"
	"                         exhaustive: every interleaving (tiny programs only)\n"
	"                         samples, for programs that are too big to finish; never\n"
	"                         complete, go on until --executions, --time or the first bug:\n"
	"                         random: each choice at each step is equally likely\n"
	"                         pct: random priorities and few changes; says how likely it\n"
	"                         is that a bug of that --depth was missed\n"
	"                         pos: random priorities of events, drawn again after races\n"
	"                         surw: each order of the events that count equally likely\n"
	"  --depth N              of the bugs that pct looks for: how many orders between two\n"
	"                         events make it happen (1 to 32, default 3)\n"
	"  --seed N               of the samples (default 1): the same seed, the same schedules\n"
	"  --spurious N           let each condition wait wake up to N times for no reason\n"
	"  --max-steps N          cut an execution after N events (default 100000)\n"
	"  --hang-timeout TIME    CPU time without a step that counts as a hang (default 10s)\n"
	"  --model sc|tso|pso     when stores reach memory: sc at once (default), tso later, in\n"
	"                         the order in which their thread made them, as on x86, pso\n"
	"                         later, in any order that fences and synchronisation leave\n"
	"  --robustness           an execution that is not sequentially consistent is a bug\n"
	"                         (with --model tso or pso)\n"
	"Memory\n"
	"  --patch PATTERN        see memory accesses of libraries with such a file name too; may\n"
	"                         be given several times. The program is patched anyway, and so\n"
	"                         are libraries beside it or in its RUNPATH\n"
	"  --no-patch             see calls of the C library only\n"
	"  --fail-on-race         a data race is a bug (without it: a note before the verdict)\n"
	"Running\n"
	"  --isolation auto|rewind|fork|exec\n"
	"                         rewind: one process for many executions, whose memory is put\n"
	"                         back; fork: a process for each, forked where the first thread\n"
	"                         is created; exec: started anew (slow; for programs whose start\n"
	"                         must be repeated). auto (default): rewind, and fork when\n"
	"                         executions change more than memory (files, processes,\n"
	"                         mappings); the summary says which, and why\n"
	"  --threads fiber|kernel run threads as fibers (default) or as kernel threads\n"
	"  --memory SIZE          memory of the search (default 1G; used as needed)\n"
	"Output\n"
	"  --output DIR           where recordings are written (default: here)\n"
	"  --json FILE            result for programs; '-' is standard output\n"
	"  --show-output          show what the first execution printed\n"
	"  -q, --quiet            the verdict only\n"
	"\n"
	"With --resume the same command begins a search, goes on with one that was stopped or\n"
	"killed, and tells the verdict of one that is over, without running anything: a job can\n"
	"repeat it until the search is complete. --time and --executions are budgets of each\n"
	"run, the counters and bugs those of all. Nothing but the place of the output may be\n"
	"different from run to run: not PROGRAM, nor the options of the search.\n"
	"\n"
	"What PROGRAM prints is kept away, and shown for a failing execution. Its standard\n"
	"input is yours when that is a file or a pipe (a pipe is read to its end first) and\n"
	"empty when it is a terminal. Sleeps and time-outs cost no real time.\n"
	"\n"
	"The last line is the verdict. \"complete\" means that every order of what threads can\n"
	"observe was tried; \"complete for library-level operations\" that code between two calls\n"
	"of the C library was taken to run in one piece, and why. Ctrl-C ends the search and\n"
	"gives the verdict so far; a second one stops at once. \"complete under TSO\" is said of\n"
	"that memory model. What only --model pso finds in machine code that is no C11 atomics\n"
	"built with -fsanitize=thread is a what-if, about another machine or a compiler that\n"
	"reorders stores: the x86 processor itself does what --model tso explores.\n";

static const char replay[] =
	"simul replay [OPTION...] FILE\n"
	"\n"
	"Runs the recorded program again with the recorded interleaving, so that the recorded\n"
	"failure happens again.\n"
	"\n"
	"  simul replay queue_test-1.simul\n"
	"  simul replay --times 1000 queue_test-1.simul     count how often it happens\n"
	"\n"
	"  --times N              replay N times (default 1)\n"
	"  --verbose              show the interleaving, and the program's output\n"
	"  --hang-timeout TIME    as for run (default 10s)\n"
	"  -q, --quiet            the last line only\n"
	"\n"
	"Exit status: 1 the recorded failure happened (every time); 4 the program did\n"
	"something else, or the recording is of another build; 2 FILE cannot be used.\n";

static const char show[] =
	"simul show [OPTION...] FILE\n"
	"\n"
	"Shows a recording: what failed, every step in a column for its thread, where each\n"
	"thread stood at the end, and what the program printed.\n"
	"\n"
	"  simul show queue_test-1.simul\n"
	"  simul show --json queue_test-1.simul | jq .schedule\n"
	"\n"
	"  --all                  every step; long schedules are shortened otherwise\n"
	"  --json                 one JSON object\n"
	"  --width N              columns to use (default: those of the terminal)\n";

static const char doctor[] =
	"simul doctor [OPTION...] [--] PROGRAM [ARGUMENT...]\n"
	"\n"
	"Tells what simul sees of PROGRAM: library calls, memory accesses (by patching its\n"
	"code, or by what -fsanitize=thread compiled in), which functions are covered, what\n"
	"is missed, and what would help. PROGRAM is loaded, but its main is not run.\n"
	"\n"
	"  simul doctor ./queue_test\n"
	"  simul doctor --patch 'libz.so*' --all ./queue_test\n"
	"\n"
	"  --patch PATTERN        as for run: libraries to patch, too (several times)\n"
	"  --all                  every function that is not covered, not only the first 10\n"
	"  --json FILE            the same for programs; '-' is standard output\n"
	"\n"
	"Exit status: 0 simul can run PROGRAM; 2 it cannot, and the message says why.\n";

const char *help_text(const char *command)
{
	if (!command || !strcmp(command, "help"))
		return general;
	if (!strcmp(command, "run"))
		return run;
	if (!strcmp(command, "replay"))
		return replay;
	if (!strcmp(command, "show"))
		return show;
	if (!strcmp(command, "doctor"))
		return doctor;
	return NULL;
}
