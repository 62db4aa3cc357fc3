#include "cli/target/place.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/fixed_start.h"
#include "cli/base/child_processes.h"
#include "cli/target/place_linker.h"
#include "cli/target/place_plan.h"
#include "cli/target/traced_registers.h"
#include "cli/base/say.h"
#include "base/xalloc.h"

#define MOST_SIGNALS 32

/* A stopped process. */
struct tracee {
	pid_t pid;
	int mem_fd;
	struct user_regs_struct start; /* at its first instruction */
	int signals[MOST_SIGNALS];     /* received meanwhile, to be sent again */
	size_t n_signals;
};

/* ---- one step ---- */

/* Lets it run to its next breakpoint. Signals received meanwhile are deferred. */
static bool run(struct tracee *t)
{
	int status;

	for (;;) {
		if (ptrace(PTRACE_CONT, t->pid, 0, 0))
			return false;
		while (waitpid(t->pid, &status, __WALL) < 0)
			if (errno != EINTR)
				return false;
		if (!WIFSTOPPED(status))
			return false;
		if (WSTOPSIG(status) == SIGTRAP)
			return true;
		if (WSTOPSIG(status) == SIGSEGV)
			return false; /* the injected code itself faulted */
		if (t->n_signals < MOST_SIGNALS)
			t->signals[t->n_signals++] = WSTOPSIG(status);
	}
}

static bool run_at(struct tracee *t, uint64_t pc, struct user_regs_struct *r)
{
	traced_set_pc(r, pc);
	traced_forget_call(r);
	return !ptrace(PTRACE_SETREGS, t->pid, 0, r) && run(t) && !ptrace(PTRACE_GETREGS, t->pid, 0, r);
}

/* Makes one system call with the instructions at `at`, which are restored afterwards. -1: impossible. */
static int64_t call_at(struct tracee *t, uint64_t at, uint64_t number, const uint64_t arg[6])
{
	struct user_regs_struct r = t->start;
	long old;

	errno = 0;
	old = ptrace(PTRACE_PEEKTEXT, t->pid, (void *)at, 0);
	if (errno || ptrace(PTRACE_POKETEXT, t->pid, (void *)at, (void *)traced_call_code((uint64_t)old)))
		return -1;
	traced_set_call(&r, number, arg);
	if (!run_at(t, at, &r) || ptrace(PTRACE_POKETEXT, t->pid, (void *)at, (void *)old))
		return -1;
	return traced_result(&r);
}

static bool put(const struct tracee *t, uint64_t at, const void *bytes, size_t n)
{
	return pwrite(t->mem_fd, bytes, n, (off_t)at) == (ssize_t)n;
}

/* ---- the whole plan ---- */

static bool map_scratch(struct tracee *t, char *why, size_t size)
{
	const uint64_t arg[6] = {PLACE_SCRATCH, PLACE_SCRATCH_BYTES, PROT_READ | PROT_WRITE | PROT_EXEC,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, UINT64_MAX, 0};

	if (call_at(t, traced_pc(&t->start), SYS_mmap, arg) == (int64_t)PLACE_SCRATCH)
		return true;
	return text_fail(why, size, "it may not map executable memory");
}

static bool take_call(const struct tracee *t, unsigned i, struct place_call *c)
{
	return pread(t->mem_fd, c, sizeof(*c), (off_t)(PLACE_SCRATCH + PLACE_CALLS_AT + i * sizeof(*c))) == sizeof(*c);
}

/* If the kernel's own pages could not be moved (some kernels seal them), hides them from the program (AT_IGNORE). false: only some
   were moved. */
static bool look_at_kernel_pages(const struct tracee *t, struct place_plan *p)
{
	static const uint64_t ignore = AT_IGNORE;
	unsigned failed = 0;

	for (unsigned i = 0; i < p->kernel_n; i++) {
		struct place_call c;

		if (!take_call(t, p->kernel_first + i, &c))
			return false;
		failed += (int64_t)c.result < 0;
	}
	if (failed && p->kernel_entry)
		memcpy(p->stack + p->kernel_entry, &ignore, sizeof(ignore));
	return !failed || failed == p->kernel_n;
}

static bool make_detour(const struct tracee *t, const struct place_plan *p)
{
	struct place_call c;

	if (!p->detour)
		return true;
	if (!take_call(t, p->detour, &c))
		return false;
	return c.result != FIXED_START_DETOUR || place_linker_detour(t->mem_fd, p->linker_lo, p->linker_hi);
}

/* Moves everything. PLACED_NOT: nothing was moved, or later memory would get other addresses than planned. */
static enum placed carry_out(struct tracee *t, struct place_plan *p, char *why, size_t size)
{
	const uint64_t calls = PLACE_SCRATCH + PLACE_CALLS_AT;
	struct user_regs_struct r = t->start;
	struct place_call probe;
	uint64_t done;

