/*
 * Dispositions, masks and sending of signals. The model is in kernel/signal_state.c, waiting for signals in hook_sigwait.c.
 */
#include "preload/base/real.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "preload/control/core.h"
#include "preload/control/ctl.h"
#include "preload/memory/dead_stack.h"
#include "preload/kernel/process.h"
#include "preload/life/worker.h"
#include "preload/kernel/signals.h"
#include "preload/base/sys.h"

#include "preload/base/rules.h"

#define BAD_SIG(sig) ((sig) < 1 || (sig) > 64 || (sig) == 32 || (sig) == 33)

static int fail(int err)
{
	ctl_leave();
	errno = err;
	return -1;
}

static uint64_t set_bits(const sigset_t *set)
{
	uint64_t bits;

	memcpy(&bits, set, sizeof(bits));
	return bits;
}

static void set_from_bits(sigset_t *set, uint64_t bits)
{
	memset(set, 0, sizeof(*set));
	memcpy(set, &bits, sizeof(bits));
}

/* ---- dispositions ---- */

static int do_sigaction(int sig, const struct sigaction *act, struct sigaction *old)
{
	struct disposition *d;

	if (BAD_SIG(sig) || (act && (sig == SIGKILL || sig == SIGSTOP)))
		return fail(EINVAL);
	d = signals_disposition(sig);
	if (act && (void *)act->sa_handler != d->handler)
		signals_before_mask(signals_mask(ctl_self()) | SIG_BIT(sig), NULL); /* until here the old handler may run */
	struct disposition was = *d;
	if (act) {
		d->handler = (void *)act->sa_handler;
		d->flags = (unsigned)act->sa_flags;
		d->mask = set_bits(&act->sa_mask);
		signals_changed(sig);
	}
	if (old) {
		memset(old, 0, sizeof(*old));
		old->sa_handler = (void (*)(int))was.handler;
		old->sa_flags = (int)was.flags;
		set_from_bits(&old->sa_mask, was.mask);
	}
	ctl_leave();
	return 0;
}

int sigaction(int sig, const struct sigaction *restrict act, struct sigaction *restrict old)
{
	return ctl_enter() ? do_sigaction(sig, act, old) : real_sigaction(sig, act, old);
}

int __sigaction(int sig, const struct sigaction *restrict act, struct sigaction *restrict old)
{
	return ctl_enter() ? do_sigaction(sig, act, old) : real_sigaction(sig, act, old);
}

static hook_signal_fn do_signal(int sig, hook_signal_fn handler, int flags)
{
	struct sigaction sa = {.sa_handler = handler, .sa_flags = flags}, old;

	if (handler == SIG_ERR) {
		fail(EINVAL);
		return SIG_ERR;
	}
	if (!(flags & SA_NODEFER) && !BAD_SIG(sig))
		sigaddset(&sa.sa_mask, sig);
	return do_sigaction(sig, &sa, &old) ? SIG_ERR : old.sa_handler;
}

hook_signal_fn signal(int sig, hook_signal_fn handler)
{
	return ctl_enter() ? do_signal(sig, handler, SA_RESTART) : real_signal(sig, handler);
}

hook_signal_fn bsd_signal(int sig, hook_signal_fn handler)
{
	return ctl_enter() ? do_signal(sig, handler, SA_RESTART) : real_signal(sig, handler);
}

hook_signal_fn ssignal(int sig, hook_signal_fn handler)
{
	return ctl_enter() ? do_signal(sig, handler, SA_RESTART) : real_signal(sig, handler);
}

#define SYSV_FLAGS (SA_RESETHAND | SA_NODEFER | SA_INTERRUPT)

hook_signal_fn sysv_signal(int sig, hook_signal_fn handler)
{
	return ctl_enter() ? do_signal(sig, handler, SYSV_FLAGS) : real_sysv_signal(sig, handler);
}

