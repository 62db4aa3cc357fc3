/* Jumps out of signal handlers: setjmp saves the virtual signal mask, longjmp restores it. */
#include "preload/base/real.h"

#include <setjmp.h>
#include <string.h>

#include "base/registers.h"
#include "preload/control/ctl.h"
#include "preload/kernel/signals.h"
#include "preload/memory/dead_stack.h"

#include "preload/base/rules.h"

/*
 * sigsetjmp(env, 1) saves the kernel's mask. The mask takes 8 of the 128 bytes that a jmp_buf has for it. The hook writes a mark and the
 * virtual mask after these 8 bytes, and a jump reads the virtual mask there.
 */
#define JMP_MARK UINT64_C(0x73696d756c6d736b)

void signals_save_mask(struct __jmp_buf_tag *env);
void signals_save_mask(struct __jmp_buf_tag *env)
{
	uint64_t words[2] = {JMP_MARK, 0};

	if (ctl_state != CTL_ON)
		words[0] = 0;
	else
		words[1] = signals_mask(ctl_self());
	memcpy((char *)&env->__saved_mask + 8, words, sizeof(words));
}

/* Call it before a longjmp. Forgets the signal handlers that the jump leaves, and restores the virtual mask. */
static void before_jump(const struct __jmp_buf_tag *env, const void *pc)
{
	uint64_t words[2];

	if (!ctl_enter())
		return;
	dead_stack_jumped = true;
	memcpy(words, (const char *)&env->__saved_mask + 8, sizeof(words));
	bool mask = env->__mask_was_saved && words[0] == JMP_MARK;
	if (mask)
		signals_before_mask(words[1], pc);
	signals_unwind_to(registers_jump_sp(env), pc);
	if (mask)
		signals_set_mask_and_run(words[1]);
	ctl_leave();
}

void siglongjmp(struct __jmp_buf_tag env[1], int value)
{
	before_jump(env, __builtin_return_address(0));
	real_siglongjmp(env, value);
	__builtin_unreachable();
}

void longjmp(struct __jmp_buf_tag env[1], int value)
{
	before_jump(env, __builtin_return_address(0));
	real_longjmp(env, value);
	__builtin_unreachable();
}

void _longjmp(struct __jmp_buf_tag env[1], int value)
{
	before_jump(env, __builtin_return_address(0));
	real__longjmp(env, value);
	__builtin_unreachable();
}

void __longjmp_chk(struct __jmp_buf_tag env[1], int value)
{
	before_jump(env, __builtin_return_address(0));
	real___longjmp_chk(env, value);
	__builtin_unreachable();
}
