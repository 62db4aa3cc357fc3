#include "cli/supervisor.h"

#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/brood.h"
#include "cli/interrupt.h"
#include "cli/say.h"

#define TICK_NS 50000000
#define MAX_STRIKES 3 /* deaths in a row without an execution between them */
#define STOP_GRACE_NS UINT64_C(5000000000)
#define EXIT_GRACE_NS UINT64_C(2000000000)

/* One run of the loop; lives in supervise(). */
struct loop {
	struct supervision *s;
	struct session_control *ctl;
	struct watchdog dog;
	struct brood brood;
	pid_t pid;            /* of the target; 0 = none runs */
	int status;           /* of the last target that ended */
	unsigned strikes;
	uint64_t started;     /* ctl.executions_started when the present target was started */
	uint64_t stop_ns;     /* when stop_request was set; 0 = not */
};

static uint64_t executions_started(const struct loop *l)
{
	return __atomic_load_n(&l->ctl->executions_started, __ATOMIC_ACQUIRE);
}

static bool finish(struct loop *l, enum session_end end)
{
	l->s->end = end;
	return false;
}

static bool start_target(struct loop *l)
{
	struct supervision *s = l->s;

	l->started = executions_started(l);
	l->pid = target_spawn(s->target, s->seg, s->capture, &s->randomised, s->text, sizeof(s->text));
	if (l->pid > 0) {
		watchdog_forgive(&l->dog);
		return true;
	}
	l->pid = 0;
	return finish(l, SESSION_REFUSED);
}

/* Reaps the target if it has ended. */
static bool target_ended(struct loop *l)
{
	if (l->pid && waitpid(l->pid, &l->status, WNOHANG) == l->pid) {
		l->pid = 0;
		return true;
	}
	return false;
}

/* Waits for the target to leave by itself; what is still there afterwards is killed by brood_end. */
static void await_target(struct loop *l, uint64_t ns)
{
	const struct timespec moment = {0, 500000};
	uint64_t until = wall_clock_ns() + ns;

	while (l->pid && !target_ended(l) && wall_clock_ns() < until && interrupt_count() < 2)
		nanosleep(&moment, NULL);
}

static void request_stop(struct loop *l, enum stop_cause cause)
{
	if (l->stop_ns)
		return;
	l->s->cause = cause;
	l->stop_ns = wall_clock_ns();
	shared_store(&l->ctl->stop_request, 1);
}

static void check_budgets(struct loop *l)
{
	struct supervision *s = l->s;
	struct explore_stats stats;

	if (interrupt_count())
		request_stop(l, STOP_USER);
	if (s->time_ns && wall_clock_ns() - s->start_ns >= s->time_ns)
		request_stop(l, STOP_TIME);
	/* What is run to learn about the program does not count. */
	if (s->max_executions && shared_load(&l->ctl->learning) == LEARNING_NONE) {
		segment_stats(s->seg, &stats);
		if (stats.executions >= s->max_executions)
			request_stop(l, STOP_EXECUTIONS);
	}
}

/* A second Ctrl-C, a target that ignores the request, or nothing worth waiting for. */
static bool must_kill(const struct loop *l)
{
	bool forced = l->s->seg->session->config.mode != MODE_EXPLORE;
	bool setting_up = shared_load(&l->ctl->state) == STATE_STARTING;

	if (interrupt_count() > 1 || (l->stop_ns && (forced || setting_up)))
		return true;
	return l->stop_ns && wall_clock_ns() - l->stop_ns > STOP_GRACE_NS;
}

static void ask_for_pause(struct loop *l)
{
	if (l->s->on_pause && !l->ctl->pause_request && wall_clock_ns() >= l->s->pause_at_ns)
		shared_store(&l->ctl->pause_request, 1);
}

