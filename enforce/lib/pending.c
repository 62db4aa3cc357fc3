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

void pending_add(const struct pending *p)
{
	short_lock(&lock);
	if (n_waiting == MOST_PENDING)
		gate_refuse("the certificate cannot be enforced: more than %d signals are pending", MOST_PENDING);
	waiting[n_waiting] = *p;
	__atomic_store_n(&n_waiting, n_waiting + 1, __ATOMIC_RELEASE);
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

/* Removes the first signal of the thread in the set (NULL: any). Gives it to the kernel if it is for another thread.
   Returns false if there is none. */
static bool take(uint32_t thread, const sigset_t *set, struct pending *out)
{
	bool found = false;
	uint32_t i = 0;

	short_lock(&lock);
	while (i < n_waiting && !is_meant(&waiting[i], thread, set))
		i++;
	if (i < n_waiting) {
		found = true;
		*out = waiting[i];
		if (out->thread != self.thread)
			give_to_kernel(out); /* with the lock held: the thread looks here before it goes on and ends */
		for (; i + 1 < n_waiting; i++)
			waiting[i] = waiting[i + 1];
		__atomic_store_n(&n_waiting, n_waiting - 1, __ATOMIC_RELEASE);
	}
	short_unlock(&lock);
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
