#include "cli/target/target.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/base/interrupt.h"
#include "cli/base/limits.h"
#include "cli/target/inherited.h"
#include "base/session.h"
#include "cli/target/library_version.h"
#include "cli/target/place.h"
#include "cli/target/sanitizer.h"
#include "cli/base/say.h"
#include "cli/target/target_check.h"
#include "recorder/symbols/symbols.h"
#include "base/xalloc.h"

#define ABOVE_ALL (SANITIZER_FD + SANITIZER_STANDINS) /* no descriptor of the program gets this number when it starts */

/* ---- finding ---- */

static char *absolute(const char *path)
{
	char cwd[PATH_MAX];

	if (path[0] == '/' || !getcwd(cwd, sizeof(cwd)))
		return xstrdup(path);
	if (!strncmp(path, "./", 2))
		path += 2;
	return xasprintf("%s/%s", cwd, path);
}

/* Finds a program like execvp: the first executable file of that name in PATH, or else one that is not executable. NULL: there is none. */
static char *search_path(const char *name)
{
	const char *path = getenv("PATH"), *end;
	char *shadow = NULL;

	if (!path)
		path = "/usr/local/bin:/bin:/usr/bin";
	for (;; path = end + 1) {
		size_t n;
		char *candidate;

		end = strchrnul(path, ':');
		n = (size_t)(end - path);
		candidate = n ? xasprintf("%.*s/%s", (int)n, path, name) : xstrdup(name);
		if (!access(candidate, X_OK)) {
			free(shadow);
			return candidate;
		}
		if (!shadow && !access(candidate, F_OK))
			shadow = candidate;
		else
			free(candidate);
		if (!*end)
			return shadow;
	}
}

static bool library_at(char **value, const char *fmt, const char *dir)
{
	char *path = xasprintf(fmt, dir), *real = realpath(path, NULL);

	free(path);
	if (!real || access(real, R_OK)) {
		free(real);
		return false;
	}
	*value = real;
	return true;
}

/* Returns whether the library understands the sessions of this simul. */
static bool right_version(const char *library, char *why, size_t size)
{
	uint32_t version = library_version(library);

	if (version == SESSION_VERSION)
		return true;
	if (version)
		text_set(why, size,
			"%s is of another version than this simul (session %u, not %u); build or install both again",
			library, version, SESSION_VERSION);
	else
		text_set(why, size,
			"%s does not say its version, so it is older than this simul (session %u); build or "
			"install both again",
			library, SESSION_VERSION);
	return false;
}

