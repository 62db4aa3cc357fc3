#include "cli/nightly/stress/pool.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "cli/base/interrupt.h"
#include "cli/base/say.h"
#include "cli/nightly/stress/show.h"
#include "cli/supervise/watchdog.h"

#define LOOK_MS 200

struct seat {
	struct stress_test *test; /* NULL: idle */
	struct process process;
};

struct pool {
	struct stress *s;
	const struct pool_ops *ops;
	struct stress_test **list;
	size_t n, next;
	struct seat *seat;
	unsigned busy;
};

static void leave(struct pool *p, struct seat *w)
{
	if (p->ops->left)
		p->ops->left(p->s, w->test);
	w->test = NULL;
	p->busy--;
}

/* Returns the number of tests that wait for a seat. */
static size_t waiting(const struct pool *p)
{
	return p->ops->waiting ? p->ops->waiting(p->s) : p->n - p->next;
}

/* Returns the share of the processors (--jobs) for the test of w. Running and waiting tests share them; the first ones get the remainder. */
static unsigned processors_for(const struct pool *p, const struct seat *w)
{
	size_t tests = w->test->listed.serial ? 1 : p->busy + waiting(p);
	unsigned jobs = p->s->opt.jobs, n = (unsigned)(jobs / tests) + ((size_t)(w - p->seat) < jobs % tests);

	return n ? n : 1;
}

/* Starts the next process for the test of w, if there is one. */
static void go_on(struct pool *p, struct seat *w)
{
	struct process_plan plan = {.env = w->test->listed.env, .cwd = w->test->listed.cwd, .processors = processors_for(p, w)};
	const char *step;
	int error;

	if (interrupt_count() || !stress_left_ns(p->s) || !p->ops->next(p->s, w->test, waiting(p), &plan)) {
		leave(p, w);
		return;
	}
	error = process_start(&w->process, &plan, &step);
	if (error) {
		stress_settle(w->test, STRESS_UNUSABLE, process_why(&plan, error, step));
		leave(p, w);
	}
}

/* Returns whether another test may run beside the running ones, apart from what that test itself says. */
static bool has_seat(const struct pool *p)
{
	if (p->busy >= p->s->opt.jobs || interrupt_count() || !stress_left_ns(p->s))
		return false;
	for (unsigned i = 0; i < p->s->opt.jobs; i++)
		if (p->seat[i].test && p->seat[i].test->listed.serial)
			return false;
	return true;
}

/* Returns the next test that may run now; NULL: there is none. */
static struct stress_test *take(struct pool *p)
{
	if (!has_seat(p))
		return NULL;
	if (p->ops->take)
		return p->ops->take(p->s, !p->busy);
	return p->next < p->n && (!p->busy || !p->list[p->next]->listed.serial) ? p->list[p->next++] : NULL;
}

static void fill(struct pool *p)
{
	struct stress_test *t;

	while ((t = take(p))) {
		struct seat *w = p->seat;

		while (w->test)
			w++;
		w->test = t;
		p->busy++;
		go_on(p, w);
	}
}

static void look(struct pool *p, struct seat *w)
{
	bool over;

	if (interrupt_count())
		process_stop(&w->process);
	if (interrupt_count() > 1)
		process_kill(&w->process);
	over = process_look(&w->process);
	if (!over)
		return;
	w->test->spent_ns += wall_clock_ns() - w->process.started_ns;
	p->ops->ended(p->s, w->test, &w->process);
	process_free(&w->process);
	go_on(p, w);
}

static void wait_for_news(const struct pool *p)
{
	struct pollfd *fds = xcalloc(3 * p->busy + 1, sizeof(*fds));
	pid_t *pids = xcalloc(p->busy + 1, sizeof(*pids));
	nfds_t n = 0;
	size_t k = 0;

	for (unsigned i = 0; i < p->s->opt.jobs; i++) {
		const struct process *q = &p->seat[i].process;

		if (!p->seat[i].test)
			continue;
		pids[k++] = q->pid;
		fds[n++] = (struct pollfd){q->pidfd, POLLIN, 0};
		fds[n++] = (struct pollfd){q->out.fd, POLLIN, 0};
		fds[n++] = (struct pollfd){q->err.fd, POLLIN, 0};
	}
	poll(fds, n, LOOK_MS);
	children_reap_strays(&p->s->before, pids, k);
	free(fds);
	free(pids);
}

static void show(const struct pool *p)
{
	const struct stress_test *running[4];
	size_t n = 0;

	for (unsigned i = 0; i < p->s->opt.jobs && n < 4; i++)
		if (p->seat[i].test)
			running[n++] = p->seat[i].test;
	show_progress(p->s, n ? p->ops->doing : "waiting for tests that other machines have", running, n);
}

static void run(struct pool *p)
{
	p->seat = xcalloc(p->s->opt.jobs, sizeof(*p->seat));
	for (;;) {
		bool more = p->ops->goes_on && p->ops->goes_on(p->s);

		fill(p);
		if (!p->busy && !more)
			break;
		show(p);
		wait_for_news(p);
		for (unsigned i = 0; i < p->s->opt.jobs; i++)
			if (p->seat[i].test)
				look(p, &p->seat[i]);
	}
	free(p->seat);
}

void pool_run(struct stress *s, struct stress_test **list, size_t n, const struct pool_ops *ops)
{
	struct pool p = {.s = s, .ops = ops, .list = list, .n = n};

	run(&p);
}

void pool_run_shared(struct stress *s, const struct pool_ops *ops)
{
	struct pool p = {.s = s, .ops = ops};

	run(&p);
}
