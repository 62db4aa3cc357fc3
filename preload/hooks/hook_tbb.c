/*
 * Functions of oneTBB that programs with tasks call (tbb.def): where they begin, the library's next piece of code does (preload/kernel/task_order.h).
 *
 * The library takes the memory of tasks from pools of its threads. Which block a task gets would depend on orders that are not seen. So where these matter
 * blocks come from malloc, as do all others of a program without the library's allocator (preload/modules/own_allocator.h).
 *
 * This file does not include preload/base/rules.h: it calls malloc and free as the program does.
 */
#include <dlfcn.h>
#include <stdlib.h>

#include "preload/base/hook_types.h"
#include "preload/base/real.h"
#include "preload/base/state.h"
#include "preload/control/ctl.h"
#include "preload/kernel/task_order.h"
#include "preload/modules/task_library.h"

#define FUNCTION(name, symbol)                                                                                            \
	static long (*real_tbb_##name)(long a, long b, long c, long d);                                                    \
	HOOK_EXPORT long tbb_##name(long a, long b, long c, long d) __asm__(#symbol);
#define TASKS FUNCTION
#define ALLOCATES FUNCTION
#define GIVES_BACK FUNCTION
#include "preload/hooks/tbb.def"

/* ---- the real functions ---- */

/* The program may have opened the library with RTLD_LOCAL: then it is found by its name. */
static void *look_up(const char *symbol)
{
	void *f = real_dlsym(RTLD_NEXT, symbol), *library = f ? NULL : real_dlopen("libtbb.so.12", RTLD_LAZY | RTLD_NOLOAD);
	return library ? real_dlsym(library, symbol) : f;
}

static void find(void)
{
	bool inside = ctl_enter_unnoticed();
#define FIND(name, symbol) real_tbb_##name = (long (*)(long, long, long, long))look_up(#symbol);
#define TASKS FIND
#define ALLOCATES FIND
#define GIVES_BACK FIND
#include "preload/hooks/tbb.def"
	if (inside)
		ctl_leave();
}

/* ---- memory of tasks ---- */

static char no_pool; /* stands for the pool of blocks that come from malloc; the library never looks at it */

static bool is_on(void)
{
	return task_library.lo != task_library.hi && ctl_state == CTL_ON;
}

/* ---- the functions ---- */

#define REAL(name) (real_tbb_##name ? (void)0 : find(), real_tbb_##name)
#define HERE __builtin_return_address(0)

#define TASKS(name, symbol)                                                                                                \
	long tbb_##name(long a, long b, long c, long d)                                                                    \
	{                                                                                                                  \
		task_order_piece(HERE);                                                                                    \
		return REAL(name)(a, b, c, d);                                                                             \
	}
#define LOOKS(name, symbol)                                                                                                \
	long tbb_##name(long a, long b, long c, long d)                                                                    \
	{                                                                                                                  \
		task_order_look(HERE);                                                                                     \
		return REAL(name)(a, b, c, d);                                                                             \
	}
#define CALLS(name, symbol)                                                                                                \
	long tbb_##name(long a, long b, long c, long d)                                                                    \
	{                                                                                                                  \
		if (!task_library_has(HERE))                                                                               \
			task_order_piece(HERE);                                                                            \
		return REAL(name)(a, b, c, d);                                                                             \
	}
/* a: the place of the pool; b: the size */
#define ALLOCATES(name, symbol)                                                                                            \
	long tbb_##name(long a, long b, long c, long d)                                                                    \
	{                                                                                                                  \
		if (!is_on())                                                                                              \
			return REAL(name)(a, b, c, d);                                                                     \
		*(void **)a = &no_pool;                                                                                    \
		return (long)malloc((size_t)b);                                                                            \
	}
/* a: the pool; b: the block */
#define GIVES_BACK(name, symbol)                                                                                           \
	long tbb_##name(long a, long b, long c, long d)                                                                    \
	{                                                                                                                  \
		if (a != (long)&no_pool)                                                                                   \
			return REAL(name)(a, b, c, d);                                                                     \
		task_order_piece(HERE);                                                                                    \
		free((void *)b);                                                                                           \
		return 0;                                                                                                  \
	}
#include "preload/hooks/tbb.def"
