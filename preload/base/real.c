/*
 * The real functions behind the hooks; see real.h.
 *
 * Each pointer first points to a stub (x86_64/real_stub.S), which resolves it at its first call: constructors of other libraries run before
 * simul's.
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "preload/base/guard.h"
#include "preload/base/libc_symbol.h"
#include "preload/base/real.h"

void real_resolve(void **slot);

#define PASS(ret, name, args)
#define REFUSE(ret, name, args) MODEL(ret, name, args)

#define MODEL(ret, name, args)                                                                     \
	extern const char real_stub_##name[];                                                      \
	ret(*real_##name) args SEALED = (ret(*) args)(void *)real_stub_##name;
#include "preload/base/hooks.def"
#undef MODEL

#define DESCRIBED(name, ...)                                                                            \
	extern const char real_stub_##name[];                                                      \
	void (*real_##name)(void) = (void (*)(void))(void *)real_stub_##name;
#define UNSEEN(name) DESCRIBED(name)
#include "preload/base/libc.def"

static const struct {
	void **slot;
	const char *name;
	bool of_libm;
} real_table[] = {
#define MODEL(ret, name, args) {(void **)&real_##name, #name, false},
#define DESCRIBED(name, ...) {(void **)&real_##name, #name, false},
#define MATH(name, ...) {(void **)&real_##name, #name, true},
#define UNSEEN(name) DESCRIBED(name)
#include "preload/base/hooks.def"
#include "preload/base/libc.def"
#undef MODEL
};

#undef PASS
#undef REFUSE

/* comes after hooks.def, which contains names that the rules forbid */
#include "preload/base/rules.h"

/* The names dlsym and dlvsym are hooks of simul. They call the functions found here. */
static void find_dlsym(void)
{
	void *found = libc_symbol("dlsym");

	memcpy(&real_dlsym, &found, sizeof(found));
}

/* libm may be loaded later, and only for a part of the program. */
static void *in_libm(const char *name)
{
	void *libm = real_dlopen("libm.so.6", RTLD_LAZY | RTLD_NOLOAD);

	return libm ? real_dlsym(libm, name) : NULL;
}

/*
 * dlsym may call a hook: for a missing symbol it allocates an error text, and the program's malloc may lock a mutex. This is harmless: the
 * stub behind that hook resolves only its own pointer.
 */
void real_init(void)
{
	static bool started;

	if (started)
		return;
	started = true;
	guard_open();
	find_dlsym();
	for (size_t i = 0; i < sizeof(real_table) / sizeof(real_table[0]); i++) {
		void *found = real_dlsym(RTLD_NEXT, real_table[i].name);

		if (found || !real_table[i].of_libm)
			*real_table[i].slot = found;
	}
}

static void *find(size_t i)
{
	return real_table[i].of_libm ? in_libm(real_table[i].name) : real_dlsym(RTLD_NEXT, real_table[i].name);
}

void *real_function(const char *name)
{
	real_init();
	for (size_t i = 0; i < sizeof(real_table) / sizeof(real_table[0]); i++)
		if (!strcmp(real_table[i].name, name)) /* *slot may not be resolved yet */
			return find(i);
	return NULL;
}

/* Called at the first call of *slot: makes it point to the real function (NULL when libc has none). */
void real_resolve(void **slot)
{
	void *stub = *slot;

	real_init();
	for (size_t i = 0; *slot == stub && i < sizeof(real_table) / sizeof(real_table[0]); i++)
		if (real_table[i].slot == slot)
			*slot = find(i);
}
