#include "cli/stress/pool.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/interrupt.h"
#include "cli/base/say.h"
#include "cli/stress/show.h"
#include "cli/supervise/watchdog.h"
#include "recorder/xalloc.h"

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
	w->test = NULL;
	p->busy--;
}

/* Returns the share of the processors (--jobs) for the test of w. Running and waiting tests share them; the first ones get the remainder. */
static unsigned processors_for(const struct pool *p, const struct seat *w)
{
	size_t tests = w->test->serial ? 1 : p->busy + (p->n - p->next);
	unsigned jobs = p->s->opt.jobs, n = (unsigned)(jobs / tests) + ((size_t)(w - p->seat) < jobs % tests);

	return n ? n : 1;
}

/* Starts the next process for the test of w, if there is one. */
static void go_on(struct pool *p, struct seat *w)
{
	struct process_plan plan = {.env = w->test->env, .cwd = w->test->cwd, .processors = processors_for(p, w)};
	const char *step;
	int error;

	if (interrupt_count() || !stress_left_ns(p->s) || !p->ops->next(p->s, w->test, p->n - p->next, &plan)) {
		leave(p, w);
		return;
	}
	error = process_start(&w->process, &plan, &step);
	if (error) {
		stress_settle(w->test, STRESS_UNUSABLE, process_why(&plan, error, step));
		leave(p, w);
	}
}

/* Returns whether the next test of the list may run beside the running ones. */
static bool fits(const struct pool *p)
{
	if (p->next == p->n || p->busy >= p->s->opt.jobs || interrupt_count() || !stress_left_ns(p->s))
		return false;
	for (unsigned i = 0; i < p->s->opt.jobs; i++)
		if (p->seat[i].test && p->seat[i].test->serial)
			return false;
	return !p->busy || !p->list[p->next]->serial;
}

static void fill(struct pool *p)
{
	while (fits(p)) {
		struct seat *w = p->seat;

		while (w->test)
			w++;
		w->test = p->list[p->next++];
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
	struct pollfd *fds = xcalloc(3 * p->busy, sizeof(*fds));
	pid_t *pids = xcalloc(p->busy, sizeof(*pids));
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
	show_progress(p->s, p->ops->doing, running, n);
}

void pool_run(struct stress *s, struct stress_test **list, size_t n, const struct pool_ops *ops)
{
	struct pool p = {.s = s, .ops = ops, .list = list, .n = n};

	p.seat = xcalloc(s->opt.jobs, sizeof(*p.seat));
	for (;;) {
		fill(&p);
		if (!p.busy)
			break;
		show(&p);
		wait_for_news(&p);
		for (unsigned i = 0; i < s->opt.jobs; i++)
			if (p.seat[i].test)
				look(&p, &p.seat[i]);
	}
	free(p.seat);
}