hook_signal_fn __sysv_signal(int sig, hook_signal_fn handler)
{
	return ctl_enter() ? do_signal(sig, handler, SYSV_FLAGS) : real_sysv_signal(sig, handler);
}

int siginterrupt(int sig, int interrupt)
{
	if (!ctl_enter())
		return real_siginterrupt(sig, interrupt);
	if (BAD_SIG(sig))
		return fail(EINVAL);
	if (interrupt)
		signals_disposition(sig)->flags &= ~(unsigned)SA_RESTART;
	else
		signals_disposition(sig)->flags |= SA_RESTART;
	ctl_leave();
	return 0;
}

int sigignore(int sig)
{
	struct sigaction sa = {.sa_handler = SIG_IGN};

	return ctl_enter() ? do_sigaction(sig, &sa, NULL) : real_sigignore(sig);
}

/* ---- masks ---- */

/* Does what pthread_sigmask does. Returns 0 or an errno value. Call it after ctl_enter; it calls ctl_leave. */
static int do_mask(int how, const sigset_t *set, sigset_t *old, const void *pc)
{
	uint64_t was = signals_mask(ctl_self()), bits = set ? set_bits(set) : 0;
	int err = 0;

	if (old)
		set_from_bits(old, was);
	if (set && (how == SIG_BLOCK || how == SIG_SETMASK))
		signals_before_mask(how == SIG_BLOCK ? was | bits : bits, pc);
	if (set && how == SIG_BLOCK)
		signals_set_mask_and_run(was | bits);
	else if (set && how == SIG_UNBLOCK)
		signals_set_mask_and_run(was & ~bits);
	else if (set && how == SIG_SETMASK)
		signals_set_mask_and_run(bits);
	else if (set)
		err = EINVAL;
	ctl_leave();
	return err;
}

int pthread_sigmask(int how, const sigset_t *restrict set, sigset_t *restrict old)
{
	return ctl_enter() ? do_mask(how, set, old, __builtin_return_address(0)) : real_pthread_sigmask(how, set, old);
}

int sigprocmask(int how, const sigset_t *restrict set, sigset_t *restrict old)
{
	if (!ctl_enter())
		return real_sigprocmask(how, set, old);
	int err = do_mask(how, set, old, __builtin_return_address(0));

	if (!err)
		return 0;
	errno = err;
	return -1;
}

static int mask_one(int how, int sig, const void *pc)
{
	sigset_t set;

	if (BAD_SIG(sig))
		return fail(EINVAL);
	set_from_bits(&set, SIG_BIT(sig));
	return do_mask(how, &set, NULL, pc);
}

int sighold(int sig)
{
	return ctl_enter() ? mask_one(SIG_BLOCK, sig, __builtin_return_address(0)) : real_sighold(sig);
}

int sigrelse(int sig)
{
	return ctl_enter() ? mask_one(SIG_UNBLOCK, sig, NULL) : real_sigrelse(sig);
}

static int mask_word(int how, int word, const void *pc)
{
	uint64_t was = signals_mask(ctl_self());
	sigset_t set;

	set_from_bits(&set, (uint32_t)word);
	do_mask(how, &set, NULL, pc);
	return (int)(uint32_t)was;
}

int sigblock(int word)
{
	return ctl_enter() ? mask_word(SIG_BLOCK, word, __builtin_return_address(0)) : real_sigblock(word);
}

int sigsetmask(int word)
{
	return ctl_enter() ? mask_word(SIG_SETMASK, word, __builtin_return_address(0)) : real_sigsetmask(word);
}

int siggetmask(void)
{
	return ctl_enter() ? mask_word(SIG_BLOCK, 0, __builtin_return_address(0)) : real_siggetmask();
}

int sigpending(sigset_t *set)
{
	if (!ctl_enter())
		return real_sigpending(set);
	set_from_bits(set, signals_pending(ctl_self()) & signals_mask(ctl_self()));
	ctl_leave();
	return 0;
}

