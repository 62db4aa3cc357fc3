/*
 * Fatal signals: SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, and SIGNAL_HANG, by which the supervisor reports that the execution
 * hangs. (dispatch.c handles SIGSYS.) Their handlers run on a signal stack of simul's own, so that a stack overflow can be reported.
 */
#include <signal.h>
#include <string.h>
#include <sys/mman.h>

#include "base/registers.h"
#include "preload/control/fiber.h"
#include "preload/control/thread_pointer.h"
#include "preload/failure/bug.h"
#include "preload/failure/stack.h"
#include "preload/kernel/signals.h"
#include "preload/life/crash.h"
#include "preload/memory/mapped_ranges.h"
#include "preload/memory/block_bug.h"
#include "preload/control/ctl.h"
#include "preload/patch/patch.h"
#include "preload/base/real.h"
#include "preload/modules/sensors.h"
#include "preload/base/sys.h"
#include "preload/base/rules.h"

#define NEAR_STACK (1024 * 1024)
#define FIRST_PAGE 4096u /* of the address space: never mapped */

static const int fatal[] = { SIGBUS, SIGFPE, SIGILL, SIGABRT };

static bool overflowed(const siginfo_t *si, const ucontext_t *uc)
{
	uint64_t addr = (uintptr_t)si->si_addr;
	uint64_t sp = context_sp(uc);
	const struct fiber *f = fiber_cur;
	if (si->si_signo != SIGSEGV || addr - (sp - NEAR_STACK) > 2 * NEAR_STACK)
		return false;
	if (!f->stack.lo) /* T0, whose stack the kernel grows up to the limit */
		return sp - addr < NEAR_STACK || addr - sp < 4096;
	return addr < (uintptr_t)f->stack.lo + 65536 && addr + 1024 * 1024 > (uintptr_t)f->stack.lo;
}

static const char *name_of(int sig)
{
	const char *name = sigabbrev_np(sig);
	return name ? name : "?";
}

/* true while a stack is walked: a fault then comes from the walk, not from the program. */
static bool walking;

static void __attribute__((noreturn)) bug_sign_and_die(struct session_bug *b)
{
	bug_sign(b);
	bug_die();
}

static void *libc_restorer;

/* Prepares the return of the handler of this context into the program. The system call that ends the handler must come from libc's code, or
   dispatch.c would take it for a call of the program. The handler's return address lies just below the context. */
static void return_by_libc(void *ctx)
{
	((void **)ctx)[-1] = libc_restorer;
}

/* Ends the process by this signal, as it would end without simul. */
static void die_by(int sig)
{
	struct sys_sigaction sa = { .handler = SIG_DFL };
	sys_sigaction(sig, &sa, NULL);
	sys_tgkill(sys_getpid(), sys_gettid(), sig);
}

void crash_signal(int sig, siginfo_t *si, void *ctx)
{
	const ucontext_t *uc = ctx;
	if (sig == SIGSEGV || sig == SIGBUS)
		patch_read_fault();
	if (ctl_state != CTL_ON) {
		die_by(sig); /* before control began; native children have their own dispositions */
		return;
	}
	patch_to_original(ctx); /* the program and the unwinder must see the original code address */
	char selector = *ctl_selector;
	*ctl_selector = 0;
	thread_pointer_need();
	if (signals_enter_handler(sig, si, ctx, libc_restorer)) {
		*ctl_selector = selector;
		return_by_libc(ctx);
		return;
	}
	ctl_force_enter();
	uint64_t pc = context_pc(uc);
	bool own = stack_is_simul(pc);
	if (ctl_session->ctl.execution.flight == FLIGHT_ENDED || ctl_session->ctl.execution.deciding) { /* not the program's fault; see run_mend */
		ctl_session->ctl.failure.own_fault = own ? stack_simul_offset(pc) : 0;
		sys_exit_group(SIMUL_DIED);
	}
	if (walking) /* the stack is broken: the report has the part found so far */
		bug_sign_and_die(&ctl_session->bug);
	walking = true;
	bool invalid_free = sig == SIGABRT && block_bug_libc;
	struct session_bug *b = invalid_free ? block_bug_aborted() : bug_begin(sig == SIGABRT ? BUG_ASSERT : BUG_CRASH);
	b->signal = sig;
	b->fault_addr = sig == SIGABRT ? 0 : (uintptr_t)si->si_addr;
	if (invalid_free)
		;
	else if (sig == SIGABRT)
		bug_message(b, "aborted (SIGABRT)");
	else if (overflowed(si, uc))
		bug_message(b, "stack overflow (SIG%s)", name_of(sig));
	else if (own && sig != SIGABRT && mapped_has((uintptr_t)si->si_addr))
		bug_message(b, "SIG%s: the call uses memory that is not mapped", name_of(sig));
	else if (own && sig != SIGABRT && (uintptr_t)si->si_addr < FIRST_PAGE)
		bug_message(b, "SIG%s: the call uses a null pointer (address 0x%x)", name_of(sig),
			(unsigned)(uintptr_t)si->si_addr);
	else if (own && sig != SIGABRT)
		bug_message(b, "SIG%s in simul's code for this call: an argument of the call is bad, or simul has a fault", name_of(sig));
	else
		bug_message(b, "SIG%s", name_of(sig));
	stack_of_context(uc, b->stack.pc, &b->stack.n, SESSION_STACK);
	bug_sign_and_die(b);
}

