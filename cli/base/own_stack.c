#include "cli/base/own_stack.h"

#include <stddef.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <ucontext.h>

#define ENOUGH (8ul << 20) /* bytes of stack */

static struct {
	int (*f)(int, char **);
	int argc, result;
	char **argv;
} call;
static ucontext_t before;

static void run(void)
{
	call.result = call.f(call.argc, call.argv);
}

int own_stack_call(int (*f)(int, char **), int argc, char **argv)
{
	static ucontext_t there;
	struct rlimit limit;
	void *stack;

	if (getrlimit(RLIMIT_STACK, &limit) || limit.rlim_cur >= ENOUGH || getcontext(&there))
		return f(argc, argv);
	stack = mmap(NULL, ENOUGH, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
	if (stack == MAP_FAILED)
		return f(argc, argv);
	call.f = f;
	call.argc = argc;
	call.argv = argv;
	there.uc_stack.ss_sp = stack;
	there.uc_stack.ss_size = ENOUGH;
	there.uc_link = &before;
	makecontext(&there, run, 0);
	if (swapcontext(&before, &there))
		return f(argc, argv);
	return call.result;
}