hook_signal_fn sigset(int sig, hook_signal_fn handler)
{
	struct sigaction old;

	if (!ctl_enter())
		return real_sigset(sig, handler);
	if (BAD_SIG(sig) || handler == SIG_ERR) {
		fail(EINVAL);
		return SIG_ERR;
	}
	bool held = signals_mask(ctl_self()) & SIG_BIT(sig);
	struct sigaction sa = {.sa_handler = handler};
	bool hold = handler == SIG_HOLD;

	if (do_sigaction(sig, hold ? NULL : &sa, &old))
		return SIG_ERR;
	ctl_force_enter();
	mask_one(hold ? SIG_BLOCK : SIG_UNBLOCK, sig, __builtin_return_address(0));
	return held ? SIG_HOLD : old.sa_handler;
}

/* ---- alternate stacks: kept only for sigaltstack itself. Handlers run on the thread's own stack ---- */

#define ALT_AUTODISARM (1 << 31) /* SS_AUTODISARM of <linux/signal.h> */

static stack_t alt_stacks[MAX_THREADS];

int sigaltstack(const stack_t *restrict new, stack_t *restrict old)
{
	if (!ctl_enter())
		return real_sigaltstack(new, old);
	stack_t *mine = &alt_stacks[ctl_self()], was = *mine;

	if (!was.ss_sp)
		was.ss_flags = SS_DISABLE;
	if (new && (new->ss_flags & ~(SS_DISABLE | ALT_AUTODISARM)))
		return fail(EINVAL);
	if (new && !(new->ss_flags & SS_DISABLE) && new->ss_size < 2048)
		return fail(ENOMEM);
	if (new)
		*mine = new->ss_flags & SS_DISABLE ? (stack_t){0} : *new;
	if (old)
		*old = was;
	ctl_leave();
	return 0;
}

void signals_adopt_alt_stack(void)
{
	stack_t now;

	if (!sys_sigaltstack(NULL, &now) && !(now.ss_flags & SS_DISABLE))
		alt_stacks[0] = now;
}

/* ---- sending ---- */

static siginfo_t make_info(int sig, int code)
{
	siginfo_t info = {.si_signo = sig, .si_code = code};

	info.si_pid = process_pid();
	info.si_uid = (uid_t)sys_call0(SYS_getuid);
	return info;
}

/* Returns whether this is a signal that an instruction or abort causes. Its default action ends in crash.c. */
static bool is_fatal(int sig)
{
	return sig == SIGSEGV || sig == SIGBUS || sig == SIGFPE || sig == SIGILL || sig == SIGTRAP ||
		sig == SIGABRT || sig == SIGSYS;
}

static void send_to_self(const siginfo_t *info)
{
	int sig = info->si_signo;
	bool blocked = signals_mask(ctl_self()) & SIG_BIT(sig);

	if (is_fatal(sig) && !blocked && !signals_has_handler(sig) && !signals_is_ignored(sig)) {
		ctl_leave();
		*ctl_selector = 0; /* otherwise the dispatcher takes this for a system call past libc, and calls raise() again */
		sys_tgkill(sys_getpid(), sys_gettid(), sig);
		ctl_force_enter();
	} else {
		signals_send_self(info);
	}
}

/* Returns 0 or an errno value. A thread that has ended and is not joined yet ignores the signal. It is an event all the same, because it
   could have come before the end. Call it between ctl_enter and ctl_leave. */
static int send_to_thread(thread_id t, const siginfo_t *info, const void *pc)
{
	if (t == NO_THREAD)
		return ESRCH;
	if (info->si_signo == 0)
		return 0;
	if (t == ctl_self())
		send_to_self(info);
	else
		signals_send(t, false, info, pc);
	return 0;
}

static int send_to_process(const siginfo_t *info, const void *pc)
{
	if (info->si_signo == 0)
		return 0;
	if (signals_choose_target(info->si_signo) == ctl_self())
		send_to_self(info);
	else
		signals_send(NO_THREAD, true, info, pc);
	return 0;
}

