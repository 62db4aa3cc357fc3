/*
 * dlsym and dlvsym. Some libraries look up libc's functions by RTLD_NEXT or a handle of libc: jemalloc finds pthread_create that way, and
 * Python's ctypes every function. Libc's results would bypass simul's hooks, so these libraries get the hooks.
 */
#include <dlfcn.h>
#include <errno.h>
#include <gnu/libc-version.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "preload/accesses/ranges.h"
#include "preload/base/real.h"
#include "preload/hooks/wrappers.h"

#include "preload/kernel/effects.h"
#include "preload/base/rules.h"

/* Called by dlsym and dlvsym (x86_64/dlsym.S). Each returns the hook that replaces the function found by libc; NULL: it has no hook. */
void *dlsym_hook(void *handle, const char *name, const void *caller);
void *dlvsym_hook(void *handle, const char *name, const char *version, const void *caller);

/* Returns the start of the library that contains p; NULL: none does. */
static const void *library_of(const void *p)
{
	Dl_info info;

	return dladdr(p, &info) ? info.dli_fbase : NULL;
}

/* Returns whether it is libc or libm. */
static bool is_libc(const void *library)
{
	return library == library_of((const void *)gnu_get_libc_version) || (library && library == library_of(real_function("sincos")));
}

/* Returns whether libc's constructor has run, which sets both. AddressSanitizer calls dlsym earlier, from the program's .preinit_array. */
static bool libc_has_begun(void)
{
	return environ || *program_invocation_name;
}

/* Returns the definition of `name` in the loaded library with this name or path. */
static void *defined_in(const char *library, const char *name)
{
	void *handle = real_dlopen(library, RTLD_LAZY | RTLD_NOLOAD);

	return handle ? real_dlsym(handle, name) : NULL;
}

pthread_create_fn wrapped_pthread_create(const void *caller)
{
	const void *wrapper = library_of((const void *)real_pthread_create);
	void *found = is_libc(wrapper) || wrapper != library_of(caller) ? NULL : defined_in("libc.so.6", "pthread_create");
	pthread_create_fn create;

	memcpy(&create, &found, sizeof(create));
	return create;
}

/* Returns the hook of that name. NULL: there is none, or the caller needs the function behind it, since the caller is simul or a library that
   wraps the function. */
static void *hook_for(void *handle, const char *name, const void *caller)
{
	void *real;
	bool wrapped;
	Dl_info own;

	/* real_function, is_libc and defined_in may call dlopen, which would run simul's constructor, which needs libc's. Only the program and what is
	   preloaded before simul run so early, and RTLD_NEXT finds simul's hooks for them. */
	if (!libc_has_begun())
		return NULL;
	real = real_function(name);
	if (!real || !dladdr((const void *)dlsym_hook, &own) || library_of(caller) == own.dli_fbase)
		return NULL;
	wrapped = !is_libc(library_of(real));
	/* The hook of a wrapped function calls the wrapper, so the wrapper must get libc's function. Only pthread_create is handled
	   otherwise (wrappers.h). */
	if (wrapped && (handle != RTLD_NEXT || library_of(caller) != library_of(real) || strcmp(name, "pthread_create") != 0))
		return NULL;
	return defined_in(own.dli_fname, name);
}

/* Reports the read of the name. */
static void name_read(const char *name, const void *caller)
{
	if (watched() && name)
		range_string(name, SIZE_MAX, 1, (uintptr_t)caller, NULL, NULL);
}

void *dlsym_hook(void *handle, const char *name, const void *caller)
{
	name_read(name, caller);
	void *hook = handle == RTLD_DEFAULT ? NULL : hook_for(handle, name, caller);
	const uint64_t none[6] = {0};

	if (handle == RTLD_DEFAULT)
		effects_before(effects_of_dlsym, none, caller);

	real_init();
	return hook && (handle == RTLD_NEXT || real_dlsym(handle, name) == real_function(name)) ? hook : NULL;
}

/* A hook stands for all versions of its function, as it does where the loader binds a name. A hook has no version, so libc's dlvsym does
   not find it, not even with RTLD_DEFAULT. */
void *dlvsym_hook(void *handle, const char *name, const char *version, const void *caller)
{
	name_read(name, caller);
	void *hook = hook_for(handle, name, caller);

	real_init();
	return hook && is_libc(library_of(real_dlvsym(handle, name, version))) ? hook : NULL;
}
