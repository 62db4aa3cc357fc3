/*
 * Signals between threads, and cancellation. A signal or a cancellation of another thread may be an event of the
 * prefix; the thread gets it later (pending.h). Signals to the process are in no prefix. After the prefix, signals and
 * cancellations wait until all of it has been performed.
 */
#include "enforce/lib/hook_signal.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "enforce/lib/gate.h"
#include "enforce/lib/hook_thread.h"
#include "enforce/lib/pending.h"
#include "enforce/lib/real.h"
#include "enforce/lib/stall.h"

/* ---- sending ---- */

static bool is_valid(int sig)
{
	return sig >= 0 && sig <= SIGRTMAX;
}

/* A signal of a thread to itself is no event; its handler runs at once. */
static bool is_self(pthread_t t)
{
	if (!pthread_equal(t, pthread_self()))
		return false;
	gate_receive();
	return true;
}

/* Returns whether it is an event of the prefix; `end` must be called then. */
static bool begin(const struct pending *p)
{
	const char *signal = p->sig ? "a signal to another thread" : "signal 0 to another thread";
	enum event_kind kind = p->code == PENDING_CANCEL ? EV_THREAD_CANCEL : EV_SIGNAL_SEND;
	const struct plan_event *next = gate_next_call();
	struct use use = {.kind = OBJ_THREAD, .thread = p->thread};

	if (next && next->kind == kind && gate_begin(kind, &use, 1))
		return true;
	gate_all(kind == EV_THREAD_CANCEL ? "the cancellation of a thread" : signal);
	return false;
}

static void end(const struct pending *p)
{
	if (p->sig || p->code == PENDING_CANCEL)
		pending_add(p);
	gate_end();
}

EXPORT int pthread_kill(pthread_t t, int sig)
{
	struct pending p = {.thread = thread_number(t), .sig = sig, .code = SI_TKILL};
	int r;

	if (!is_valid(sig) || is_self(t) || !begin(&p))
		return REAL(pthread_kill)(t, sig);
	r = REAL(pthread_kill)(t, 0);
	end(&p);
	return r;
}

EXPORT int pthread_sigqueue(pthread_t t, int sig, const union sigval value)
{
	struct pending p = {.thread = thread_number(t), .sig = sig, .code = SI_QUEUE, .value = value};
	int r;

	if (!is_valid(sig) || is_self(t) || !begin(&p))
		return REAL(pthread_sigqueue)(t, sig, value);
	r = REAL(pthread_kill)(t, 0);
	end(&p);
	return r;
}

bool signal_to_thread(pid_t thread, int sig)
{
	struct pending p = {.thread = PLAN_NONE, .sig = sig, .code = SI_TKILL};

	if (!is_valid(sig))
		return false;
	if (thread == (pid_t)REAL(syscall)(SYS_gettid)) {
		gate_receive();
		return false;
	}
	for (uint32_t t = 0; gate_plan && t < gate_plan->n_threads; t++)
		if (gate_progress[t].tid == (uint32_t)thread)
			p.thread = t;
	if (!begin(&p))
		return false;
	end(&p);
	return true;
}

EXPORT int tgkill(pid_t process, pid_t thread, int sig)
{
	return signal_to_thread(thread, sig) ? 0 : REAL(tgkill)(process, thread, sig);
}

EXPORT int pthread_cancel(pthread_t t)
{
	struct pending p = {.thread = thread_number(t), .code = PENDING_CANCEL, .handle = t};
	int r;

	if (!begin(&p))
		return REAL(pthread_cancel)(t);
	r = REAL(pthread_kill)(t, 0);
	end(&p);
	return r;
}

/* A cancellation could end a thread in the middle of this library's own work. */
EXPORT int pthread_setcanceltype(int type, int *before)
{
	if (type == PTHREAD_CANCEL_ASYNCHRONOUS && gate_ready && gate_owns)
		gate_refuse("the certificate cannot be enforced: %s can be cancelled at any time "
			    "(PTHREAD_CANCEL_ASYNCHRONOUS)",
			gate_self_path());
	return REAL(pthread_setcanceltype)(type, before);
}

void signal_to_process(pid_t to, int sig)
{
	if (sig && (to <= 0 || to == gate_pid))
		gate_all("a signal to the process");
}

EXPORT int kill(pid_t to, int sig)
{
	signal_to_process(to, sig);
	return REAL(kill)(to, sig);
}

EXPORT int killpg(pid_t group, int sig)
{
	signal_to_process(-1, sig);
	return REAL(killpg)(group, sig);
}

EXPORT int sigqueue(pid_t to, int sig, const union sigval value)
{
	signal_to_process(to, sig);
	return REAL(sigqueue)(to, sig, value);
}

EXPORT int raise(int sig)
{
	gate_receive();
	return REAL(raise)(sig);
}

/* ---- what is pending ---- */

EXPORT int sigpending(sigset_t *set)
{
	if (!gate_receive())
		gate_refuse("the certificate cannot be enforced: %s asks which signals are pending (sigpending)",
			gate_self_path());
	return REAL(sigpending)(set);
}

/* ---- waiting ---- */

/* Takes a signal that the thread has got. It is blocked, so that no handler runs. */
static int take(const sigset_t *set, siginfo_t *info)
{
	static const struct timespec now = {0, 0};
	sigset_t was;
	int r;

	(void)REAL(pthread_sigmask)(SIG_BLOCK, set, &was);
	pending_flush_set(self.thread, set);
	r = REAL(sigtimedwait)(set, info, &now);
	(void)REAL(pthread_sigmask)(SIG_SETMASK, &was, NULL);
	return r;
}

static bool begin_waiting(void)
{
	struct use use[2] = {{.kind = OBJ_THREAD, .thread = self.thread}, {.kind = OBJ_PROCESS, .addr = 1}};

	return gate_begin(EV_SIGNAL_WAIT, use, 2);
}

/* `fails`: it may find none, in a call with a timeout. The certificate does not say whether it did, but the same
   signals are pending as in the search. */
static int waited(const sigset_t *set, siginfo_t *info, bool fails)
{
	int r = take(set, info);

	if (r < 0 && !fails)
		gate_diverge(
			"the program diverges from its certificate: %s was certified to take a signal, and finds none",
			gate_self_path());
	gate_end();
	return r;
}

EXPORT int sigwait(const sigset_t *restrict set, int *restrict sig)
{
	if (!begin_waiting())
		return REAL(sigwait)(set, sig);
	*sig = waited(set, NULL, false);
	return 0;
}

EXPORT int sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info)
{
	return begin_waiting() ? waited(set, info, false) : REAL(sigwaitinfo)(set, info);
}

EXPORT int sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info, const struct timespec *restrict limit)
{
	return begin_waiting() ? waited(set, info, limit) : REAL(sigtimedwait)(set, info, limit);
}

int __sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *limit);
EXPORT int __sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *limit)
{
	return sigtimedwait(set, info, limit);
}
