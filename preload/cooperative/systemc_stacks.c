/*
 * The stacks of SystemC's coroutines. The kernel unmaps the stack of a thread that ended, which a rewind cannot undo. So stacks that exist at the
 * checkpoint stay mapped and protected until the process ends. Stacks that an execution maps are removed by the kernel or by the rewind
 * (made_mappings.h).
 */
#include "preload/base/state.h"
#include "preload/cooperative/systemc_kernel.h"
#include "preload/kernel/made_mappings.h"
#include "preload/cooperative/systemc_hooks.h"
#include "preload/base/rules.h"

/* Returns whether the stack of this coroutine existed at the checkpoint. */
static bool stays(const void *coroutine)
{
	if (ctl_state != CTL_ON || !ctl_past_checkpoint || !systemc_known())
		return false;
	size_t size;
	void *stack = systemc_stack(coroutine, &size);
	return stack && !made_has(stack, size);
}

void systemc_stack_protect(void *coroutine, bool on)
{
	systemc_look(__builtin_return_address(0));
	if (on || !stays(coroutine))
		systemc_real_stack_protect(coroutine, on);
}

/* Replaces the destructor of a coroutine, which only unmaps the stack. */
void systemc_end_coroutine(void *coroutine)
{
	systemc_look(__builtin_return_address(0));
	if (!stays(coroutine))
		systemc_real_end_coroutine(coroutine);
}
