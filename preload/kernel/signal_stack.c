#include "preload/kernel/signal_stack.h"

#include "preload/base/sys.h"
#include "preload/base/rules.h"

static stack_t stacks[MAX_THREADS];

stack_t *signal_stack_of(thread_id t)
{
	return &stacks[t];
}

void signal_stack_adopt(void)
{
	stack_t now;

	if (!sys_sigaltstack(NULL, &now) && !(now.ss_flags & SS_DISABLE))
		stacks[0] = now;
}
