/*
 * dlopen, dlmopen and dlclose. The hook patches new code as soon as it is loaded. At that point the constructors of the new code have already run.
 *
 * libc looks for a name without a slash in the directories that the calling library names (DT_RUNPATH). It finds the calling library by the
 * return address, which is simul's here. So the hook searches these directories itself, where libc would.
 */
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "preload/control/ctl.h"
#include "preload/control/exceptions.h"
#include "preload/control/fiber.h"
#include "preload/failure/debug.h"
#include "preload/kernel/effects.h"
#include "preload/base/real.h"
#include "preload/life/rewind.h"
#include "preload/modules/own_allocator.h"
#include "preload/modules/sensors.h"
#include "preload/base/sys.h"

#include "preload/base/rules.h"

#define MAX_PATH 4096

/* Appends n bytes and a terminator at *at, and moves *at. Returns false when there is no room. */
static bool append_text(char *to, size_t *at, const char *from, size_t n)
{
	if (*at + n >= MAX_PATH)
		return false;
	memcpy(to + *at, from, n);
	to[*at += n] = 0;
	return true;
}

/* Writes a path to `to`: a directory of a RUNPATH, with $ORIGIN replaced, and the file name. Returns false when there is no room. */
static bool candidate(char *to, const struct link_map *of, const char *dir, size_t n, const char *name)
{
	const char *slash = strrchr(of->l_name, '/');
	size_t at = 0, origin = slash ? (size_t)(slash - of->l_name) : 0;
	char program[MAX_PATH];
	const char *base = of->l_name;
	if (!slash) { /* in the list of modules, the program itself has no name */
		long got = sys_call3(SYS_readlink, (long)"/proc/self/exe", (long)program, sizeof program - 1);
		program[got > 0 ? got : 0] = 0;
		base = program;
		slash = strrchr(program, '/');
		origin = slash ? (size_t)(slash - program) : 0;
	}
	for (size_t i = 0; i < n;) {
		size_t skip = !strncmp(dir + i, "$ORIGIN", 7) ? 7 : !strncmp(dir + i, "${ORIGIN}", 9) ? 9 : 0;
		if (!append_text(to, &at, skip ? base : dir + i, skip ? origin : 1))
			return false;
		i += skip ? skip : 1;
	}
	return append_text(to, &at, "/", 1) && append_text(to, &at, name, strlen(name));
}

/* Returns a string of the dynamic section; NULL: there is no such entry. */
static const char *dynamic_string(const struct link_map *of, ElfW(Sxword) tag)
{
	uintptr_t strings = 0;
	const ElfW(Dyn) *found = NULL;

	for (const ElfW(Dyn) *d = of->l_ld; d && d->d_tag != DT_NULL; d++)
		if (d->d_tag == DT_STRTAB)
			strings = d->d_un.d_ptr < of->l_addr ? of->l_addr + d->d_un.d_ptr : d->d_un.d_ptr; /* libc does not relocate this pointer in the vDSO */
		else if (d->d_tag == tag)
			found = d;
	return found && strings ? (const char *)strings + found->d_un.d_val : NULL;
}

/* Returns whether a library with this name is loaded; libc then uses it and does not search. `any`: one of the loaded libraries. */
static bool is_loaded(const char *name, const struct link_map *any)
{
	while (any->l_prev)
		any = any->l_prev;
	for (; any; any = any->l_next) {
		const char *own = dynamic_string(any, DT_SONAME);

		if (own && !strcmp(own, name))
			return true;
	}
	return false;
}

/* Searches the directories of `path`, which colons separate, for a readable file. Returns its path in buf, or NULL. */
static const char *search(const char *path, const struct link_map *of, const char *name, char *buf)
{
	while (path && *path) {
		size_t n = (size_t)(strchrnul(path, ':') - path);

		if (n && candidate(buf, of, path, n, name) && sys_call2(SYS_access, (long)buf, R_OK) == 0)
			return buf;
		path += n + (path[n] == ':');
	}
	return NULL;
}

/* Returns the path of `name` in the RUNPATH of the library that contains `caller`, in buf. NULL: libc has to search. libc itself finds
   loaded libraries and those in LD_LIBRARY_PATH, which come first. */
static const char *by_runpath(const char *name, const void *caller, char *buf)
{
	Dl_info info;
	struct link_map *of = NULL;

	if (!name || strchr(name, '/') || !dladdr1(caller, &info, (void **)&of, RTLD_DL_LINKMAP) || !of)
		return NULL;
	const char *path = dynamic_string(of, DT_RUNPATH);

	if (!path || is_loaded(name, of) || search(real_getenv("LD_LIBRARY_PATH"), of, name, buf))
		return NULL;
	return search(path, of, name, buf);
}

