#include "cli/supervise/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "cli/base/interrupt.h"
#include "cli/base/limits.h"
#include "cli/base/say.h"
#include "cli/supervise/watchdog.h"

#define TEXT_MOST ((size_t)64 << 10)
#define RESULT_MOST ((size_t)64 << 20) /* one JSON object */
#define GRACE_NS UINT64_C(20000000000) /* time for simul to end after SIGTERM */

/* ---- its output ---- */

/* Appends data. Drops the older half when the limit is exceeded. */
static void keep(struct process_text *t, const char *data, size_t n)
{
	if (t->size + n > t->most) {
		size_t gone = t->size - t->most / 2 < t->size ? t->size - t->most / 2 : t->size;

		memmove(t->text, t->text + gone, t->size - gone);
		t->size -= gone;
	}
	t->text = xgrow_text(t->text, t->size, n + 1);
	for (size_t i = 0; i < n; i++)
		t->text[t->size + i] = data[i] ? data[i] : ' ';
	t->size += n;
	t->text[t->size] = 0;
}

/* Reads what is available, but not endlessly, so that a process that keeps writing does not delay the others. */
static void drain(struct process_text *t)
{
	char buf[16384];
	ssize_t n;

	for (int i = 0; i < 64 && t->fd >= 0; i++) {
		n = read(t->fd, buf, sizeof(buf));
		if (n < 0)
			return;
		if (n > 0) {
			keep(t, buf, (size_t)n);
			continue;
		}
		close(t->fd); /* otherwise poll would report the end again and again */
		t->fd = -1;
	}
}

/* ---- starting ---- */

struct start {
	const struct process_plan *plan;
	int out, err, report;
	pid_t parent;
};

enum start_step { STEP_SETUP, STEP_CWD, STEP_EXEC };

static void child_fails(const struct start *s, enum start_step step)
{
	int said[2] = {(int)step, errno};

	if (write(s->report, said, sizeof(said)) < 0)
		_exit(126);
	_exit(127);
}

/* Makes reports of ThreadSanitizer leave the exit status. Of several values of an option the last one counts. */
static void ignore_reports(void)
{
	const char *options = getenv("TSAN_OPTIONS");
	char *more = xasprintf("%s%sexitcode=0", options ? options : "", options && *options ? ":" : "");

	setenv("TSAN_OPTIONS", more, 1);
	free(more);
}

static void child(const struct start *s)
{
	int null = open("/dev/null", O_RDONLY);
	sigset_t none;

	interrupt_reset_child();
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setsid();
	prctl(PR_SET_PDEATHSIG, s->plan->is_simul ? SIGTERM : SIGKILL);
	if (getppid() != s->parent)
		_exit(126);
	if (null < 0 || dup2(null, 0) < 0 || dup2(s->out, 1) < 0 || dup2(s->err, 2) < 0)
		child_fails(s, STEP_SETUP);
	if (s->plan->cwd && chdir(s->plan->cwd))
		child_fails(s, STEP_CWD);
	for (char *const *e = s->plan->env; e && *e; e++)
		putenv(*e);
	if (s->plan->own_status)
		ignore_reports();
	execvp(s->plan->argv[0], s->plan->argv);
	child_fails(s, STEP_EXEC);
}

static bool make_pipe(int fd[2])
{
	return pipe2(fd, O_CLOEXEC) == 0 && fcntl(fd[0], F_SETFL, O_NONBLOCK) == 0;
}

static void close_all(int *fd, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (fd[i] >= 0)
			close(fd[i]);
}

/* Waits for the exec of the child, which closes the pipe, or for its error. Returns 0, or the errno of the failed step. */
static int started(struct process *p, int fd[6], const char **step)
{
	static const char *const steps[] = {"", "its working directory", ""};
	int said[2];
	ssize_t n;

	close(fd[1]);
	close(fd[3]);
	close(fd[5]);
	fcntl(fd[4], F_SETFL, 0);
	do
		n = read(fd[4], said, sizeof(said));
	while (n < 0 && errno == EINTR);
	if (n == (ssize_t)sizeof(said)) {
		waitpid(p->pid, NULL, 0);
		close_all((int[]){fd[0], fd[2], fd[4]}, 3);
		memset(p, 0, sizeof(*p));
		*step = steps[said[0]];
		return said[1];
	}
	close(fd[4]);
	p->out.fd = fd[0];
	p->err.fd = fd[2];
	p->pidfd = pidfd_open(p->pid, 0);
	return 0;
}

