#include "preload/modules/own_allocator.h"

#include <dlfcn.h>
#include <string.h>

#include "base/base_name.h"
#include "preload/base/real.h"
#include "preload/failure/imports.h"
#include "preload/base/state.h"
#include "preload/base/rules.h"

/* What containers need of oneTBB. A program that calls any other function of it may have tasks. */
static const char *const container_functions[] = { "_ZN3tbb6detail2r115allocate_memoryEm", "_ZN3tbb6detail2r117deallocate_memoryEPv",
	"_ZN3tbb6detail2r122cache_aligned_allocateEm", "_ZN3tbb6detail2r124cache_aligned_deallocateEPv",
	"_ZN3tbb6detail2r115throw_exceptionENS0_2d012exception_idE", NULL };

static bool begins(const char *path, const char *with)
{
	return !strncmp(base_name(path), with, strlen(with));
}

static bool is_loaded(const char *name)
{
	void *there = real_dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
	if (there)
		real_dlclose(there);
	return there;
}

bool own_allocator_left_out(const char *name, const void *caller)
{
	Dl_info from;
	if (!ctl_session || !ctl_session->config.settings.known_locks || !begins(name, "libtbbmalloc.so") || !dladdr(caller, &from) || !from.dli_fname ||
		!begins(from.dli_fname, "libtbb.so") || is_loaded(name) ||
		(!(ctl_session->config.settings.known_locks & KNOWN_TASKS) && imports_others("_ZN3tbb", container_functions)))
		return false;
	ctl_session->ctl.facts.own_allocator = 1;
	return true;
}
