/* The table behind told_x86_64.S: libc.def as data. */
#include "preload/told.h"

#define ENTRY_OF(name, list, family_, ...)                                                                                    \
	extern const struct told told_##name;                                                                                 \
	const struct told told_##name = { &real_##name, list, #name, (const struct role[]){ __VA_ARGS__, ROLE(ROLE_END, 0, 0, NO_SIZE) }, family_, 0 };

#define TOLD(name, ...) ENTRY_OF(name, NULL, FAMILY_PLAIN, __VA_ARGS__)
#define PRINTF(name, list, ...) ENTRY_OF(name, &real_##list, FAMILY_PRINTF, __VA_ARGS__)
#define SCANF(name, list, ...) ENTRY_OF(name, &real_##list, FAMILY_SCANF, __VA_ARGS__)
#define UNSEEN(name) ENTRY_OF(name, NULL, FAMILY_PLAIN, ROLE(ROLE_UNSEEN, 0, 0, NO_SIZE))
#include "preload/libc.def"

/* after the list, which names what the rules forbid */
#include "preload/rules.h"
