/* The table behind entry_x86_64.S: libc.def and the SEEN lines of hooks.def as data. */
#include "preload/libc/accesses.h"

#define ENTRY_OF(name, list, family_, ...)                                                                                    \
	extern const struct libc_function libc_##name;                                                                                 \
	const struct libc_function libc_##name = { &real_##name, list, #name, (const struct role[]){ __VA_ARGS__, ROLE(ROLE_END, 0, 0, NO_SIZE) }, family_, LIBC_OUTSIDE };

#define LIBC_OUTSIDE 0
#define DESCRIBED(name, ...) ENTRY_OF(name, NULL, FAMILY_PLAIN, __VA_ARGS__)
#define PRINTF(name, list, ...) ENTRY_OF(name, &real_##list, FAMILY_PRINTF, __VA_ARGS__)
#define SCANF(name, list, ...) ENTRY_OF(name, &real_##list, FAMILY_SCANF, __VA_ARGS__)
#define UNSEEN(name) ENTRY_OF(name, NULL, FAMILY_PLAIN, ROLE(ROLE_UNSEEN, 0, 0, NO_SIZE))
#include "preload/libc/libc.def"

#define MODEL(ret, name, args)
#define PASS(ret, name, args)
#define REFUSE(ret, name, args)
#define SEEN(ret, name, args, ...)                                                                                            \
	extern void seen_##name(void) __asm__("hook_" #name);                                                                 \
	static void (*at_##name)(void) = seen_##name;                                                                         \
	extern const struct libc_function libc_##name;                                                                                 \
	const struct libc_function libc_##name = { &at_##name, NULL, #name, (const struct role[]){ __VA_ARGS__, ROLE(ROLE_END, 0, 0, NO_SIZE) }, FAMILY_PLAIN, 0 };
#include "preload/hooks/hooks.def"

/* comes after the lists, which contain names that the rules forbid */
#include "preload/base/rules.h"
