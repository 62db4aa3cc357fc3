/* The library's constructor: runs before the program's own code. */
#include <dirent.h>
#include <execinfo.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "enforce/lib/gate.h"
#include "enforce/lib/hook_futex.h"
#include "enforce/lib/hook_malloc.h"
#include "enforce/lib/hook_thread.h"
#include "enforce/lib/inline_calls.h"
#include "enforce/lib/input.h"
#include "enforce/lib/memory.h"
#include "enforce/lib/modules.h"
#include "enforce/lib/own_files.h"
#include "enforce/lib/real.h"
#include "enforce/lib/after.h"
#include "preload/patch/patch.h"

__thread uint8_t after_pending;

/* A thread entered old code at a place that the patcher did not expect. It continues in the new code. */
static void trapped(int signal, siginfo_t *info, void *context)
{
	struct sigaction plain = {.sa_handler = SIG_DFL};

	if (patch_trap(context))
		return;
	(void)REAL(sigaction)(SIGTRAP, &plain, NULL);
	(void)REAL(raise)(SIGTRAP); /* a breakpoint instruction is behind it by now, and would not trap again */
}

static void catch_traps(void)
{
	struct sigaction action = {.sa_sigaction = trapped, .sa_flags = SA_SIGINFO | SA_RESTART | SA_NODEFER};

	sigaction(SIGTRAP, &action, NULL);
}

/* Programs that this one starts are not enforced. */
static void clean_environment(void)
{
	const char *list = getenv("LD_PRELOAD"), *own = list ? strstr(list, "libsimul_enforce.so") : NULL, *end;

	unsetenv(PLAN_ENV);
	if (!own)
		return;
	end = own + strcspn(own, ": ");
	if (*end)
		setenv("LD_PRELOAD", end + 1, 1); /* simul puts it first */
	else
		unsetenv("LD_PRELOAD");
}

/* Returns whether there is more than one thread. If so, code must not be patched. */
static bool has_threads(void)
{
	DIR *d = opendir("/proc/self/task");
	unsigned n = 0;

	while (d && readdir(d))
		n++;
	if (d)
		closedir(d);
	return n > 3; /* with "." and ".." */
}

__attribute__((constructor)) static void begin(void)
{
	void *frame[2];
	bool complete;

	if (!gate_init())
		return;
	clean_environment();
	input_init();
	complete = modules_init();
	if (has_threads())
		gate_refuse("the certificate cannot be enforced: a library makes threads when it is loaded");
	if (gate_plan->certified) { /* else every schedule is verified */
		backtrace(frame, 2); /* loads and initialises libgcc_s, as the search does, so that the program has no events for that */
		gate_owns = true;
		catch_traps();
		futex_init();
		own_files_init();
		threads_init();
		memory_init(complete);
		inline_calls_init();
		heap_begin(); /* last, because all allocations so far are libc's, as in the search */
	}
	gate_ready = true;
}