/* Finds libsimul.so: next to simul (in the build directory), or in ../lib/simul (installed). */
bool target_library(struct target *t, char *why, size_t size)
{
	char dir[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", dir, sizeof(dir) - 1);

	if (n <= 0) {
		text_set(why, size, "libsimul.so cannot be found: /proc/self/exe: %s; is /proc mounted?", strerror(errno));
		return false;
	}
	dir[n] = 0;
	if (strrchr(dir, '/'))
		*strrchr(dir, '/') = 0;
	if (library_at(&t->library, "%s/libsimul.so", dir) ||
		library_at(&t->library, "%s/../lib/simul/libsimul.so", dir)) {
		if (right_version(t->library, why, size))
			return true;
		free(t->library);
		t->library = NULL;
		return false;
	}
	text_set(why, size, "libsimul.so is neither in %s nor in %s/../lib/simul; build or install simul again",
		dir, dir);
	return false;
}

static bool open_file(struct target *t, const char *path, char **argv, char **env, bool plain, char *why, size_t size)
{
	struct target_question question = {.shown = path, .env = env, .plain = plain};
	struct target_answer answer;

	memset(t, 0, sizeof(*t));
	t->argv = argv;
	t->env = env;
	t->inherited = inherited_list();
	question.path = t->path = absolute(path);
	if (!target_library(t, why, size)) {
		target_close(t);
		return false;
	}
	question.library = t->library;
	if (!target_check(&question, &answer, why, size)) {
		free(answer.first);
		target_close(t);
		return false;
	}
	t->script = answer.script;
	t->first = answer.first;
	t->standins = answer.standins;
	t->sanitized = answer.sanitized;
	t->build_id = t->script ? xstrdup("") : elf_build_id(t->path);
	if (t->build_id)
		return true;
	text_set(why, size, "%s cannot be read: %s", path, strerror(errno));
	target_close(t);
	return false;
}

bool target_open_path(struct target *t, const char *path, char **argv, char **env, char *why, size_t size)
{
	return open_file(t, path, argv, env, false, why, size);
}

static bool open_named(struct target *t, char **argv, char **env, bool plain, char *why, size_t size)
{
	char *found;
	bool ok;

	memset(t, 0, sizeof(*t));
	if (!argv[0][0]) {
		text_set(why, size, "the program name is empty");
		return false;
	}
	found = strchr(argv[0], '/') ? xstrdup(argv[0]) : search_path(argv[0]);
	if (!found) {
		text_set(why, size, "%s: no such program in PATH%s%s%s", argv[0],
			access(argv[0], F_OK) ? "" : "; did you mean ./",
			access(argv[0], F_OK) ? "" : argv[0], access(argv[0], F_OK) ? "" : "?");
		return false;
	}
	ok = open_file(t, found, argv, env, plain, why, size);
	free(found);
	return ok;
}

bool target_open(struct target *t, char **argv, char **env, char *why, size_t size)
{
	return open_named(t, argv, env, false, why, size);
}

bool target_open_plain(struct target *t, char **argv, char **env, char *why, size_t size)
{
	return open_named(t, argv, env, true, why, size);
}

void target_close(struct target *t)
{
	free(t->path);
	free(t->cwd);
	free(t->library);
	free(t->first);
	free(t->build_id);
	free(t->inherited);
	memset(t, 0, sizeof(*t));
}

/* ---- starting ---- */

/* Builds the program's environment. LD_PRELOAD is split at blanks and colons. If the library's path contains one, or the environment would
   exceed the wanted size, the libraries are named by descriptors (/proc/self/fd/N): such names are short and contain neither. */
static char **build_env(const struct target *t, bool *by_fd)
{
	for (*by_fd = strpbrk(t->library, " :") != NULL;; *by_fd = true) {
		char *preload = *by_fd ? sanitizer_preload_by_fd(t->first, SANITIZER_FD, t->standins)
				       : sanitizer_preload(t->first, t->library, t->standins);
		char **env = environment_build(t->env, t->spare, preload, t->size);

		free(preload);
		if (*by_fd || !t->size.entries || environment_size(env).bytes <= t->size.bytes)
			return env;
		environment_free(env);
	}
}

struct environment_size target_environment(const struct target *t)
{
	bool by_fd;
	char **env = build_env(t, &by_fd);
	struct environment_size size = environment_size(env);

	environment_free(env);
	return size;
}

/* The child's message on the status pipe before it executes the program; end of file means that execve succeeded. */
struct spawn_note {
	int error;
	char step[24]; /* what failed */
};

static _Noreturn void child_fails(int fd, const char *step)
{
	struct spawn_note n = {.error = errno};
	ssize_t written;

	snprintf(n.step, sizeof(n.step), "%s", step);
	written = write(fd, &n, sizeof(n));
	_exit(written == sizeof(n) ? 127 : 126);
}

struct spawn_plan {
	const struct target *target;
	const struct segment *seg;
	const struct capture *capture;
	char **env;
	int go[2], status[2];
	pid_t parent;
	bool library_by_fd;
	bool place; /* memory must be placed at fixed addresses */
	bool died_of_place;
};

/* Duplicates fd to the number `to`. EBADF means that the limit on open files is below that number. */
static bool number(int fd, int to)
{
	if (dup2(fd, to) >= 0)
		return true;
	errno = errno == EBADF ? EMFILE : errno;
	return false;
}

/* Installs the descriptors of the program. Returns the failed step, with errno; NULL: none. */
static const char *take_descriptors(const struct spawn_plan *p)
{
	if (!capture_install(p->capture))
		return "standard streams";
	if (!number(p->seg->fd, ENVIRONMENT_SESSION_FD))
		return "session descriptor";
	if (p->seg->common_fd >= 0 && !number(p->seg->common_fd, ENVIRONMENT_COMMON_FD))
		return "descriptor of what workers share";
	/* all stand-ins: a program that this one executes later may need others */
	if (p->library_by_fd && !sanitizer_open(SANITIZER_FD, p->target->library, SANITIZER_ALL))
		return "library descriptor";
	/* last, since descriptors above may have these numbers */
	if (!inherited_make(p->target->inherited))
		return "/dev/null";
	return NULL;
}

/* Sets the stack limit, on which memory addresses depend. Errors are ignored: the program may still work. */
static void set_stack_limit(uint64_t bytes)
{
	struct rlimit r;

	if (!bytes || getrlimit(RLIMIT_STACK, &r))
		return;
	r.rlim_cur = bytes;
	setrlimit(RLIMIT_STACK, &r);
}

/* Disables randomisation, for the memory that place.c does not move, and for all memory if moving is forbidden. Disabling may be forbidden
   too; libsimul.so checks the result. */
static void switch_randomisation_off(void)
{
	int old = personality(0xffffffff);

	if (old >= 0)
		personality((unsigned long)old | ADDR_NO_RANDOMIZE);
}

/* Turns the calling process into the program. Returns what failed, with errno. */
static const char *become(const struct spawn_plan *p)
{
	struct session_control *ctl = p->place ? &p->seg->session->ctl : NULL;
	const char *failed;

	switch_randomisation_off();
	set_stack_limit(p->target->stack_limit);
	if (p->target->cwd && chdir(p->target->cwd))
		return p->target->cwd;
	failed = take_descriptors(p);
	if (failed)
		return failed;
	if (ctl)
		shared_store(&ctl->handshake.exec_stops, place_ask(&ctl->handshake.stack_limit));
	execve(p->target->path, p->target->argv, p->env);
	return "execve";
}

static _Noreturn void child(const struct spawn_plan *p)
{
	const char *failed;
	char byte;
	int status;

	interrupt_reset_child();
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	close(p->go[1]);
	if (getppid() != p->parent || read(p->go[0], &byte, 1) != 1)
		_exit(127);
	status = fcntl(p->status[1], F_DUPFD_CLOEXEC, ABOVE_ALL); /* a descriptor of the program may get its number */
	failed = become(p);
	child_fails(status < 0 ? p->status[1] : status, failed);
}

/* Reads the child's note. Returns whether the child has executed the program. */
static bool await_exec(struct spawn_plan *p, char *why, size_t size)
{
	struct spawn_note n;
	ssize_t r;

	while ((r = read(p->status[0], &n, sizeof(n))) < 0 && errno == EINTR)
		;
	if (!r)
		return true;
	n.step[sizeof(n.step) - 1] = 0;
	text_set(why, size, "cannot start %s: %s%s%s%s", p->target->path,
		strcmp(n.step, "execve") ? n.step : "", strcmp(n.step, "execve") ? ": " : "",
		r == sizeof(n) ? strerror(n.error) : "the child process died", r == sizeof(n) ? limit_hint(n.error) : "");
	if (p->target->script && n.error == ENOENT)
		text_add(why, size, " (the interpreter named in its first line does not exist)");
	return false;
}

/* Waits until the process stops at the exec, and delivers its signals meanwhile. false: it has ended. */
static bool await_exec_stop(pid_t pid)
{
	int status;

	for (;;) {
		while (waitpid(pid, &status, __WALL) < 0)
			if (errno != EINTR)
				return false;
		if (!WIFSTOPPED(status))
			return false;
		if (WSTOPSIG(status) == SIGTRAP)
			return true;
		ptrace(PTRACE_CONT, pid, 0, (long)WSTOPSIG(status));
	}
}

/* Places the memory of a process that has stopped at an exec. false: it is dead, and not reaped. */
static bool place(const struct segment *seg, pid_t pid)
{
	struct session_control *ctl = &seg->session->ctl;
	uint64_t stack_limit = ctl->handshake.stack_limit;

	shared_store(&ctl->handshake.exec_stops, 0);
	ctl->handshake.stack_limit = 0;
	return place_at_exec(pid, stack_limit, ctl->requests.unplaced, sizeof(ctl->requests.unplaced)) != PLACED_BROKEN;
}

void target_stopped(const struct segment *seg, pid_t pid, int status)
{
	bool expected = shared_load(&seg->session->ctl.handshake.exec_stops);
	int sig = WSTOPSIG(status);

	if (sig == SIGTRAP && expected)
		place(seg, pid);
	else if (expected) /* a signal that arrived before the exec */
		ptrace(PTRACE_CONT, pid, 0, (long)sig);
	else /* the exec failed */
		ptrace(PTRACE_DETACH, pid, 0, (long)(sig == SIGTRAP ? 0 : sig));
}

static void discard(pid_t pid)
{
	kill(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

/* Continues a process that has executed the program. false: it died while its memory was moved. */
static bool let_go(const struct spawn_plan *p, pid_t pid)
{
	struct session_control *ctl = &p->seg->session->ctl;

	if (!shared_load(&ctl->handshake.exec_stops)) {
		text_set(ctl->requests.unplaced, sizeof(ctl->requests.unplaced), "%s",
			p->place ? "processes may not trace their children (ptrace)" : "moving it failed");
		return true;
	}
	return await_exec_stop(pid) && place(p->seg, pid);
}

static pid_t spawn(struct spawn_plan *p, char *why, size_t size)
{
	pid_t pid = fork();

	if (pid == 0)
		child(p);
	close(p->status[1]);
	p->status[1] = -1;
	if (pid < 0) {
		text_set(why, size, "cannot start a process: %s%s", strerror(errno), limit_hint(errno));
		return -1;
	}
	setpgid(pid, pid);
	p->seg->session->ctl.requests.supervisor = p->parent;
	p->seg->session->ctl.requests.main_pid = pid;
	if (write(p->go[1], "g", 1) == 1 && await_exec(p, why, size)) {
		if (let_go(p, pid))
			return pid;
		text_set(why, size, "cannot start %s: it died before its first instruction", p->target->path);
		p->died_of_place = p->place;
	}
	discard(pid);
	return -1;
}

void target_become(const struct target *t, const struct segment *seg, const struct capture *c)
{
	struct spawn_plan p = {.target = t, .seg = seg, .capture = c};
	const char *failed;

	p.env = build_env(t, &p.library_by_fd);
	fflush(NULL);
	interrupt_reset_child();
	place_lower_stack_limit();
	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0); /* for gdb_place, which is a sibling of this process */
	failed = become(&p);
	say("cannot start %s: %s: %s", t->path, failed, strerror(errno));
	environment_free(p.env);
}

static pid_t spawn_with_pipes(struct spawn_plan *p, char *why, size_t size)
{
	pid_t pid;

	if (pipe2(p->go, O_CLOEXEC)) {
		text_set(why, size, "cannot create a pipe: %s%s", strerror(errno), limit_hint(errno));
		return -1;
	}
	if (pipe2(p->status, O_CLOEXEC)) {
		text_set(why, size, "cannot create a pipe: %s%s", strerror(errno), limit_hint(errno));
		close(p->go[0]);
		close(p->go[1]);
		return -1;
	}
	fflush(NULL);
	pid = spawn(p, why, size);
	close(p->go[0]);
	close(p->go[1]);
	close(p->status[0]);
	if (p->status[1] >= 0)
		close(p->status[1]);
	return pid;
}

pid_t target_spawn(const struct target *t, const struct segment *seg, const struct capture *c, char *why, size_t size)
{
	struct spawn_plan p = {.target = t, .seg = seg, .capture = c, .parent = getpid(), .place = true};
	pid_t pid;

	p.env = build_env(t, &p.library_by_fd);
	pid = spawn_with_pipes(&p, why, size);
	if (pid < 0 && p.died_of_place) {
		p.place = false;
		pid = spawn_with_pipes(&p, why, size);
	}
	environment_free(p.env);
	return pid;
}
