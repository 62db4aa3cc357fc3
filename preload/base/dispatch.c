#include "preload/base/dispatch.h"

#include <errno.h>
#include <link.h>
#include <sys/prctl.h>

#include "preload/base/state.h"
#include "preload/base/guard.h"
#include "preload/base/operations.h"
#include "base/fixed_start.h"
#include "base/registers.h"
#include "preload/base/maps.h"
#include "preload/base/real.h"
#include "preload/base/sys.h"
#include "preload/base/rules.h"

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#define PR_SYS_DISPATCH_ON 1
#endif
#ifndef SYS_USER_DISPATCH
#define SYS_USER_DISPATCH 2 /* si_code */
#endif

/* The kernel reads the selector of a kernel thread at each system call: 1 while the program runs, 0 inside simul. Each kernel thread has
   its own, because a thread that has passed the baton is still inside simul when the next thread leaves it. `nobody` stands in before the
   first thread has one. */
static char nobody;
char *ctl_selector = &nobody;

/* The code ranges of libc, of simul and of the dynamic linker. The kernel never dispatches system calls from libc's range. */
static struct code {
	uint64_t pc; /* an address in this code */
	uint64_t lo, hi;
} libc SEALED = { 0, 0, 0 }, own SEALED = { 0, 0, 0 }, linker SEALED = { 0, 0, 0 };

extern void *__tls_get_addr(void *);

static bool by_linker;

bool dispatch_by_linker(void)
{
	bool by = by_linker;
	by_linker = false;
	return by;
}

static int find_code(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct code *c = arg;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uint64_t lo = info->dlpi_addr + p->p_vaddr;
		if (p->p_type == PT_LOAD && (p->p_flags & PF_X) && c->pc - lo < p->p_memsz) {
			c->lo = lo;
			c->hi = lo + p->p_memsz;
			return 1;
		}
	}
	return 0;
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
	bool mine = pc - own.lo < own.hi - own.lo; /* a system call of simul itself */
	if (mine || ctl_state != CTL_ON || ctl_inside) {
		context_set_result(uc, sys_call6(n, a[0], a[1], a[2], a[3], a[4], a[5]));
		*ctl_selector = mine ? 1 : 0;
		return;
	}
	int saved = errno;
	struct session_sensors *sensors = ctl_segment(ctl_session->layout.sensors_off);
	if (n == SYS_futex && !sensors->inline_futex)
		sensors->inline_futex = operations.original_pc(pc - 1);
	by_linker = (n == SYS_mmap || n == SYS_mprotect) && (pc - linker.lo < linker.hi - linker.lo ||
		pc - FIXED_START_DETOUR < PAGE_BYTES);
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
	return (uintptr_t)k.restorer - libc.lo < libc.hi - libc.lo;
}

void dispatch_init(void)
{
	libc.pc = (uintptr_t)real__exit;
	own.pc = (uintptr_t)dispatch_init;
	dl_iterate_phdr(find_code, &libc);
	dl_iterate_phdr(find_code, &own);
	linker.pc = (uintptr_t)__tls_get_addr;
	dl_iterate_phdr(find_code, &linker);
	if (!install())
		libc.lo = libc.hi = 0;
}

void dispatch_on(char *selector)
{
	if (libc.lo)
		sys_call5(SYS_prctl, PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, (long)libc.lo,
			(long)(libc.hi - libc.lo), (long)selector);
}
