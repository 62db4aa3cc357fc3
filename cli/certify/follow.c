/* Watches the certificate of a running program. See follow.h. */
#include "cli/certify/follow.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "cli/base/say.h"
#include "cli/options/run_options.h"
#include "enforce/relax.h"

#define TICK_MS 4
#define WAKES 8             /* number of ticks after a change in which waiting threads are woken again, since one may have been about to sleep */
#define FIRST_EXECUTIONS 64 /* least number of executions of the first search */
#define GRACE_MS 2000       /* time that the search has to write its certificate after the program has ended */

struct following {
	const struct follow *f;
	struct plan *plan;
	struct stat seen;       /* the certificate file as last read */
	struct stat own;        /* the file at the start, or as the search has replaced it */
	uint32_t least;         /* number of events that it certifies */
	unsigned wakes;         /* ticks in which waiters are still to be woken */
	bool refused;           /* a certificate could not be applied, and a message said so */
	char *next;             /* file that the search writes */
	pid_t search;           /* process of the search; 0: none runs */
	uint64_t executions;    /* number of executions of that search */
	bool done;              /* no further search can remove constraints */
	int program;            /* pidfd of the program */
};

/* ---- applying a certificate ---- */

static struct certificate *read_one(const char *path)
{
	char text[1024];

	return certificate_read(path, text, sizeof(text));
}

static void take_up(struct following *x, const struct certificate *newer)
{
	const char *why = "";

	if (!relax_allowed(x->f->c, newer, &why)) {
		if (!x->refused)
			say("note: the running program cannot use the new version of %s: %s", x->f->path, why);
		x->refused = true;
		return;
	}
	if (newer->certified >= __atomic_load_n(&x->plan->certified, __ATOMIC_ACQUIRE))
		return;
	relax_plan(x->plan, newer->certified);
	x->wakes = WAKES;
}

static bool same_file(const struct stat *a, const struct stat *b)
{
	return a->st_ino == b->st_ino && a->st_size == b->st_size && a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
	       a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* Applies the file if it has changed. A file that cannot be read now is tried again when it changes. */
static void look_at_file(struct following *x)
{
	struct certificate *c;
	struct stat st;

	if (stat(x->f->path, &st) || same_file(&st, &x->seen))
		return;
	x->seen = st;
	c = read_one(x->f->path);
	if (c)
		take_up(x, c);
	certificate_free(c);
}

/* ---- the search ---- */

/* Makes descriptor 0 the program's input, with a separate offset. */
static bool own_input(const struct capture *input)
{
	char path[64] = "/dev/null";
	int fd;

	if (input->in_fd >= 0)
		snprintf(path, sizeof(path), "/proc/self/fd/%d", input->in_fd);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd >= 0 && dup2(fd, STDIN_FILENO) == STDIN_FILENO &&
	       (input->in_fd < 0 || lseek(STDIN_FILENO, (off_t)input->in_offset, SEEK_SET) >= 0);
}

static void be_search(const struct following *x)
{
	const struct certificate *c = x->f->c;
	char executions[32], value[SETTINGS][64], name[SETTINGS][64], folder[4096];
	const char *slash = strrchr(x->next, '/');
	size_t n = 0, k = 0;
	char **args;

	while (x->f->target->argv[n])
		n++;
	args = xcalloc(n + 2 * SETTINGS + 32, sizeof(*args));
	snprintf(executions, sizeof(executions), "%" PRIu64, x->executions);
	snprintf(folder, sizeof(folder), "%.*s", slash ? (int)(slash - x->next) + 1 : 1, slash ? x->next : ".");
	char *const options[] = {"simul", "certify", "-q", "--no-minimize", "--output", folder, "--strategy",
		c->strategy, "--jobs", "1", "--executions", executions, "-o", x->next};

	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++)
		args[k++] = options[i];
	for (unsigned i = 0; i < SETTINGS; i++)
		if (settings_table[i].certificate == CERTIFICATE_SAME) {
			snprintf(name[i], sizeof(name[i]), "--%s", run_option_of(&settings_table[i]));
			setting_text(&c->settings, &settings_table[i], value[i], sizeof(value[i]));
			args[k++] = name[i];
			args[k++] = value[i];
		}
	if (!c->freed_waits)
		args[k++] = "--no-memory-check";
	if (c->fail_on_race)
		args[k++] = "--fail-on-race";
	if (c->robustness)
		args[k++] = "--robustness";
	if (c->from) {
		args[k++] = "--from";
		args[k++] = c->from;
	}
	args[k++] = "--";
	for (size_t i = 0; i < n; i++)
		args[k++] = x->f->target->argv[i];
	if (!own_input(x->f->input))
		_exit(EXIT_FAILURE);
	dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDOUT_FILENO);
	dup2(STDOUT_FILENO, STDERR_FILENO);
	setpriority(PRIO_PROCESS, 0, 10);
	prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0); /* no search outlives the process that would use its result */
	execv("/proc/self/exe", args);
	_exit(EXIT_FAILURE);
}

