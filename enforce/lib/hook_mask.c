/* Masks and handlers of signals. The program can neither block nor handle those by which this library works. */
#include <signal.h>
#include <stddef.h>

#include "enforce/lib/gate.h"
#include "enforce/lib/real.h"

/* Returns whether the signal is one of these: SIGTRAP of patched code, SIGSYS of system calls by instructions. */
static bool is_own(int sig)
{
	if (!gate_plan || !gate_owns)
		return false;
	return sig == SIGTRAP ? gate_plan->n_sites : sig == SIGSYS && gate_plan->inline_calls;
}

/* Returns the set without these signals, in *room, or the set itself. */
static const sigset_t *without_own(const sigset_t *set, sigset_t *room)
{
	if (!set || (!is_own(SIGTRAP) && !is_own(SIGSYS)))
		return set;
	*room = *set;
	if (is_own(SIGTRAP))
		sigdelset(room, SIGTRAP);
	if (is_own(SIGSYS))
		sigdelset(room, SIGSYS);
	return room;
}

EXPORT int pthread_sigmask(int how, const sigset_t *set, sigset_t *before)
{
	sigset_t room;

	gate_receive();
	return REAL(pthread_sigmask)(how, how == SIG_UNBLOCK ? set : without_own(set, &room), before);
}

EXPORT int sigprocmask(int how, const sigset_t *set, sigset_t *before)
{
	sigset_t room;

	gate_receive();
	return REAL(sigprocmask)(how, how == SIG_UNBLOCK ? set : without_own(set, &room), before);
}

static void refuse_own(int sig)
{
	if (gate_ready && is_own(sig))
		gate_refuse("the certificate cannot be enforced: the program sets a handler for signal %d", sig);
}

EXPORT __sighandler_t signal(int sig, __sighandler_t handler)
{
	refuse_own(sig);
	return REAL(signal)(sig, handler);
}

EXPORT int sigaction(int sig, const struct sigaction *action, struct sigaction *before)
{
	struct sigaction mine;
	sigset_t room;

	if (action)
		refuse_own(sig);
	else
		return REAL(sigaction)(sig, NULL, before);
	mine = *action;
	mine.sa_mask = *without_own(&action->sa_mask, &room);
	return REAL(sigaction)(sig, &mine, before);
}
