/* See what_if.h. */
#include "preload/life/what_if.h"

#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "base/hash.h"
#include "preload/accesses/mem.h"
#include "preload/base/aside.h"
#include "preload/base/outside.h"
#include "preload/base/sys.h"
#include "preload/base/thread.h"
#include "preload/control/ctl.h"
#include "preload/control/thread_pointer.h"
#include "preload/kernel/shared_memory.h"
#include "preload/life/fork.h"
#include "preload/memory/round_state.h"
#include "preload/memory/shadow.h"
#include "preload/memory/spin_state.h"
#include "sched/await.h"
#include "sched/memory.h"
#include "preload/base/rules.h"

#define MOST_WRITES 16 /* more places that a trial writes to than this: it is over */
#define CPU_SECONDS 1

/* The trial that this fork makes. Private memory of the fork. */
static struct {
	struct what_if q;
	uint32_t fed;  /* number of turns in which the thread has found a value */
	uint32_t at;   /* number of recorded operations after the loop */
	uint32_t writes;
	struct {
		uint64_t addr, size;
	} wrote[MOST_WRITES]; /* outside the thread's own stack */
} trial;

static struct session_what_if *record(void)
{
	return &ctl_session->what_if;
}

static void __attribute__((noreturn)) over(enum what_if_result result)
{
	record()->result = result;
	sys_exit_group(0);
}

static void feed(void)
{
	memcpy((void *)trial.q.addr, trial.fed < trial.q.turns ? &trial.q.staying : &trial.q.leaving, trial.q.size);
	trial.fed++;
}

/* Adds what the thread has written. */
static uint64_t with_writes(uint64_t h)
{
	for (uint32_t i = 0; i < trial.writes; i++) {
		h = hash_mix(h, trial.wrote[i].addr);
		for (uint64_t k = 0; k < trial.wrote[i].size; k++)
			h = hash_mix(h, *(const unsigned char *)(trial.wrote[i].addr + k));
	}
	return h;
}

/* Records the next operation of the thread, or compares it with that of the trial before. */
static void pass(uint64_t what, uint64_t state, bool last)
{
	struct session_what_if *r = record();
	uint32_t i = trial.at++;
	struct session_what_if_op now = { .what = what, .state = state ? with_writes(state) | 1 : 0 };
	if (!trial.q.turns) {
		r->op[i] = now;
		r->n = trial.at;
		if (last || trial.at == SESSION_WHAT_IF)
			over(WHAT_IF_LEAVES);
		return;
	}
	if (i >= r->n || r->op[i].what != now.what)
		over(WHAT_IF_DIFFERS);
	if (now.state && r->op[i].state == now.state)
		over(WHAT_IF_LEAVES);
	if (last || trial.at == SESSION_WHAT_IF)
		over(WHAT_IF_DIFFERS);
}

static void note_write(const struct mem_access *a)
{
	for (uint32_t i = 0; i < trial.writes; i++)
		if (trial.wrote[i].addr == a->addr && trial.wrote[i].size == a->size)
			return;
	if (trial.writes == MOST_WRITES || a->size > 64)
		over(WHAT_IF_UNKNOWN);
	trial.wrote[trial.writes].addr = a->addr;
	trial.wrote[trial.writes++].size = a->size;
}

static void *access_aside(void *arg)
{
	const struct mem_access *a = arg;
	mem_budget = 0; /* so that all accesses come here */
	if (a->flags & MEM_FENCE)
		return NULL;
	if (!trial.at && !trial.writes && a->pc == trial.q.pc && a->addr == trial.q.addr) { /* still in the loop, in which it does not write */
		if (trial.fed > trial.q.turns)
			over(WHAT_IF_STAYS);
		feed();
		return NULL;
	}
	if (!mem_is_visible(a->addr, a->size)) {
		if ((a->flags & MEM_WRITE) && !mem_on_own_stack(a->addr))
			note_write(a);
		return NULL;
	}
	if (trial.fed <= trial.q.turns)
		over(WHAT_IF_GIVES_UP);
	uint64_t what = hash_mix(hash_mix(a->pc, a->addr), a->size);
	pass(what, spin_state_landing(a, ctl_segment(ctl_session->layout.memory_off), ctl_segment(ctl_session->layout.await_off)), false);
	if (a->flags & MEM_WRITE)
		note_write(a);
	return NULL;
}

