#include "cli/replay/gdb.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/exit_codes.h"
#include "cli/base/child_processes.h"
#include "cli/replay/gdb_link.h"
#include "cli/base/interrupt.h"
#include "cli/base/limits.h"
#include "cli/target/place.h"
#include "cli/base/say.h"
#include "cli/supervise/watchdog.h"
#include "base/xalloc.h"

#define LINK_FD 210 /* its number in gdb and in the processes that gdb starts */
#define TICK_MS 100
#define LEAVE_NS UINT64_C(3000000000) /* for gdb to end after it was asked to */

/* The session of the process that gdb runs now. */
struct served {
	bool open;
	struct segment seg;
	struct capture capture;
};

static void discard(struct served *s)
{
	if (!s->open)
		return;
	rerun_discard(&s->seg);
	capture_close(&s->capture);
	s->open = false;
}

/* Serves a request for a session. gdb runs one process at a time, so the previous one has ended. */
static void serve(struct served *s, const struct rerun *r, int fd, pid_t pid)
{
	char why[SESSION_MESSAGE];

	discard(s);
	if (!capture_open_like(&s->capture, r->input)) {
		gdb_link_answer(fd, NULL, NULL, "cannot create a file for its output");
		return;
	}
	if (!rerun_segment(r, &s->seg, why, sizeof(why))) {
		capture_close(&s->capture);
		gdb_link_answer(fd, NULL, NULL, why);
		return;
	}
	s->open = true;
	s->seg.session->ctl.requests.main_pid = pid;
	gdb_link_answer(fd, &s->seg, &s->capture, NULL);
}

/* ---- gdb ---- */

/* Checks that an installed gdb supports the scripts. false: one message was printed. */
static bool find_gdb(void)
{
	static const char question[] = "gdb -nx -batch -ex "
		"'python print(\"has \" + str(hasattr(gdb, \"BreakpointLocation\")))' </dev/null 2>/dev/null";
	char answer[64] = "";
	FILE *f = popen(question, "re");
	int status;

	if (f && !fgets(answer, sizeof(answer), f))
		answer[0] = 0;
	status = f ? pclose(f) : -1;
	if (!strcmp(answer, "has True\n"))
		return true;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		say("replay: --gdb needs gdb, which is not installed (Debian: apt-get install gdb); without it: "
		    "simul replay --stop-at N FILE");
	else if (!strcmp(answer, "has False\n"))
		say("replay: --gdb needs gdb 13 or later, and this gdb is older; with any gdb: simul replay --stop-at N FILE");
	else
		say("replay: --gdb needs a gdb with Python, and this gdb has none or does not run; with any gdb: simul replay --stop-at N FILE");
	return false;
}

/* The scripts are installed beside libsimul.so. */
static char *script_path(const struct target *t)
{
	int dir = (int)(strrchr(t->library, '/') - t->library);

	return xasprintf("%.*s/gdb/simul.py", dir, t->library);
}

static void set_number(const char *name, uint32_t value)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", value);
	setenv(name, text, 1);
}

static _Noreturn void be_gdb(const struct recorded *rec, const char *script, uint32_t stop_at, const char *commands)
{
	char self[PATH_MAX], *file = realpath(rec->path, NULL);
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	/* Strings of the program are shown in ASCII: gdb writes U+202E and the like to the terminal otherwise. -iex comes before the user's
	   .gdbinit, which may choose otherwise. */
	/* -batch should suppress all questions, but gdb 13 still asks some, so confirmation is also switched off explicitly */
	char *argv[] = {"gdb", "-q", "-iex", "set charset ASCII", "-x", (char *)script, commands ? "-batch" : NULL, "-ex", "set confirm off", "-x", (char *)commands, NULL};

	self[n > 0 ? n : 0] = 0;
	interrupt_reset_child();
	setenv("SIMUL_GDB_COMMAND", self, 1);
	setenv("SIMUL_GDB_RECORDING", file ? file : rec->path, 1);
	setenv("SIMUL_GDB_PROGRAM", rec->target.path, 1);
	set_number("SIMUL_GDB_LINK", LINK_FD);
	set_number("SIMUL_GDB_STEP", stop_at);
	execvp("gdb", argv);
	say("cannot start gdb: %s", strerror(errno));
	_exit(127);
}