/* For signal handlers that may return into the program. Between enter and leave such a handler is inside simul. */
struct within {
	char selector;
	int inside;
};

static struct within enter(void)
{
	struct within was = { *ctl_selector, ctl_inside };
	*ctl_selector = 0;
	ctl_inside = 1;
	return was;
}

static void leave(struct within was)
{
	ctl_inside = was.inside;
	*ctl_selector = was.selector;
}

/* Handles SIGTRAP. A trap in patched code, in this process or one that it forked, means that the program jumped to an address without a
   stub. Any other trap is the program's own. */
static void trap_signal(int sig, siginfo_t *si, void *ctx)
{
	struct within was = enter();
	bool ours = patch_trap(ctx);
	leave(was);
	if (ours) {
		if (ctl_session)
			((struct session_sensors *)ctl_segment(ctl_session->layout.sensors_off))->traps++;
		return;
	}
	if (ctl_state == CTL_ON) {
		crash_signal(sig, si, ctx);
		return;
	}
	die_by(SIGTRAP);
}

/* Handles SIGSEGV, which is a use of a thread pointer that is not set (thread_pointer.h), the first call of a function
   of a protected library (sensors.h), or a crash. */
static void fault_signal(int sig, siginfo_t *si, void *ctx)
{
	struct within was = enter();
	uint64_t addr = (uintptr_t)si->si_addr;
	bool ours = si->si_code == SEGV_ACCERR &&
		    (thread_pointer_fault(addr) || (ctl_state == CTL_ON && sensors_fault(ctx, addr)));
	leave(was);
	if (!ours)
		crash_signal(sig, si, ctx);
}

static void hang_signal(int sig, siginfo_t *si, void *ctx)
{
	struct session *s = ctl_session;
	return_by_libc(ctx);
	if (ctl_state != CTL_ON || !s->ctl.handshake.hang_request)
		return;
	if (s->ctl.execution.accounting || s->ctl.execution.deciding) /* simul is what takes so long, not the program; see run_mend */
		return;
	if (!fiber_is_running()) { /* the report needs the stack of the running kernel thread */
		sys_tgkill(s->ctl.execution.exec_pid, fiber_cur->kernel.tid, SIGNAL_HANG);
		return;
	}
	ctl_force_enter();
	s->ctl.handshake.hang_request = 0;
	patch_to_original(ctx);
	struct session_bug *b = bug_begin(BUG_HANG);
	bug_message(b, "no scheduling point for too long: an endless loop?");
	walking = true;
	stack_of_context(ctx, b->stack.pc, &b->stack.n, SESSION_STACK);
	/* The signal hits an arbitrary place of the endless loop, so the signature leaves the stack out. */
	struct session_stack keep = b->stack;
	b->stack.n = 0;
	bug_sign(b);
	b->stack = keep;
	bug_die();
}

static void install(int sig, void (*handler)(int, siginfo_t *, void *))
{
	struct sys_sigaction sa = {
		.handler = (void *)handler,
		.flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SYS_SA_RESTORER,
		.restorer = (void *)crash_restorer,
	};
	sys_sigaction(sig, &sa, NULL);
}

void crash_init(void)
{
	struct sys_sigaction k;
	fiber_signal_stack();
	/* These handlers return into the program by libc's own restorer, whose system call is not dispatched. */
	struct sigaction sa = { .sa_sigaction = trap_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER };
	real_sigaction(SIGTRAP, &sa, NULL);
	sa.sa_sigaction = fault_signal;
	real_sigaction(SIGSEGV, &sa, NULL);
	if (!sys_sigaction(SIGTRAP, NULL, &k))
		libc_restorer = k.restorer;
	for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
		install(fatal[i], crash_signal);
	install(SIGNAL_HANG, hang_signal);
}