static void release(struct loop *l)
{
	watchdog_forgive(&l->dog);
	shared_store(&l->ctl->state, STATE_RUNNING); /* so that we do not take it for another one */
	__atomic_add_fetch(&l->ctl->release, 1, __ATOMIC_ACQ_REL);
	syscall(SYS_futex, &l->ctl->release, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static bool handle_pause(struct loop *l)
{
	struct supervision *s = l->s;

	shared_store(&l->ctl->pause_request, 0);
	if (s->on_pause && !s->on_pause(s->ctx))
		return finish(l, SESSION_REFUSED);
	release(l);
	if (s->after_pause)
		s->after_pause(s->ctx);
	return true;
}

static bool handle_bug(struct loop *l)
{
	struct supervision *s = l->s;
	pid_t pid = __atomic_load_n(&l->ctl->exec_pid, __ATOMIC_ACQUIRE);
	uint32_t *wake;
	bool go_on;

	if (!brood_is_descendant(pid, l->pid))
		pid = l->pid;
	wake = interrupt_wake(NULL);
	go_on = s->on_bug(s->ctx, pid);
	interrupt_wake(wake);
	if (s->seg->session->config.mode != MODE_EXPLORE)
		return finish(l, SESSION_OVER);
	if (!go_on)
		request_stop(l, STOP_BUG);
	s->pause_at_ns = 0;
	release(l);
	return true;
}

static bool refused(struct loop *l)
{
	segment_text(l->ctl->refusal, l->s->text);
	if (!l->s->text[0])
		text_set(l->s->text, sizeof(l->s->text), "the program cannot be controlled (no reason was given)");
	return finish(l, SESSION_REFUSED);
}

static bool internal_error(struct loop *l)
{
	segment_text(l->ctl->internal_error, l->s->text);
	return finish(l, SESSION_INTERNAL);
}

/* What the target says about itself. False when the session is over. */
static bool look_at_state(struct loop *l)
{
	if (__atomic_load_n(&l->ctl->internal_error[0], __ATOMIC_ACQUIRE))
		return internal_error(l);
	switch (shared_load(&l->ctl->state)) {
	case STATE_BUG_WAIT:
		return handle_bug(l);
	case STATE_PAUSED:
		return handle_pause(l);
	case STATE_DONE:
		await_target(l, EXIT_GRACE_NS);
		return finish(l, SESSION_OVER);
	case STATE_STOPPED:
		await_target(l, EXIT_GRACE_NS);
		if (l->s->cause == STOP_NONE)
			l->s->cause = STOP_EXECUTIONS;
		return finish(l, SESSION_STOPPED);
	case STATE_NO_THREADS:
		await_target(l, EXIT_GRACE_NS);
		return finish(l, SESSION_NO_THREADS);
	case STATE_DESCRIBED:
		l->s->on_bug(l->s->ctx, l->pid);
		return finish(l, SESSION_OVER);
	case STATE_REFUSED:
		return refused(l);
	default:
		return true; /* starting or running; any other number was scribbled there */
	}
}

/* The target has ended and did not say that the session is over. False when it is. */
static bool look_at_death(struct loop *l)
{
	struct supervision *s = l->s;
	uint32_t state = shared_load(&l->ctl->state);

	if (state != STATE_RUNNING && state != STATE_STARTING && state != STATE_BUG_WAIT && state != STATE_PAUSED)
		return look_at_state(l);
	s->wait_status = l->status;
	if (state == STATE_STARTING && !executions_started(l)) {
		bool killed = l->dog.asked_ns && WIFSIGNALED(l->status) && WTERMSIG(l->status) == SIGKILL;

		return finish(l, killed ? SESSION_SLOW_START : SESSION_DIED);
	}
	brood_end(&l->brood); /* a running execution of the dead target writes to the segment */
	if (l->stop_ns)
		return finish(l, SESSION_STOPPED);
	if (executions_started(l) > l->started)
		l->strikes = 0;
	else if (++l->strikes >= MAX_STRIKES)
		return finish(l, SESSION_STUCK);
	s->restarts++;
	return start_target(l);
}

static void wait_for_news(struct loop *l, uint32_t door)
{
	const struct timespec tick = {0, TICK_NS};

	syscall(SYS_futex, &l->ctl->doorbell, FUTEX_WAIT, door, &tick, NULL, 0);
}

/* One turn. False when the session is over. */
static bool turn(struct loop *l)
{
	uint32_t door = shared_load(&l->ctl->doorbell);

	if (target_ended(l)) {
		if (!look_at_death(l))
			return false;
	} else if (!look_at_state(l)) {
		return false;
	}
	check_budgets(l);
	if (must_kill(l)) {
		l->s->killed = true;
		return finish(l, SESSION_STOPPED);
	}
	ask_for_pause(l);
	if (l->s->on_tick)
		l->s->on_tick(l->s->ctx);
	watchdog_look(&l->dog, l->s->seg, l->pid);
	brood_reap_strays(&l->brood, l->pid);
	wait_for_news(l, door);
	return true;
}

void supervise(struct supervision *s)
{
	struct loop l = {.s = s, .ctl = &s->seg->session->ctl};
	uint32_t *wake;

	brood_begin(&l.brood);
	watchdog_start(&l.dog, s->hang_ns);
	wake = interrupt_wake(&l.ctl->doorbell);
	shared_store(&l.ctl->state, STATE_STARTING); /* a session that was stopped may go on */
	ask_for_pause(&l);
	if (start_target(&l))
		while (turn(&l))
			;
	interrupt_wake(wake);
	brood_end(&l.brood);
	s->wait_status = l.status;
	s->hangs = l.dog.hangs;
}
