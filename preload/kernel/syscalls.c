#include "preload/kernel/syscalls.h"

#include <stddef.h>

#include "preload/kernel/effects.h"

#include "preload/base/rules.h"

/* effects.def lists the calls that share something; the others have no such array. */
#define SYSCALL(number, name) extern const struct effect_of_call effects_of_##name[] __attribute__((weak, visibility("hidden")));
#include "preload/kernel/syscalls.def"

static const struct syscall_rule rules[] = {
#define HOOK(number, label, call) [number] = { SYSCALL_HOOK, false, effects_of_##label, #label, NULL },
#define ASKS(number, label, thread) [number] = { SYSCALL_ASKS, thread, effects_of_##label, #label, NULL },
#define INSIDE(number, label, thread) [number] = { SYSCALL_INSIDE, thread, effects_of_##label, #label, NULL },
#define THREAD(number, label) [number] = { SYSCALL_THREAD, false, effects_of_##label, #label, NULL },
#define SETS_THREAD(number, label, thread) [number] = { SYSCALL_SETS_THREAD, thread, effects_of_##label, #label, NULL },
#define ASKS_THREAD(number, label, thread) [number] = { SYSCALL_ASKS_THREAD, thread, effects_of_##label, #label, NULL },
#define OUTSIDE(number, label) [number] = { SYSCALL_OUTSIDE, false, effects_of_##label, #label, NULL },
#define NOTED(number, label, reason) [number] = { SYSCALL_NOTED, false, effects_of_##label, #label, reason },
#define REFUSE(number, label, reason) [number] = { SYSCALL_REFUSED, false, effects_of_##label, #label, reason },
#include "preload/kernel/syscalls.def"
};

const struct syscall_rule *syscall_rule(long n)
{
	static const struct syscall_rule unknown;

	return n >= 0 && (size_t)n < sizeof(rules) / sizeof(rules[0]) ? &rules[n] : &unknown;
}