int process_start(struct process *p, const struct process_plan *plan, const char **step)
{
	int fd[6] = {-1, -1, -1, -1, -1, -1}, error;
	struct start s = {.plan = plan, .parent = getpid()};
	bool whole = plan->is_simul || plan->whole;

	memset(p, 0, sizeof(*p));
	*step = "";
	if (!make_pipe(fd) || (whole && !make_pipe(fd + 2)) || !make_pipe(fd + 4)) {
		error = errno;
		close_all(fd, 6);
		return error;
	}
	s.out = fd[1];
	s.err = whole ? fd[3] : fd[1];
	s.report = fd[5];
	p->is_simul = plan->is_simul;
	p->started_ns = wall_clock_ns();
	p->limit_ns = plan->limit_ns;
	p->leaves = plan->leaves;
	p->out.most = whole || plan->searched ? RESULT_MOST : TEXT_MOST;
	p->err.most = TEXT_MOST;
	p->pid = fork();
	if (p->pid == 0)
		child(&s);
	if (p->pid < 0) {
		error = errno;
		close_all(fd, 6);
		memset(p, 0, sizeof(*p));
		return error;
	}
	return started(p, fd, step);
}

/* ---- watching and ending ---- */

void process_kill(struct process *p)
{
	if (!p->pid)
		return;
	p->killed = true;
	kill(-p->pid, SIGKILL);
	kill(p->pid, SIGKILL);
}

void process_stop(struct process *p)
{
	if (!p->pid || p->stopped_ns)
		return;
	p->stopped_ns = wall_clock_ns();
	if (p->is_simul)
		kill(p->pid, SIGTERM); /* background jobs of a script ignore SIGINT */
	else
		process_kill(p);
}

bool process_look(struct process *p)
{
	uint64_t now = wall_clock_ns();
	pid_t pid = p->pid;

	drain(&p->out);
	drain(&p->err);
	if (waitpid(pid, &p->status, WNOHANG) == pid) {
		if (!p->leaves)
			kill(-pid, SIGKILL);
		drain(&p->out);
		drain(&p->err);
		p->pid = 0;
		return true;
	}
	if (p->limit_ns && now - p->started_ns > p->limit_ns && !p->stopped_ns) {
		p->timed_out = true;
		process_stop(p);
	}
	if (p->stopped_ns && now - p->stopped_ns > GRACE_NS)
		process_kill(p);
	return false;
}

void process_free(struct process *p)
{
	if (p->pid) {
		process_kill(p);
		waitpid(p->pid, &p->status, 0);
	}
	if (p->out.most)
		close_all((int[]){p->out.fd, p->err.fd, p->pidfd}, 3);
	free(p->out.text);
	free(p->err.text);
	memset(p, 0, sizeof(*p));
}

char *process_why(const struct process_plan *plan, int error, const char *step)
{
	if (error == ENOENT && !*step && !access(plan->argv[0], X_OK))
		return xasprintf("%s cannot be started: its interpreter (named in its first line or ELF header) does not exist", plan->argv[0]);
	return xasprintf("%s cannot be started: %s%s%s%s", plan->argv[0], step, *step ? ": " : "", strerror(error), limit_hint(error));
}

bool process_run(struct process *p, const struct process_plan *plan, char *why, size_t size)
{
	const char *step;
	int error = process_start(p, plan, &step);

	if (error) {
		char *text = process_why(plan, error, step);

		text_set(why, size, "%s", text);
		free(text);
		return false;
	}
	while (!process_look(p)) {
		struct pollfd fds[3] = {{p->pidfd, POLLIN, 0}, {p->out.fd, POLLIN, 0}, {p->err.fd, POLLIN, 0}};

		if (interrupt_count() > plan->patience)
			process_stop(p);
		poll(fds, 3, 100);
	}
	if (p->timed_out)
		text_set(why, size, "%s did not finish within %.0f s", plan->argv[0], (double)plan->limit_ns / 1e9);
	else if (interrupt_count() > plan->patience)
		text_set(why, size, "interrupted");
	return !p->timed_out && interrupt_count() <= plan->patience;
}

void process_describe(const struct process *p, char *buf, size_t size)
{
	if (WIFSIGNALED(p->status))
		text_set(buf, size, "killed by signal %d (%s)", WTERMSIG(p->status), strsignal(WTERMSIG(p->status)));
	else
		text_set(buf, size, "exit status %d", WEXITSTATUS(p->status));
}