static thread_id thread_of(pthread_t handle)
{
	struct fiber *f = fiber_by_handle(handle);

	return f ? f->id : NO_THREAD;
}

int raise(int sig)
{
	if (!ctl_enter())
		return real_raise(sig);
	if (sig && BAD_SIG(sig))
		return fail(EINVAL);
	siginfo_t info = make_info(sig, SI_TKILL);

	if (sig)
		send_to_self(&info);
	ctl_leave();
	return 0;
}

int gsignal(int sig)
{
	return raise(sig);
}

int pthread_kill(pthread_t handle, int sig)
{
	if (!ctl_enter())
		return real_pthread_kill(handle, sig);
	siginfo_t info = make_info(sig, SI_TKILL);
	int err = sig && BAD_SIG(sig) ? EINVAL
				      : send_to_thread(thread_of(handle), &info, __builtin_return_address(0));

	ctl_leave();
	return err;
}

int pthread_sigqueue(pthread_t handle, int sig, const union sigval value)
{
	if (!ctl_enter())
		return real_pthread_sigqueue(handle, sig, value);
	siginfo_t info = make_info(sig, SI_QUEUE);

	info.si_value = value;
	int err = sig && BAD_SIG(sig) ? EINVAL
				      : send_to_thread(thread_of(handle), &info, __builtin_return_address(0));

	ctl_leave();
	return err;
}

/* Before `call` sends a signal to another process with the real call. */
static void about_to_signal(pid_t pid, int sig, const char *call)
{
	if (sig) {
		process_refuse_keeper(pid, call);
		if (process_standing(pid) == PROCESS_STRANGER)
			ctl_uncontrolled("a signal to a process that the program did not start");
	}
	outside_note("sends signals to other processes");
	process_wakeups++;
}

static int kill_other(pid_t pid, int sig)
{
	about_to_signal(pid, sig, "kill");
	long r = sys_kill(pid, sig);

	return sys_failed(r) ? fail((int)-r) : (ctl_leave(), 0);
}

int kill(pid_t pid, int sig)
{
	if (!ctl_enter())
		return process_may_signal(pid, sig) ? real_kill(pid, sig) : -1;
	if (sig && BAD_SIG(sig) && sig != 32 && sig != 33)
		return fail(EINVAL);
	if (pid == 0 || pid == -process_pid())
		ctl_uncontrolled("kill of the process group (only the program itself was signalled)");
	else if (!process_is_self(pid))
		return kill_other(pid, sig);
	siginfo_t info = make_info(sig, SI_USER);

	send_to_process(&info, __builtin_return_address(0));
	ctl_leave();
	return 0;
}

int killpg(pid_t group, int sig)
{
	if (group < 0) {
		errno = EINVAL;
		return -1;
	}
	return kill(-group, sig);
}

int sigqueue(pid_t pid, int sig, const union sigval value)
{
	if (!ctl_enter())
		return process_may_signal(pid, sig) ? real_sigqueue(pid, sig, value) : -1;
	if (!process_is_self(pid)) {
		about_to_signal(pid, sig, "sigqueue");
		ctl_leave();
		return real_sigqueue(pid, sig, value);
	}
	if (sig && BAD_SIG(sig))
		return fail(EINVAL);
	siginfo_t info = make_info(sig, SI_QUEUE);

	info.si_value = value;
	send_to_process(&info, __builtin_return_address(0));
	ctl_leave();
	return 0;
}

long signals_tgkill(int tgid, int tid, int sig, const void *pc)
{
	thread_id t = process_thread_of_tid(tid);

	if (tgid != -1 && !process_is_self(tgid)) {
		about_to_signal(tgid, sig, "tgkill");
		return sys_tgkill(tgid, tid, sig);
	}
	if (sig && BAD_SIG(sig))
		return -EINVAL;
	siginfo_t info = make_info(sig, SI_TKILL);

	return -send_to_thread(t, &info, pc);
}

