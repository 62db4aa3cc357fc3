/* The table behind x86_64/entry.S: libc.def and the SEEN lines of hooks.def as data. */
#include "preload/libc/accesses.h"

#include "preload/kernel/effects.h"

#define ENTRY_OF(name, list, family_, effects, ...)                                                                                    \
	extern const struct libc_function libc_##name;                                                                                 \
	const struct libc_function libc_##name = { &real_##name, list, #name, (const struct role[]){ __VA_ARGS__, ROLE(ROLE_END, 0, 0, NO_SIZE) }, family_, LIBC_OUTSIDE, effects };

#define LIBC_OUTSIDE 0
/* Most calls share nothing, and have no line in effects.def. Those about files must have one: libc_system.def changes this there. */
#define LIBC_EFFECTS(name) effects_of_##name
#define MAY_HAVE_EFFECTS(name) extern const struct effect_of_call effects_of_##name[] __attribute__((weak, visibility("hidden")));
#define DESCRIBED(name, ...) MAY_HAVE_EFFECTS(name) ENTRY_OF(name, NULL, FAMILY_PLAIN, LIBC_EFFECTS(name), __VA_ARGS__)
#define PRINTF(name, list, ...) ENTRY_OF(name, &real_##list, FAMILY_PRINTF, NULL, __VA_ARGS__)
#define SCANF(name, list, ...) ENTRY_OF(name, &real_##list, FAMILY_SCANF, NULL, __VA_ARGS__)
#define UNSEEN(name) ENTRY_OF(name, NULL, FAMILY_PLAIN, NULL, ROLE(ROLE_UNSEEN, 0, 0, NO_SIZE))
#include "preload/base/libc.def"

#define MODEL(ret, name, args)
#define PASS(ret, name, args)
#define REFUSE(ret, name, args)
#define HOOKED(name, effects, ...)                                                                                            \
	extern void seen_##name(void) __asm__("hook_" #name);                                                                 \
	static void (*at_##name)(void) = seen_##name;                                                                         \
	extern const struct libc_function libc_##name;                                                                                 \
	const struct libc_function libc_##name = { &at_##name, NULL, #name, (const struct role[]){ __VA_ARGS__, ROLE(ROLE_END, 0, 0, NO_SIZE) }, FAMILY_PLAIN, 0, effects };
#define SEEN(ret, name, args, ...) HOOKED(name, NULL, __VA_ARGS__)
#define SHARES(ret, name, args, ...) HOOKED(name, effects_of_##name, __VA_ARGS__)
#include "preload/base/hooks.def"

/* comes after the lists, which contain names that the rules forbid */
#include "preload/base/rules.h"