/* ---- what dlclose unloads ---- */

#define MOST_HANDLES 64

/* Libraries that dlopen loaded. simul keeps their code loaded, but without simul the last dlclose would unload it. */
static struct loaded {
	void *handle;
	unsigned opens;
} library[MOST_HANDLES];
static unsigned n_libraries;
static bool more_libraries; /* than fit in the table */

/* The last library of those that were loaded when the program called dlopen first. It never goes away, nor do those before it. */
static const struct link_map *last_first;

static void before_dlopen(void)
{
	Dl_info info;
	struct link_map *of = NULL;

	if (last_first || !dladdr1((const void *)before_dlopen, &info, (void **)&of, RTLD_DL_LINKMAP))
		return;
	for (; of; of = of->l_next)
		last_first = of;
}

static bool came_later(const struct link_map *of)
{
	for (; of; of = of->l_next)
		if (of == last_first)
			return false;
	return true;
}

/* Returns whether the library itself asks to be kept. */
static bool is_kept(const struct link_map *of)
{
	for (const ElfW(Dyn) *d = of->l_ld; d && d->d_tag != DT_NULL; d++)
		if (d->d_tag == DT_FLAGS_1 && d->d_un.d_val & DF_1_NODELETE)
			return true;
	return false;
}

static void opened(void *handle, int flags)
{
	for (unsigned i = 0; i < n_libraries; i++)
		if (library[i].handle == handle) {
			library[i].opens++;
			return;
		}
	if (!came_later(handle) || flags & RTLD_NODELETE || is_kept(handle))
		return;
	if (n_libraries < MOST_HANDLES)
		library[n_libraries++] = (struct loaded){ handle, 1 };
	else
		more_libraries = true;
}

static bool unloads(void *handle)
{
	for (unsigned i = 0; i < n_libraries; i++)
		if (library[i].handle == handle)
			return library[i].opens && !--library[i].opens;
	return more_libraries;
}

/* ---- loading ---- */

/* The event of a call that changes which libraries are loaded, or only looks at that. A change has one before the call
   and one after it: in between constructors or destructors run. */
static void libraries(bool change, const void *pc)
{
	const uint64_t none[6] = {0};

	effects_before(change ? effects_of_dlopen : effects_of_dlsym, none, pc);
}

static void *load(const char *name, int flags, const void *caller)
{
	char buf[MAX_PATH];
	if (name && own_allocator_left_out(name, caller))
		return NULL;
	const char *file = by_runpath(name, caller, buf);
	before_dlopen();
	if (name)
		libraries(!(flags & RTLD_NOLOAD), caller);
	void *handle = real_dlopen(file ? file : name, flags);
	if (handle && name)
		opened(handle, flags);
	if (name)
		rewind_taint("load code");
	if (handle && name && ctl_enter()) {
		fiber_code_loaded();
		/* Patched code must stay loaded. Otherwise other code could be loaded at the same address, where the old patches would
		   still apply. */
		if (sensors_loaded()) {
			real_dlopen(file ? file : name, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
			debug_stop(DEBUG_PATCHED, ctl_self());
		}
		ctl_leave();
	}
	if (name && !(flags & RTLD_NOLOAD))
		libraries(true, caller); /* after the new code is patched */
	return handle;
}

void *dlopen(const char *name, int flags)
{
	return load(name, flags, __builtin_return_address(0));
}

int dlclose(void *handle)
{
	if (unloads(handle) && ctl_enter()) {
		except_for(EXCEPT_UNLOADED, (uintptr_t)__builtin_return_address(0));
		ctl_leave();
	}
	libraries(true, __builtin_return_address(0));
	int r = real_dlclose(handle);

	libraries(true, __builtin_return_address(0));
	return r;
}

void *dlmopen(Lmid_t space, const char *name, int flags)
{
	if (space == LM_ID_BASE)
		return load(name, flags, __builtin_return_address(0));
	void *handle = real_dlmopen(space, name, flags);
	rewind_taint("load code");
	if (handle && ctl_enter()) {
		fiber_code_loaded();
		ctl_uncontrolled("code that dlmopen loads with a libc of its own, whose calls and accesses are not seen");
		ctl_leave();
	}
	return handle;
}
