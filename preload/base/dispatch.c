#include "preload/base/dispatch.h"

#include <errno.h>

#include "preload/base/state.h"
#include "preload/base/guard.h"
#include "preload/base/operations.h"
#include "base/code_range.h"
#include "base/fixed_start.h"
#include "base/registers.h"
#include "base/user_dispatch.h"
#include "preload/base/maps.h"
#include "preload/base/real.h"
#include "preload/base/sys.h"
#include "preload/base/rules.h"

/* The kernel reads the selector of a kernel thread at each system call: 1 while the program runs, 0 inside simul. Each kernel thread has
   its own, because a thread that has passed the baton is still inside simul when the next thread leaves it. `nobody` stands in before the
   first thread has one. */
static char nobody;
char *ctl_selector = &nobody;

/* The code of libc, of simul and of the dynamic linker. The kernel never dispatches system calls from libc's range. */
static struct code_range libc SEALED = { 0, 0, 0 }, own SEALED = { 0, 0, 0 }, linker SEALED = { 0, 0, 0 };
static uint64_t restorer SEALED = 0; /* where the handler returns to */

extern void *__tls_get_addr(void *);

static bool by_linker;

bool dispatch_by_linker(void)
{
	bool by = by_linker;
	by_linker = false;
	return by;
}

/* Notes the call of the program at pc for certificates. */
static void note_call(uint64_t pc)
{
	struct session_sensors *sensors = ctl_segment(ctl_session->layout.sensors_off);
	if (!sensors->inline_call)
		sensors->inline_call = operations.original_pc(pc - 1);
}

/* Performs the system call on the stack of the thread that made it, because other threads may run before the call returns. */
static void on_sigsys(int sig, siginfo_t *si, void *ctx)
{
	ucontext_t *uc = ctx;
	uint64_t pc = context_pc(uc);
	if (si->si_code != SYS_USER_DISPATCH) {
		operations.fatal_signal(sig, si, ctx);
		return;
	}
	long n = si->si_syscall, a[6];
	for (unsigned i = 0; i < 6; i++)
		a[i] = context_argument(uc, i);
	*ctl_selector = 0;
	bool mine = code_range_has(&own, pc); /* a system call of simul itself */
	if (mine || ctl_state != CTL_ON || ctl_inside) {
		context_set_result(uc, sys_call6(n, a[0], a[1], a[2], a[3], a[4], a[5]));
		*ctl_selector = mine ? 1 : 0;
		return;
	}
	int saved = errno;
	bool of_linker = code_range_has(&linker, pc) || pc - FIXED_START_DETOUR < PAGE_BYTES;
	by_linker = of_linker && (n == SYS_mmap || n == SYS_mprotect);
	if (!of_linker)
		note_call(pc);
	long r = syscall(n, a[0], a[1], a[2], a[3], a[4], a[5]);
	context_set_result(uc, r == -1 ? -errno : r);
	errno = saved;
	*ctl_selector = 1;
}

/* Installs the handler. It must return through libc's restorer, whose system call is not dispatched. */
static bool install(void)
{
	struct sigaction sa = { .sa_sigaction = on_sigsys, .sa_flags = SA_SIGINFO | SA_NODEFER };
	struct sys_sigaction k;
	if (real_sigaction(SIGSYS, &sa, NULL) || sys_sigaction(SIGSYS, NULL, &k))
		return false;
	restorer = (uintptr_t)k.restorer;
	return code_range_has(&libc, restorer);
}

bool dispatch_is_return(uint64_t pc)
{
	return pc && pc == restorer;
}

void dispatch_init(void)
{
	libc = code_range_of(real__exit);
	own = code_range_of(dispatch_init);
	linker = code_range_of(__tls_get_addr);
	if (!install())
		libc.lo = libc.hi = 0;
}

void dispatch_on(char *selector)
{
	if (libc.lo)
		sys_call5(SYS_prctl, PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, (long)libc.lo,
			(long)(libc.hi - libc.lo), (long)selector);
}