static void start_search(struct following *x)
{
	x->search = fork();
	if (!x->search)
		be_search(x);
	if (x->search < 0)
		x->search = 0;
	x->done |= !x->search;
}

/* Uses the certificate of a search that has ended, if it wrote one and the running program can take it up. If another process has replaced the
   file, it is left alone. */
static void use_result(struct following *x)
{
	struct certificate *c = read_one(x->next);
	struct stat st;
	bool replaced, usable;
	const char *why = "";

	if (!c) {
		x->done = true;
		return;
	}
	replaced = stat(x->f->path, &st) || !same_file(&st, &x->own);
	usable = relax_allowed(x->f->c, c, &why);
	if (!usable && !replaced && !x->refused)
		say("note: the search beside the running program ended: it made a certificate that this program cannot use, and %s stays as it is: %s",
			x->f->path, why);
	x->done = !c->certified || c->frozen || replaced || !usable; /* a longer search differs in the same way */
	if (!replaced && usable && c->certified < x->least && !rename(x->next, x->f->path)) {
		x->least = c->certified;
		stat(x->f->path, &x->own);
		look_at_file(x);
	} else {
		unlink(x->next);
	}
	certificate_free(c);
}

static void look_at_search(struct following *x)
{
	int status;

	if (!x->f->search || (x->done && !x->search))
		return;
	if (x->search && waitpid(x->search, &status, WNOHANG) != x->search)
		return;
	if (x->search) {
		x->search = 0;
		use_result(x);
		x->executions *= 2;
	}
	if (!x->done)
		start_search(x);
}

/* Ends the search after the program has ended, and keeps its result so far in the file. */
static void end_search(struct following *x)
{
	int status;

	if (!x->search)
		return;
	kill(x->search, SIGTERM);
	for (int ms = 0; ms < GRACE_MS; ms += TICK_MS) {
		if (waitpid(x->search, &status, WNOHANG) == x->search) {
			use_result(x);
			return;
		}
		poll(NULL, 0, TICK_MS);
	}
	kill(x->search, SIGKILL);
	unlink(x->next);
}

/* ---- the process ---- */

static void follow(struct following *x)
{
	struct pollfd program = {.fd = x->program, .events = POLLIN};

	while (poll(&program, 1, TICK_MS) <= 0) {
		look_at_file(x);
		look_at_search(x);
		if (x->wakes) {
			x->wakes--;
			relax_wake(x->plan);
		}
	}
	close(STDERR_FILENO); /* otherwise a reader of the program's messages would wait for this process */
	end_search(x);
}

static void quiet_input(void)
{
	int fd = open("/dev/null", O_RDWR | O_CLOEXEC);

	dup2(fd, STDIN_FILENO);
	dup2(fd, STDOUT_FILENO);
}

bool follow_start(const struct follow *f)
{
	struct following x = {.f = f, .executions = f->c->executions < FIRST_EXECUTIONS / 2 ? FIRST_EXECUTIONS : 2 * f->c->executions};
	struct stat st;
	pid_t pid;
	int status = 0;

	x.least = f->c->certified;
	x.program = (int)syscall(SYS_pidfd_open, getpid(), 0);
	if (x.program < 0 || fstat(f->plan_fd, &st) || stat(f->path, &x.seen) ||
		(x.plan = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, f->plan_fd, 0)) == MAP_FAILED) {
		say("the certificate cannot be followed while the program runs: %s", strerror(errno));
		return false;
	}
	pid = fork();
	if (!pid) {
		/* the second process is an orphan at once: the program must not find a child that it did not create */
		pid = fork();
		if (pid)
			_exit(pid > 0 ? EXIT_SUCCESS : EXIT_FAILURE);
		x.own = x.seen;
		x.next = xasprintf("%s.next", f->path);
		quiet_input();
		follow(&x);
		_exit(EXIT_SUCCESS);
	}
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	munmap(x.plan, (size_t)st.st_size);
	close(x.program);
	if (pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS)
		return true;
	say("the certificate cannot be followed while the program runs: no more processes can be started");
	return false;
}
