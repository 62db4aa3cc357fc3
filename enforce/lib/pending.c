/* See pending.h. */
#include "enforce/lib/pending.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "enforce/lib/gate.h"
#include "enforce/lib/real.h"
#include "enforce/lib/short_lock.h"
#include "enforce/lib/stall.h"

#define MOST_PENDING 256

static struct pending waiting[MOST_PENDING]; /* in the order in which they were sent */
static uint32_t n_waiting, lock;

static bool is_merged(const struct pending *p)
{
	if (p->code == PENDING_CANCEL || p->sig >= SIGRTMIN)
		return false;
	for (uint32_t i = 0; i < n_waiting; i++)
		if (waiting[i].thread == p->thread && waiting[i].sig == p->sig)
			return true;
	return false;
}

void pending_add(const struct pending *p)
{
	short_lock(&lock);
	if (n_waiting == MOST_PENDING)
		gate_refuse("the certificate cannot be enforced: more than %d signals are pending", MOST_PENDING);
	if (!is_merged(p)) {
		waiting[n_waiting] = *p;
		__atomic_store_n(&n_waiting, n_waiting + 1, __ATOMIC_RELEASE);
	}
	short_unlock(&lock);
}

/* A thread that has ended gets no signal. */
static void give_to_kernel(const struct pending *p)
{
	pid_t tid = (pid_t)gate_progress[p->thread].tid;
	siginfo_t info = {.si_signo = p->sig, .si_code = p->code};

	if (__atomic_load_n(&gate_progress[p->thread].ended, __ATOMIC_ACQUIRE))
		return;
	info.si_pid = gate_pid;
	info.si_uid = getuid();
	info.si_value = p->value;
	if (p->code == PENDING_CANCEL)
		(void)REAL(pthread_cancel)(p->handle);
	else if (p->code == SI_QUEUE)
		syscall(SYS_rt_tgsigqueueinfo, gate_pid, tid, p->sig, &info);
	else
		syscall(SYS_tgkill, gate_pid, tid, p->sig);
}

static bool is_meant(const struct pending *p, uint32_t thread, const sigset_t *set)
{
	if (thread != PLAN_NONE && p->thread != thread)
		return false;
	return !set || (p->code != PENDING_CANCEL && sigismember(set, p->sig));
}

/* Removes the signal of the thread in the set (NULL: any) that has the lowest number, the first of these. Gives it to
   the kernel if it is for another thread. Returns false if there is none. */
static bool take(uint32_t thread, const sigset_t *set, struct pending *out)
{
	uint32_t best = MOST_PENDING;

	short_lock(&lock);
	for (uint32_t i = 0; i < n_waiting; i++)
		if (is_meant(&waiting[i], thread, set) && (best == MOST_PENDING || waiting[i].sig < waiting[best].sig))
			best = i;
	if (best != MOST_PENDING) {
		*out = waiting[best];
		if (out->thread != self.thread)
			give_to_kernel(out); /* with the lock held: the thread looks here before it goes on and ends */
		for (uint32_t i = best; i + 1 < n_waiting; i++)
			waiting[i] = waiting[i + 1];
		__atomic_store_n(&n_waiting, n_waiting - 1, __ATOMIC_RELEASE);
	}
	short_unlock(&lock);
	return best != MOST_PENDING;
}

static bool has_handler(int sig)
{
	struct sigaction now;

	return !sigaction(sig, NULL, &now) && now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN;
}

/* All signals are blocked while the event ends: other signals that the thread then gets do not overtake this one. */
bool pending_handle(void)
{
	sigset_t all, mask, due;
	struct pending p;
	bool found;
	int error = errno;

	sigfillset(&all);
	(void)REAL(pthread_sigmask)(SIG_SETMASK, &all, &mask);
	sigemptyset(&due);
	for (int sig = 1; sig <= SIGRTMAX; sig++)
		if (!sigismember(&mask, sig) && has_handler(sig))
			sigaddset(&due, sig);
	found = take(self.thread, &due, &p);
	if (found) {
		give_to_kernel(&p);
		gate_end();
	}
	errno = error;
	(void)REAL(pthread_sigmask)(SIG_SETMASK, &mask, NULL); /* here the handler runs */
	return found;
}

static void flush(uint32_t thread, const sigset_t *set)
{
	int saved = errno;
	struct pending p;

	while (__atomic_load_n(&n_waiting, __ATOMIC_ACQUIRE) && take(thread, set, &p))
		if (p.thread == self.thread) /* a handler may run, or the thread ends */
			give_to_kernel(&p);
	errno = saved;
}

void pending_flush(uint32_t thread)
{
	flush(thread, NULL);
}

void pending_flush_set(uint32_t thread, const sigset_t *set)
{
	flush(thread, set);
}
