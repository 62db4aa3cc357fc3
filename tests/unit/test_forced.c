/* The strategy that follows a schedule, with drain agents. Its state is static and serves one execution, so each test runs in a process of
   its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "replay/forced.h"

#define AGENT MAX_THREADS
#define STEPS 4

struct fixture {
	struct session *session;
	struct strategy strategy;
	struct trace trace;
	struct choice choices[4];
	struct sched_view view;
};

static const struct event x_stored = { .thread = 1, .kind = EV_STORE, .mode = { M_BUFFER }, .obj = { OBJECT_MEMORY }, .span = 0x70 };
static const struct event x_arrives = { .thread = AGENT, .kind = EV_UPDATE, .mode = { M_WRITE }, .obj = { OBJECT_MEMORY },
	.span = 0x70, .result = 1 };
static const struct event y_loaded = { .thread = 1, .kind = EV_LOAD, .mode = { M_READ }, .obj = { OBJECT_MEMORY | 1 }, .span = 0x70 };

static struct forced_step step_of(const struct event *e)
{
	return (struct forced_step){ .thread = e->thread, .kind = e->kind, .obj = { e->obj[0], e->obj[1] }, .span = e->span };
}

/* The schedule: x is stored, y is loaded, x reaches memory, the process ends. */
static struct fixture *begin(void)
{
	struct fixture *f = calloc(1, sizeof(*f));
	struct forced_step *to;
	size_t size = sizeof(*f->session) + STEPS * sizeof(*to);

	size = (size + SESSION_PAGE - 1) / SESSION_PAGE * SESSION_PAGE;
	f->session = aligned_alloc(SESSION_PAGE, size);
	memset(f->session, 0, size);
	f->session->layout.size = size;
	f->session->layout.forced_off = sizeof(*f->session);
	f->session->layout.forced_cap = STEPS;
	to = (struct forced_step *)(f->session + 1);
	to[0] = step_of(&x_stored);
	to[1] = step_of(&y_loaded);
	to[2] = step_of(&x_arrives);
	to[3] = (struct forced_step){ .thread = 0, .kind = EV_EXIT };
	f->trace.threads = 2;
	f->trace.pending = calloc(MAX_IDS, sizeof(struct event));
	f->trace.alts = calloc(MAX_IDS, 1);
	f->view = (struct sched_view){ .choices = f->choices, .current = 1, .trace = &f->trace };
	if (!forced_attach(f->session, &f->strategy) || !f->strategy.ops->begin(f->strategy.self))
		_exit(100);
	return f;
}

/* Offers these choices (NO_THREAD ends the list) and returns whether this one is picked. */
static bool picks(struct fixture *f, int expected, thread_id a, thread_id b, thread_id c)
{
	const thread_id list[] = { a, b, c, NO_THREAD };

	for (f->view.n = 0; list[f->view.n] != NO_THREAD; f->view.n++)
		f->choices[f->view.n] = (struct choice){ .thread = list[f->view.n] };
	return f->strategy.ops->pick(f->strategy.self, &f->view) == expected;
}

static void happens(struct fixture *f, const struct event *e)
{
	f->strategy.ops->observe(f->strategy.self, e);
}

static bool diverged(const struct fixture *f, unsigned reason, unsigned step, unsigned kind)
{
	const struct session_divergence *d = &f->session->divergence;

	return d->happened && d->reason == reason && d->step == step && d->found.kind == kind;
}

/* x is stored and y loaded; after the store there is an agent. */
static void up_to_the_update(struct fixture *f)
{
	f->trace.pending[1] = x_stored;
	if (!picks(f, 1, 0, 1, NO_THREAD))
		_exit(101);
	happens(f, &x_stored);
	f->trace.agents = 1;
	f->trace.pending[AGENT] = x_arrives;
	f->trace.pending[1] = y_loaded;
	if (!picks(f, 1, 0, 1, AGENT))
		_exit(102);
	happens(f, &y_loaded);
	f->trace.pending[1] = (struct event){ .kind = EV_THREAD_EXIT, .thread = 1 };
}

static int follows(void)
{
	struct fixture *f = begin();

	up_to_the_update(f);
	if (!picks(f, 1, 0, AGENT, NO_THREAD))
		return 1;
	happens(f, &x_arrives);
	if (f->session->divergence.enabled_mask != 1 || f->session->divergence.draining_mask != 2)
		return 2; /* the bit of an agent is that of its owner */
	return f->session->divergence.happened ? 3 : 0;
}

/* The store is in the buffer, but another store of its thread must reach memory first. */
static int has_to_wait(void)
{
	struct fixture *f = begin();

	up_to_the_update(f);
	if (!picks(f, PICK_DIVERGED, 0, 1, NO_THREAD))
		return 1;
	return diverged(f, DIVERGED_NOT_ENABLED, 2, EV_UPDATE) ? 0 : 2;
}

static int is_not_there(void)
{
	struct fixture *f = begin();

	up_to_the_update(f);
	f->trace.agents = 0; /* the entry at its index is stale */
	if (!picks(f, PICK_DIVERGED, 0, 1, NO_THREAD))
		return 1;
	return diverged(f, DIVERGED_NOT_ENABLED, 2, EV_NONE) ? 0 : 2;
}

static int other_bytes(void)
{
	struct fixture *f = begin();
	struct event e = x_arrives;

	up_to_the_update(f);
	e.span = 0x30;
	if (!picks(f, 1, 0, AGENT, NO_THREAD))
		return 1;
	happens(f, &e);
	return diverged(f, DIVERGED_OTHER_EVENT, 2, EV_UPDATE) ? 0 : 2;
}

/* The schedule has ended and only a buffered store is left. */
static int goes_on(void)
{
	struct fixture *f = begin();

	up_to_the_update(f);
	picks(f, 1, 0, AGENT, NO_THREAD);
	happens(f, &x_arrives);
	f->trace.pending[0] = (struct event){ .kind = EV_EXIT };
	f->trace.pending[1] = (struct event){ .kind = EV_NONE };
	happens(f, &f->trace.pending[0]);
	f->view.current = 0;
	f->trace.pending[0] = (struct event){ .kind = EV_NONE };
	if (!picks(f, PICK_DIVERGED, AGENT, NO_THREAD, NO_THREAD))
		return 1;
	return diverged(f, DIVERGED_WENT_ON, 4, EV_UPDATE) ? 0 : 2;
}

static void in_a_process(void **state)
{
	int (*test)(void) = *(int (**)(void))*state, status;
	pid_t pid = fork();

	if (pid == 0)
		_exit(test());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

int main(void)
{
	static int (*tests_of[])(void) = { follows, has_to_wait, is_not_there, other_bytes, goes_on };
	const struct CMUnitTest tests[] = {
		{ "follows", in_a_process, NULL, NULL, &tests_of[0] },
		{ "has_to_wait", in_a_process, NULL, NULL, &tests_of[1] },
		{ "is_not_there", in_a_process, NULL, NULL, &tests_of[2] },
		{ "other_bytes", in_a_process, NULL, NULL, &tests_of[3] },
		{ "goes_on", in_a_process, NULL, NULL, &tests_of[4] },
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