/* Ctrl-C is handled by gdb. Other requests to end are passed on to gdb. */
static void pass_on_signals(pid_t gdb, uint64_t *since)
{
	if (interrupt_signal() != SIGTERM && interrupt_signal() != SIGHUP)
		return;
	if (!*since) {
		*since = wall_clock_ns();
		kill(gdb, SIGTERM);
	} else if (wall_clock_ns() - *since > LEAVE_NS) {
		kill(gdb, SIGKILL);
	}
}

/* Serves gdb until it ends. Returns its wait status; -1: it cannot be waited for, and errno says why. */
static int look_after(pid_t gdb, const struct rerun *r, int fd)
{
	struct served served = {.open = false};
	uint64_t since = 0;
	int status = 0, lost = 0;
	pid_t ended;

	while ((ended = waitpid(gdb, &status, WNOHANG)) != gdb) {
		if (ended < 0 && errno != EINTR) {
			lost = errno;
			break;
		}
		pid_t pid = gdb_link_asked(fd, TICK_MS);

		if (pid > 0)
			serve(&served, r, fd, pid);
		pass_on_signals(gdb, &since);
	}
	discard(&served);
	errno = lost;
	return lost ? -1 : status;
}

int gdb_replay(const struct recorded *rec, uint32_t stop_at, const char *commands)
{
	struct rerun rerun = recorded_rerun(rec, 0);
	char *script = script_path(&rec->target);
	struct child_processes children;
	int end[2], status;
	pid_t gdb;

	if (access(script, R_OK)) {
		say("replay: %s is missing; build or install simul again", script);
		free(script);
		return SIMUL_EXIT_USAGE;
	}
	if (!find_gdb()) {
		free(script);
		return SIMUL_EXIT_USAGE;
	}
	if (!gdb_link_open(end)) {
		say("cannot create a connection to gdb: %s%s", strerror(errno), limit_hint(errno));
		free(script);
		return SIMUL_EXIT_USAGE;
	}
	rerun.stacks = true;
	rerun.config.debug = DEBUGGED_BY_GDB;
	rerun.config.isolation = ISOLATION_EXEC;
	rerun.config.settings.threads = THREADS_KERNEL;
	children_begin(&children);
	fflush(NULL);
	gdb = fork();
	if (gdb == 0) {
		dup2(end[1], LINK_FD); /* not close-on-exec */
		be_gdb(rec, script, stop_at, commands);
	}
	close(end[1]);
	free(script);
	status = gdb > 0 ? look_after(gdb, &rerun, end[0]) : 0;
	if (status == -1)
		say("cannot wait for gdb: %s", strerror(errno));
	close(end[0]);
	children_end(&children);
	if (status == -1)
		return SIMUL_EXIT_USAGE;
	if (gdb > 0 && WIFEXITED(status))
		return WEXITSTATUS(status);
	say("gdb %s", gdb < 0 ? "cannot be started: no more processes" : "was killed");
	return SIMUL_EXIT_USAGE;
}

/* ---- the process ---- */

int gdb_process(int argc, char **argv)
{
	struct recorded rec;
	struct segment seg;
	struct capture capture;
	char why[GDB_LINK_TEXT];
	int fd = argc > 2 ? atoi(argv[1]) : -1;

	if (fd < 0 || fcntl(fd, F_SETFD, FD_CLOEXEC)) {
		say("'" GDB_PROCESS_WORD "' is only for the gdb started by 'simul replay --gdb'");
		return SIMUL_EXIT_USAGE;
	}
	if (!recorded_read(&rec, argv[2], RECORDED_ENV) || !recorded_prepare(&rec))
		return SIMUL_EXIT_USAGE;
	if (gdb_link_ask(fd, &seg, &capture, why))
		target_become(&rec.target, &seg, &capture);
	else
		say("no process to debug: %s", why);
	return SIMUL_EXIT_USAGE;
}

/* ---- its memory addresses ---- */

int gdb_place(int argc, char **argv)
{
	pid_t pid = argc > 1 ? atoi(argv[1]) : 0;
	char why[SESSION_MESSAGE];

	if (pid <= 0) {
		say("'" GDB_PLACE_WORD "' is only for the gdb started by 'simul replay --gdb'");
		return SIMUL_EXIT_USAGE;
	}
	if (place_stopped(pid, why, sizeof(why)) == PLACED)
		return SIMUL_EXIT_OK;
	say("memory addresses may differ from the recording: %s", why);
	return SIMUL_EXIT_USAGE;
}
