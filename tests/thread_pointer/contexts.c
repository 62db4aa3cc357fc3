/* A coroutine whose context has a signal mask with SIGSEGV, which the kernel then blocks. */
#include "own.h"

#include <signal.h>
#include <ucontext.h>

static __thread long mine;
static __thread ucontext_t outer, inner;

static void coroutine(void)
{
	long me = mine;
	step();
	assert(mine == me);
	step();
	assert(mine == me);
}

static void *thread(void *arg)
{
	char *stack = malloc(65536);
	mine = (long)arg;
	getcontext(&inner);
	sigaddset(&inner.uc_sigmask, SIGSEGV);
	inner.uc_stack.ss_sp = stack;
	inner.uc_stack.ss_size = 65536;
	inner.uc_link = &outer;
	makecontext(&inner, coroutine, 0);
	swapcontext(&outer, &inner);
	assert(mine == (long)arg);
	free(stack);
	return NULL;
}

int main(void)
{
	in_threads(thread);
	return 0;
}
