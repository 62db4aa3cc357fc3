#include "preload/kernel/syscalls.h"

#include <stddef.h>

#include "preload/base/rules.h"

static const struct syscall_rule rules[] = {
#define HOOK(number, label, call) [number] = { SYSCALL_HOOK, false, #label, NULL },
#define ASKS(number, label, thread) [number] = { SYSCALL_ASKS, thread, #label, NULL },
#define INSIDE(number, label, thread) [number] = { SYSCALL_INSIDE, thread, #label, NULL },
#define THREAD(number, label) [number] = { SYSCALL_THREAD, false, #label, NULL },
#define SETS_THREAD(number, label, thread) [number] = { SYSCALL_SETS_THREAD, thread, #label, NULL },
#define ASKS_THREAD(number, label, thread) [number] = { SYSCALL_ASKS_THREAD, thread, #label, NULL },
#define OUTSIDE(number, label) [number] = { SYSCALL_OUTSIDE, false, #label, NULL },
#define NOTED(number, label, reason) [number] = { SYSCALL_NOTED, false, #label, reason },
#define REFUSE(number, label, reason) [number] = { SYSCALL_REFUSED, false, #label, reason },
#include "preload/kernel/syscalls.def"
#undef HOOK
#undef ASKS
#undef INSIDE
#undef THREAD
#undef SETS_THREAD
#undef ASKS_THREAD
#undef OUTSIDE
#undef NOTED
#undef REFUSE
};

const struct syscall_rule *syscall_rule(long n)
{
	static const struct syscall_rule unknown;

	return n >= 0 && (size_t)n < sizeof(rules) / sizeof(rules[0]) ? &rules[n] : &unknown;
}
