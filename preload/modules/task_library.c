#include "preload/modules/task_library.h"

#include <string.h>

#include "base/base_name.h"
#include "base/lock_owners.h"
#include "preload/base/state.h"
#include "preload/memory/left_out.h"
#include "preload/base/rules.h"

struct task_library task_library;

void task_library_look(const char *path, uint64_t code, uint64_t end)
{
	if (!(ctl_session->config.settings.known_locks & KNOWN_TASKS) || strncmp(base_name(path), "libtbb.so", strlen("libtbb.so")))
		return;
	task_library.lo = code;
	task_library.hi = end;
	code_ranges_add(&left_out_code, code, end, LOCK_OF_USER); /* what libc accesses for it, such as thread-specific data */
}
