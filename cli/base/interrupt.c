#include "cli/base/interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>

static volatile sig_atomic_t requests, last_signal;
static uint32_t *volatile wake_word;
static struct sigaction original[NSIG];
static const int handled[] = {SIGINT, SIGTERM, SIGHUP, SIGCHLD, SIGPIPE, SIGXFSZ};

#define HANDLED (sizeof(handled) / sizeof(handled[0]))

static void on_signal(int sig)
{
	uint32_t *word = wake_word;

	if (sig != SIGCHLD) {
		requests++;
		last_signal = sig;
	}
	if (word)
		__atomic_add_fetch(word, 1, __ATOMIC_ACQ_REL);
}

/* With this handler, a write beyond the limit on file size (ulimit -f) fails with EFBIG like any other error. SIG_IGN would do the same,
   but started programs would inherit it. */
static void on_limit(int sig)
{
}

void interrupt_init(void)
{
	for (size_t i = 0; i < HANDLED; i++) {
		int sig = handled[i];
		struct sigaction action;

		sigaction(sig, NULL, &original[sig]);
		/* A signal that was ignored when simul started stays ignored, as under nohup or in a background job. */
		if (original[sig].sa_handler == SIG_IGN && sig != SIGCHLD)
			continue;
		memset(&action, 0, sizeof(action));
		action.sa_handler = sig == SIGPIPE ? SIG_IGN : sig == SIGXFSZ ? on_limit : on_signal;
		sigaction(sig, &action, NULL);
	}
}

int interrupt_count(void)
{
	return requests;
}

void interrupt_heard(void)
{
	if (requests == 1)
		requests = 0;
}

int interrupt_signal(void)
{
	return last_signal;
}

uint32_t *interrupt_wake(uint32_t *word)
{
	uint32_t *before = wake_word;

	wake_word = word;
	return before;
}

void interrupt_obey(void)
{
	int sig = interrupt_signal();

	if (interrupt_count() < 2 || !sig)
		return;
	signal(sig, SIG_DFL);
	raise(sig);
}

void interrupt_reset_child(void)
{
	for (size_t i = 0; i < HANDLED; i++)
		sigaction(handled[i], &original[handled[i]], NULL);
}