void what_if_access(const struct mem_access *a)
{
	aside(access_aside, (void *)a);
}

static void *op_aside(void *arg)
{
	const struct op *op = arg;
	if (op->kind == EV_YIELD)
		return NULL;
	if (trial.fed <= trial.q.turns)
		over(WHAT_IF_GIVES_UP);
	/* of a thread that ends, only the result remains */
	uint64_t state = op->kind == EV_THREAD_EXIT ? (uintptr_t)fiber_cur->value | 1 : round_state(op);
	pass(hash_mix(op->kind, op->pc), state, true);
	over(WHAT_IF_DIFFERS);
}

int64_t what_if_op(const struct op *op)
{
	aside(op_aside, (void *)op);
	return 0;
}

#define ALLOW(call) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

/* From here on the kernel kills this process at a system call that could be noticed elsewhere. Returns false if it cannot. */
static bool confine(void)
{
	static struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		ALLOW(exit), ALLOW(exit_group), ALLOW(read), ALLOW(write), ALLOW(mincore), ALLOW(msync), ALLOW(process_vm_readv), ALLOW(mmap), ALLOW(munmap),
		ALLOW(mprotect), ALLOW(madvise), ALLOW(mremap), ALLOW(brk), ALLOW(rt_sigprocmask), ALLOW(rt_sigreturn), ALLOW(sigaltstack), ALLOW(gettid), ALLOW(getpid),
		ALLOW(clock_gettime), ALLOW(arch_prctl),
		/* wakes nobody, since this process has one kernel thread */
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_futex, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[1])),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, FUTEX_WAKE_PRIVATE, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};
	struct sock_fprog program = { sizeof filter / sizeof *filter, filter };
	return !sys_prctl(PR_SET_NO_NEW_PRIVS, 1, 0) && !sys_prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, (long)&program);
}

static void begin(const struct what_if *q)
{
	static const int handled[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGSYS };
	struct sys_sigaction usual = { .handler = (void *)SIG_DFL };
	struct rlimit cpu = { CPU_SECONDS, CPU_SECONDS }, core = { 0, 0 };
	thread_pointer_need(); /* now, since this process handles no fault */
	for (unsigned i = 0; i < sizeof handled / sizeof *handled; i++)
		sys_sigaction(handled[i], &usual, NULL);
	sys_call4(SYS_prlimit64, 0, RLIMIT_CPU, (long)&cpu, 0);
	sys_call4(SYS_prlimit64, 0, RLIMIT_CORE, (long)&core, 0);
	sys_call3(SYS_close_range, 0, ~0u, 0);
	trial.q = *q;
	what_if_on = true;
	mem_budget = 0;
	if (!confine())
		over(WHAT_IF_UNKNOWN);
	feed();
}

enum what_if_result what_if(const struct what_if *q)
{
	struct session_what_if *r = record();
	r->result = WHAT_IF_UNKNOWN;
	if (snapshot_tainted || shared_any()) /* the fork would write to memory that this process sees */
		return WHAT_IF_UNKNOWN;
	if (!q->turns)
		r->n = 0;
	long pid = execution_fork();
	if (pid < 0)
		return WHAT_IF_UNKNOWN;
	if (!pid) {
		begin(q);
		return WHAT_IF_CHILD;
	}
	execution_await((pid_t)pid);
	/* what was recorded before the kernel stopped the fork may be enough to compare with */
	if (r->result == WHAT_IF_UNKNOWN && !q->turns && r->n)
		return WHAT_IF_LEAVES;
	return (enum what_if_result)r->result;
}
