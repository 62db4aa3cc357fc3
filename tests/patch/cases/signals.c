/* Signal handlers: faults that are repaired, skipped or left by a jump, what a handler sees, other stacks, timers. */
#include "case.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

static sigjmp_buf back;
static char *page;
static volatile int seen;
static volatile uintptr_t where;

/* Visible to dladdr: the program is linked with -rdynamic. */
NOINLINE int torture_load(const int *p);
NOINLINE int torture_load(const int *p) { return *p + 1; }
NOINLINE void torture_store(int *p, int v);
NOINLINE void torture_store(int *p, int v) { *p = v; }
NOINLINE int torture_divide(const int *a, const int *b);
NOINLINE int torture_divide(const int *a, const int *b) { return *a / *b; }
NOINLINE uint64_t torture_loop(uint64_t n);
NOINLINE uint64_t torture_overflow(uint64_t n, uint64_t *up);

static void say_where(const char *what)
{
	Dl_info info;
	if (dladdr((void *)where, &info) && info.dli_sname && !strncmp(info.dli_sname, "torture_", 8))
		printf("%s in %s\n", what, info.dli_sname);
	else
		printf("%s elsewhere\n", what);
}

static void note_where(int sig, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;
	where = (uintptr_t)uc->uc_mcontext.gregs[REG_RIP];
	seen = sig * 1000 + (sig == SIGSEGV ? (int)((char *)info->si_addr - page) : 0);
}
static void jump(int sig, siginfo_t *info, void *context) { note_where(sig, info, context); siglongjmp(back, sig); }
static void repair(int sig, siginfo_t *info, void *context) { note_where(sig, info, context); mprotect(page, 4096, PROT_READ | PROT_WRITE); }
/* goes on behind the instruction, which is `mov (%rdi), %eax` below */
static void skip(int sig, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;
	note_where(sig, info, context);
	uc->uc_mcontext.gregs[REG_RIP] += 2;
	uc->uc_mcontext.gregs[REG_RAX] = 4711;
}
static void on_trap(int sig, siginfo_t *info, void *context) { note_where(sig, info, context); }
static void set(int sig, void (*f)(int, siginfo_t *, void *), int flags)
{
	struct sigaction sa = {.sa_sigaction = f, .sa_flags = SA_SIGINFO | flags};
	sigfillset(&sa.sa_mask);
	sigaction(sig, &sa, NULL);
}

__asm__(".text\n.globl torture_skipped\n.type torture_skipped, @function\ntorture_skipped:\n.cfi_startproc\n"
	"mov (%rdi), %eax\nadd $1, %eax\nret\n.cfi_endproc\n.size torture_skipped, . - torture_skipped\n");
int torture_skipped(const int *p);

NOINLINE uint64_t torture_overflow(uint64_t n, uint64_t *up)
{
	volatile uint64_t local[64];
	local[n & 63] = n;
	*up += torture_overflow(n + 1, (uint64_t *)&local[1]) + local[n & 63];
	return *up;
}

static volatile uint64_t ticks;
static uint64_t cells[64];
static void on_alarm(int sig) { ticks++; cells[63] += ticks; }
NOINLINE uint64_t torture_loop(uint64_t n)
{
	uint64_t h = 0;
	for (uint64_t i = 0; i < n; i++) {
		cells[i % 61] += i;
		h = mix(h, cells[i * 7 % 61]);
		cells[(i * 3) % 61] ^= h;
	}
	return h;
}

static void faults(void)
{
	set(SIGSEGV, jump, 0);
	if (!sigsetjmp(back, 1))
		opaque((uint64_t)torture_load((int *)(page + 16)));
	printf("load %d ", seen), say_where("fault");
	if (!sigsetjmp(back, 1))
		torture_store((int *)(page + 32), 5);
	printf("store %d ", seen), say_where("fault");
	set(SIGFPE, jump, 0);
	int a = 5, b = (int)opaque(0);
	if (!sigsetjmp(back, 1))
		opaque((uint64_t)torture_divide(&a, &b));
	printf("divide %d ", seen), say_where("fault");
	set(SIGSEGV, repair, 0);
	torture_store((int *)(page + 64), 99);
	printf("repaired %d %d ", seen, torture_load((int *)(page + 64))), say_where("fault");
	mprotect(page, 4096, PROT_NONE);
	set(SIGSEGV, skip, SA_NODEFER);
	printf("skipped %d ", torture_skipped((int *)(page + 8))), say_where("fault");
	mprotect(page, 4096, PROT_READ);
	set(SIGSEGV, repair, 0);
	__atomic_fetch_add((int *)(page + 64), 1, __ATOMIC_SEQ_CST);
	(*(volatile int *)(page + 64))++;
	printf("rmw %d %d\n", seen, torture_load((int *)(page + 64)));
	signal(SIGSEGV, SIG_DFL);
	signal(SIGFPE, SIG_DFL);
}

static void other_stack(void)
{
	static char alternative[65536];
	stack_t ss = {.ss_sp = alternative, .ss_size = sizeof(alternative)};
	uint64_t up = 0;
	sigaltstack(&ss, NULL);
	set(SIGSEGV, jump, SA_ONSTACK);
	if (!sigsetjmp(back, 1))
		torture_overflow(0, &up);
	printf("overflow caught\n"); /* in the function, or in the sensor that it calls */
	signal(SIGSEGV, SIG_DFL);
	ss.ss_flags = SS_DISABLE;
	sigaltstack(&ss, NULL);
}

static void own_trap(void)
{
	set(SIGTRAP, on_trap, 0);
	seen = 0;
	__asm__ volatile("int3");
	printf("int3 %d\n", seen);
	seen = 0;
	raise(SIGTRAP);
	printf("raise %d\n", seen);
	signal(SIGTRAP, SIG_DFL);
}

static void timer(void)
{
	struct itimerval often = {{0, 300}, {0, 300}}, never = {{0, 0}, {0, 0}};
	struct sigaction sa = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
	sigaction(SIGALRM, &sa, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	uint64_t h = 0;
	while (ticks < 50)
		h = torture_loop(2000), memset(cells, 0, 61 * sizeof(*cells));
	setitimer(ITIMER_REAL, &never, NULL);
	signal(SIGALRM, SIG_DFL);
	result("loop", h);
}

CASE(signals)
{
	page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	faults();
	other_stack();
	own_trap();
	timer();
	set(SIGUSR1, note_where, 0);
	raise(SIGUSR1);
	printf("usr1 %d ", seen), say_where("raised");
	signal(SIGUSR1, SIG_DFL);
	munmap(page, 4096);
}