	memcpy(p->scratch, place_code, (size_t)(place_code_end - place_code));
	traced_set_list(&r, calls);
	if (!put(t, PLACE_SCRATCH, p->scratch, PLACE_CALLS_AT + (p->calls + 1) * sizeof(struct place_call)) ||
		!put(t, PLACE_SCRATCH + PLACE_DATA_AT, p->scratch + PLACE_DATA_AT, PLACE_SCRATCH_BYTES - PLACE_DATA_AT) || !run_at(t, PLACE_SCRATCH, &r))
		return PLACED_BROKEN;
	done = (traced_list(&r) - calls) / sizeof(struct place_call);
	if (done < p->calls) {
		text_set(why, size, "its mappings cannot be moved: %s", strerror((int)-traced_result(&r)));
		return done ? PLACED_BROKEN : PLACED_NOT;
	}
	if (!look_at_kernel_pages(t, p) || !put(t, p->stack_at, p->stack, p->stack_bytes) || !take_call(t, p->probe, &probe))
		return PLACED_BROKEN;
	traced_set_pc(&t->start, p->entry);
	traced_set_sp(&t->start, p->sp);
	if (probe.result == p->probe_result)
		return make_detour(t, p) ? PLACED : PLACED_BROKEN;
	text_set(why, size, "the address space cannot be reserved (%#llx, not %#llx)", (unsigned long long)probe.result,
		(unsigned long long)p->probe_result);
	return PLACED_NOT;
}

static enum placed arrange(struct tracee *t, struct place_plan *p, char *why, size_t size)
{
	static const uint64_t scratch[6] = {PLACE_SCRATCH, PLACE_SCRATCH_BYTES, 0, 0, 0, 0};
	enum placed result;

	if (!map_scratch(t, why, size))
		return PLACED_NOT;
	result = carry_out(t, p, why, size);
	if (result != PLACED_BROKEN && call_at(t, traced_pc(&t->start), SYS_munmap, scratch) != 0)
		return PLACED_BROKEN;
	return result;
}

static enum placed with_plan(struct tracee *t, char *why, size_t size)
{
	struct place_plan *p = xcalloc(1, sizeof(*p));
	enum placed result = PLACED_NOT;

	if (place_plan_make(p, t->pid, traced_pc(&t->start), traced_sp(&t->start), why, size))
		result = arrange(t, p, why, size);
	place_plan_free(p);
	free(p);
	return result;
}

static bool space_is_limited(pid_t pid)
{
	struct rlimit r;

	return prlimit(pid, RLIMIT_AS, NULL, &r) || r.rlim_cur != RLIM_INFINITY;
}

static enum placed place(struct tracee *t, char *why, size_t size)
{
	char path[64];
	enum placed result;

	if (space_is_limited(t->pid)) {
		text_fail(why, size, "the address space is limited (ulimit -v)");
		return PLACED_NOT;
	}
	snprintf(path, sizeof(path), "/proc/%d/mem", (int)t->pid);
	t->mem_fd = open(path, O_RDWR | O_CLOEXEC);
	if (t->mem_fd < 0) {
		text_set(why, size, "its memory cannot be opened: %s", strerror(errno));
		return PLACED_NOT;
	}
	result = with_plan(t, why, size);
	close(t->mem_fd);
	return result;
}

static void give_stack_limit(pid_t pid, uint64_t bytes)
{
	struct rlimit r;

	if (!bytes || prlimit(pid, RLIMIT_STACK, NULL, &r))
		return;
	r.rlim_cur = bytes;
	prlimit(pid, RLIMIT_STACK, &r, NULL);
}

enum placed place_at_exec(pid_t pid, uint64_t stack_limit, char *why, size_t size)
{
	struct tracee t = {.pid = pid};
	enum placed result;

	text_set(why, size, "it cannot be traced");
	if (ptrace(PTRACE_GETREGS, pid, 0, &t.start))
		return PLACED_BROKEN;
	result = place(&t, why, size);
	if (result == PLACED)
		why[0] = 0;
	give_stack_limit(pid, stack_limit);
	if (result == PLACED_BROKEN || ptrace(PTRACE_SETREGS, pid, 0, &t.start) || ptrace(PTRACE_DETACH, pid, 0, 0)) {
		kill(pid, SIGKILL);
		return PLACED_BROKEN;
	}
	for (size_t i = 0; i < t.n_signals; i++)
		kill(pid, t.signals[i]);
	return result;
}

static void await_state(pid_t pid, char wanted)
{
	const struct timespec moment = {0, 1000000};
	unsigned long long cpu;
	pid_t parent;
	char state;

	for (int i = 0; i < 1000 && process_stat(pid, &parent, &cpu, &state) && state != wanted; i++)
		nanosleep(&moment, NULL);
}

enum placed place_stopped(pid_t pid, char *why, size_t size)
{
	struct rlimit theirs, ours;
	bool lowered = !getrlimit(RLIMIT_STACK, &ours) && !prlimit(pid, RLIMIT_STACK, NULL, &theirs) && theirs.rlim_cur == FIXED_START_STACK_MOST;
	int status;

	await_state(pid, 'T');
	if (ptrace(PTRACE_SEIZE, pid, 0, 0)) { /* PTRACE_ATTACH would send another SIGSTOP */
		text_set(why, size, "it cannot be traced: %s", strerror(errno));
		return PLACED_NOT;
	}
	while (waitpid(pid, &status, __WALL) < 0 && errno == EINTR)
		;
	return place_at_exec(pid, lowered ? ours.rlim_cur : 0, why, size);
}

uint64_t place_lower_stack_limit(void)
{
	struct rlimit r;
	uint64_t old;

	if (getrlimit(RLIMIT_STACK, &r) || r.rlim_cur <= FIXED_START_STACK_MOST)
		return 0;
	old = r.rlim_cur;
	r.rlim_cur = FIXED_START_STACK_MOST;
	return setrlimit(RLIMIT_STACK, &r) ? 0 : old;
}

bool place_ask(uint64_t *stack_limit)
{
	if (ptrace(PTRACE_TRACEME, 0, 0, 0))
		return false;
	*stack_limit = place_lower_stack_limit();
	return true;
}