int tgkill(pid_t tgid, pid_t tid, int sig)
{
	if (!ctl_enter())
		return process_may_signal(tgid, sig) ? real_tgkill(tgid, tid, sig) : -1;
	long r = signals_tgkill(tgid, tid, sig, __builtin_return_address(0));

	return r < 0 ? fail((int)-r) : (ctl_leave(), 0);
}

/* ---- jumps out of handlers ---- */

/*
 * sigsetjmp(env, 1) saves the kernel's mask. That takes 8 of the 128 bytes that a jmp_buf has for it. The hook writes a mark and the
 * virtual mask after them, and a jump reads the mask from there.
 */
#define JMP_MARK UINT64_C(0x73696d756c6d736b)

void signals_save_mask(struct __jmp_buf_tag *env);
void signals_save_mask(struct __jmp_buf_tag *env)
{
	uint64_t words[2] = {JMP_MARK, 0};

	if (ctl_state != CTL_ON)
		words[0] = 0;
	else
		words[1] = signals_mask(ctl_self());
	memcpy((char *)&env->__saved_mask + 8, words, sizeof(words));
}

/* This function returns twice, so it must not have a frame: it saves the mask, then jumps to the real function. */
__asm__(".text\n.globl __sigsetjmp\n.type __sigsetjmp,@function\n__sigsetjmp:\n.cfi_startproc\n"
	"\ttest %esi, %esi\n\tjz 1f\n"
	"\tpush %rdi\n.cfi_adjust_cfa_offset 8\n"
	"\tpush %rsi\n.cfi_adjust_cfa_offset 8\n"
	"\tsub $8, %rsp\n.cfi_adjust_cfa_offset 8\n"
	"\tcall signals_save_mask\n"
	"\tadd $8, %rsp\n.cfi_adjust_cfa_offset -8\n"
	"\tpop %rsi\n.cfi_adjust_cfa_offset -8\n"
	"\tpop %rdi\n.cfi_adjust_cfa_offset -8\n"
	"1:\tjmp *real___sigsetjmp(%rip)\n.cfi_endproc\n.size __sigsetjmp, . - __sigsetjmp\n");

/* The stack pointer in a jmp_buf, as glibc mangles it on x86-64. */
static uintptr_t jump_target(const struct __jmp_buf_tag *env)
{
	uintptr_t sp = (uintptr_t)env->__jmpbuf[6], guard;

	__asm__("mov %%fs:0x30, %0" : "=r"(guard));
	return ((sp >> 17) | (sp << 47)) ^ guard;
}

/* Before a longjmp: forgets the signal handlers that it leaves, and restores the virtual mask. */
static void before_jump(const struct __jmp_buf_tag *env, const void *pc)
{
	uint64_t words[2];

	if (!ctl_enter())
		return;
	dead_stack_jumped = true;
	memcpy(words, (const char *)&env->__saved_mask + 8, sizeof(words));
	bool mask = env->__mask_was_saved && words[0] == JMP_MARK;
	if (mask)
		signals_before_mask(words[1], pc);
	signals_unwind_to(jump_target(env));
	if (mask)
		signals_set_mask_and_run(words[1]);
	ctl_leave();
}

void siglongjmp(struct __jmp_buf_tag env[1], int value)
{
	before_jump(env, __builtin_return_address(0));
	real_siglongjmp(env, value);
	__builtin_unreachable();
}

void longjmp(struct __jmp_buf_tag env[1], int value)
{
	before_jump(env, __builtin_return_address(0));
	real_longjmp(env, value);
	__builtin_unreachable();
}

void _longjmp(struct __jmp_buf_tag env[1], int value)
{
	before_jump(env, __builtin_return_address(0));
	real__longjmp(env, value);
	__builtin_unreachable();
}

void __longjmp_chk(struct __jmp_buf_tag env[1], int value)
{
	before_jump(env, __builtin_return_address(0));
	real___longjmp_chk(env, value);
	__builtin_unreachable();
}
