/*
 * libpatchcount.so: patches the program it is preloaded into, and counts instead of scheduling. With it a program must
 * print what it prints natively; that is what tests/patch.sh and tests/patch/real.sh compare.
 *
 *	PATCHCOUNT_LIBS=libz.so.1:libfoo.so   base names of libraries to patch as well (also when they are loaded later)
 *	PATCHCOUNT_OUT=FILE        one line for each program is appended there at its exit
 *	PATCHCOUNT_HOLES=FILE      one line for each function that is not covered
 *	PATCHCOUNT_SLOW=N          every Nth access goes the slow way, through mem_perform; all registers that
 *	                           a function may change are changed there
 *	PATCHCOUNT_CHECK=1         check each call of the sensor (alignment, direction flag, arguments)
 *	PATCHCOUNT_STACK=1         see also the accesses through the stack pointer
 *	PATCHCOUNT_FENCES=N        enum patch_fences: which fences are seen
 *	PATCHCOUNT_CHILDREN=1      programs that the program starts are patched, too
 *
 * The program's signal handlers see the original code (patch_to_original) and SIGTRAP stays ours.
 * `accesses` is not exact when threads run in parallel: the counter is not atomic, so as to be fast.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "preload/accesses/mem.h"
#include "preload/patch/patch.h"
#include "preload/base/sys.h"

#define EXPORT __attribute__((visibility("default")))
#define RING 64 /* accesses that a signal handler may make between a note and its mem_perform */

bool mem_on = true;
uint64_t mem_writes, mem_stack_lo, mem_stack_hi;

/* tests/patch/clobber.S: changes every register that a function may change, vector registers included. */
void clobber_general(void);
void clobber_vectors(uint64_t avx, uint64_t avx512);

static uint64_t accesses, fences, full_fences, performed, traps, complaints, slow_every;
static char complaint[160];
static uint64_t have_avx, have_avx512;
static pid_t patched_pid;
static struct {
	unsigned modules, functions, covered, holes, accesses, not_hooked, refused;
	uint64_t microseconds, text_bytes;
	char refusal[160];
} report;
static FILE *holes_file;

/* The code of what is patched. */
#define TEXTS 64
static struct {
	uint64_t lo, hi;
} text[TEXTS];
static unsigned texts;

/* Accesses noted for the slow way, which mem_perform compares with its own. */
static __thread struct {
	uint64_t addr, size;
	unsigned flags;
} ring[RING];
static __thread unsigned ring_n;

static void on_module(void *ctx, const struct patch_module *m);
static void on_hole(void *ctx, const struct patch_hole *h);
static struct patch_config config = {.report = {.module = on_module, .hole = on_hole}};

static void complain(const char *what, uint64_t a, uint64_t b)
{
	if (!__atomic_fetch_add(&complaints, 1, __ATOMIC_RELAXED))
		snprintf(complaint, sizeof(complaint), "%s (%#lx, %#lx)", what, a, b);
}

/* ---- the sensor ---- */

static bool take_slow(uint64_t addr, uint64_t size, unsigned flags)
{
	if (!slow_every || accesses % slow_every)
		return false;
	unsigned i = ring_n++ % RING;
	ring[i].addr = addr;
	ring[i].size = size;
	ring[i].flags = flags;
	return true;
}

static inline void count(unsigned flags)
{
	accesses++;
	fences += (flags & MEM_FENCE) != 0;
	full_fences += (flags & (MEM_FENCE | MEM_DRAIN)) == (MEM_FENCE | MEM_DRAIN);
}

static bool note_count(uint64_t addr, uint64_t size, unsigned flags)
{
	count(flags);
	return false;
}

static bool note_slow(uint64_t addr, uint64_t size, unsigned flags)
{
	count(flags);
	return take_slow(addr, size, flags);
}

static void check_fence(uint64_t addr, uint64_t size, unsigned flags)
{
	const unsigned known = MEM_FENCE | MEM_DRAIN | MEM_ACQUIRE | MEM_RELEASE;
	bool orders = config.fences == PATCH_RELEASE_FENCES;
	if (addr || size || flags & ~known)
		complain("a fence of something", addr, flags);
	if (!config.fences || ((flags & MEM_RELEASE) != 0) != orders || (!(flags & MEM_DRAIN) && !orders))
		complain("a fence that was not asked for", config.fences, flags);
}

static __attribute__((noinline)) void check_note(uint64_t addr, uint64_t size, unsigned flags, uint64_t frame)
{
	uint64_t rflags;
	__asm__ volatile("pushfq; pop %0" : "=r"(rflags));
	if (rflags & 0x400)
		complain("the direction flag is set", addr, rflags);
	if (frame & 15)
		complain("the stack is not aligned", addr, frame);
	if (flags & MEM_FENCE) {
		check_fence(addr, size, flags);
		return;
	}
	if (!size || size >> 47)
		complain("impossible size", addr, size);
	if (!(flags & (MEM_READ | MEM_WRITE)) || (flags & ~(MEM_MASKED | MEM_ZERO)) >= 2 * MEM_STACK)
		complain("impossible flags", addr, flags);
	if ((flags & MEM_CAS) && (flags & (MEM_READ | MEM_WRITE | MEM_ATOMIC)) != (MEM_READ | MEM_WRITE | MEM_ATOMIC))
		complain("a compare and swap that does not read and write at once", addr, flags);
}

static bool note_checked(uint64_t addr, uint64_t size, unsigned flags)
{
	count(flags);
	check_note(addr, size, flags, (uint64_t)__builtin_frame_address(0));
	bool slow = take_slow(addr, size, flags);
	clobber_general();
	return slow;
}

static bool (*note)(uint64_t, uint64_t, unsigned) = note_count;

bool mem_note(uint64_t addr, uint64_t size, unsigned flags)
{
	return note(addr, size, flags);
}

/* No call of libc: the thread may be cancelled here. */
static bool in_patched_text(uint64_t pc)
{
	for (unsigned i = 0; i < texts; i++)
		if (pc - text[i].lo < text[i].hi - text[i].lo)
			return true;
	return false;
}

static bool was_noted(const struct mem_access *a)
{
	for (unsigned i = 0; i < RING; i++)
		if (ring[i].addr == a->addr && ring[i].size == a->size && ring[i].flags == (a->flags & ~(MEM_SAME | MEM_ADDS))) /* a note has neither */
			return true;
	return false;
}

static bool cas_expects(const struct mem_access *a)
{
	uint64_t mask = a->size >= 8 ? UINT64_MAX : (UINT64_C(1) << a->size * 8) - 1;
	uint64_t low = a->regs->rax, high = a->regs->rdx;
	if (a->size == 8 && a->expected[0] == (low & UINT32_MAX) + (high << 32))
		return true; /* cmpxchg8b */
	return (a->expected[0] & mask) == (low & mask) && (a->size <= 8 || a->expected[1] == high);
}

static void check_perform(const struct mem_access *a)
{
	if (!was_noted(a))
		complain("mem_perform of something that was not noted", a->addr, a->size);
	if (patch_is_ours(a->pc))
		complain("pc is not in the original code", a->pc, a->addr);
	else if (!in_patched_text(a->pc - 1))
		complain("pc is in no patched module", a->pc, a->addr);
	if (!a->regs)
		return;
	uint64_t here = (uint64_t)__builtin_frame_address(0);
	if (a->regs->sp < here || a->regs->sp > here + 65536)
		complain("rsp is not the program's", a->regs->sp, here);
	if (a->flags & MEM_CAS && !cas_expects(a))
		complain("not the value that is expected", a->expected[0], a->regs->rax);
}

void mem_perform(const struct mem_access *a)
{
	int saved = errno;
	performed++;
	if (note == note_checked)
		check_perform(a);
	errno = saved;
	clobber_vectors(have_avx, have_avx512);
}

/* ---- signals ---- */

static struct sigaction wanted[_NSIG]; /* what the program asked for */
static int (*real_sigaction)(int, const struct sigaction *, struct sigaction *);

static void find_sigaction(void)
{
	if (!real_sigaction)
		real_sigaction = (__typeof__(real_sigaction))dlsym(RTLD_NEXT, "sigaction");
}

static void call_handler(int sig, siginfo_t *info, void *context)
{
	const struct sigaction *w = &wanted[sig];
	patch_to_original(context);
	if (w->sa_flags & SA_SIGINFO)
		w->sa_sigaction(sig, info, context);
	else
		w->sa_handler(sig);
}

static void on_trap(int sig, siginfo_t *info, void *context)
{
	int saved = errno;
	bool ours = patch_trap(context);
	errno = saved;
	if (ours) {
		__atomic_fetch_add(&traps, 1, __ATOMIC_RELAXED);
		return;
	}
	if (wanted[SIGTRAP].sa_handler == SIG_IGN)
		return;
	if (wanted[SIGTRAP].sa_handler != SIG_DFL) {
		call_handler(sig, info, context);
		return;
	}
	const struct sigaction dfl = {.sa_handler = SIG_DFL};
	real_sigaction(SIGTRAP, &dfl, NULL);
	raise(SIGTRAP);
}

static int set_action(int sig, const struct sigaction *act, struct sigaction *old)
{
	struct sigaction mine, was;
	find_sigaction();
	if (sig <= 0 || sig >= _NSIG)
		return real_sigaction(sig, act, old);
	was = wanted[sig];
	if (sig == SIGTRAP) {
		if (act)
			wanted[sig] = *act;
		if (old)
			*old = was;
		return 0;
	}
	if (act) {
		mine = *act;
		sigdelset(&mine.sa_mask, SIGTRAP);
		if (act->sa_handler != SIG_DFL && act->sa_handler != SIG_IGN) {
			wanted[sig] = *act; /* before the signal can come */
			mine.sa_flags |= SA_SIGINFO;
			mine.sa_sigaction = call_handler;
		}
	}
	int ret = real_sigaction(sig, act ? &mine : NULL, old);
	if (ret)
		wanted[sig] = was;
	else if (old && (old->sa_flags & SA_SIGINFO) && old->sa_sigaction == call_handler)
		*old = was;
	return ret;
}

EXPORT int sigaction(int sig, const struct sigaction *restrict act, struct sigaction *restrict old)
{
	return set_action(sig, act, old);
}

EXPORT sighandler_t signal(int sig, sighandler_t handler)
{
	const struct sigaction act = {.sa_handler = handler, .sa_flags = SA_RESTART};
	struct sigaction old;
	return set_action(sig, &act, &old) ? SIG_ERR : old.sa_handler;
}

static const sigset_t *without_trap(const sigset_t *set, sigset_t *copy)
{
	if (!set)
		return NULL;
	*copy = *set;
	sigdelset(copy, SIGTRAP);
	return copy;
}

EXPORT int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
	static int (*real)(int, const sigset_t *, sigset_t *);
	sigset_t copy;
	if (!real)
		real = (__typeof__(real))dlsym(RTLD_NEXT, "pthread_sigmask");
	return real(how, without_trap(set, &copy), old);
}

EXPORT int sigprocmask(int how, const sigset_t *restrict set, sigset_t *restrict old)
{
	int error = pthread_sigmask(how, set, old);
	if (!error)
		return 0;
	errno = error;
	return -1;
}

/* libc's handler for asynchronous cancellation unwinds from where the signal came: it, too, must see the original code. It is
   installed by the first pthread_cancel, so one thread is cancelled before any other. */
#define SIG_CANCEL 32

static int (*real_cancel)(pthread_t);
static struct sys_sigaction libc_cancel;

static void on_cancel(int sig, siginfo_t *info, void *context)
{
	patch_to_original(context);
	((void (*)(int, siginfo_t *, void *))libc_cancel.handler)(sig, info, context);
}

static void *wait_for_end(void *arg)
{
	pause();
	return arg;
}

static void wrap_cancel(void)
{
	pthread_t t;
	real_cancel = (__typeof__(real_cancel))dlsym(RTLD_NEXT, "pthread_cancel");
	if (pthread_create(&t, NULL, wait_for_end, NULL))
		return;
	real_cancel(t);
	pthread_join(t, NULL);
	if (sys_sigaction(SIG_CANCEL, NULL, &libc_cancel) || !libc_cancel.handler)
		return;
	struct sys_sigaction mine = libc_cancel;
	mine.handler = on_cancel;
	sys_sigaction(SIG_CANCEL, &mine, NULL);
}

EXPORT int pthread_cancel(pthread_t t)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, wrap_cancel);
	return real_cancel(t);
}

/* ---- what is patched ---- */

static void on_module(void *ctx, const struct patch_module *m)
{
	report.modules++;
	report.functions += m->functions;
	report.covered += m->covered;
	report.holes += m->uncovered;
	report.accesses += m->accesses;
	report.not_hooked += m->not_hooked;
	report.microseconds += m->microseconds;
	report.text_bytes += m->text_bytes;
	if (m->refused[0]) {
		report.refused++;
		if (!report.refusal[0])
			snprintf(report.refusal, sizeof(report.refusal), "%.100s: %.50s", m->path, m->refused);
	}
	if (holes_file)
		fprintf(holes_file, "module %s base=%#lx functions=%u covered=%u uncovered=%u accesses=%u not_hooked=%u %s\n", m->path,
			m->base, m->functions, m->covered, m->uncovered, m->accesses, m->not_hooked, m->refused);
}

static void on_hole(void *ctx, const struct patch_hole *h)
{
	Dl_info info;
	if (holes_file && dladdr((void *)h->addr, &info))
		fprintf(holes_file, "hole %s+%#lx %s: %s\n", info.dli_fname, h->addr - (uint64_t)info.dli_fbase,
			info.dli_sname ? info.dli_sname : "?", patch_reason_text(h->reason));
}


/* Returns whether this base name is in the list, which colons separate. */
static bool listed(const char *list, const char *name)
{
	size_t n = strlen(name);
	for (const char *p = list; p && n && (p = strstr(p, name)); p++)
		if ((p == list || p[-1] == ':') && (p[n] == ':' || !p[n]))
			return true;
	return false;
}

static void add_text(uint64_t lo, uint64_t hi)
{
	for (unsigned i = 0; i < texts; i++)
		if (text[i].lo == lo)
			return;
	if (texts == TEXTS)
		return;
	text[texts].lo = lo;
	text[texts++].hi = hi;
}

static int find_modules(struct dl_phdr_info *info, size_t size, void *ctx)
{
	const char *name = strrchr(info->dlpi_name, '/') ? strrchr(info->dlpi_name, '/') + 1 : info->dlpi_name;
	if (info->dlpi_name[0] && !listed(getenv("PATCHCOUNT_LIBS"), name))
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
		if (ph->p_type == PT_LOAD && ph->p_flags & PF_X)
			add_text(info->dlpi_addr + ph->p_vaddr, info->dlpi_addr + ph->p_vaddr + ph->p_memsz);
	}
	return 0;
}

static void patch_modules(void)
{
	unsigned known = texts;
	dl_iterate_phdr(find_modules, NULL);
	for (unsigned i = known; i < texts; i++)
		patch_module_at((const void *)text[i].lo, &config);
}

EXPORT void *dlopen(const char *file, int mode)
{
	static void *(*real)(const char *, int);
	const char *name = file && strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
	if (!real)
		real = (__typeof__(real))dlsym(RTLD_NEXT, "dlopen");
	/* patched code must stay mapped, so that nothing else can take its place */
	void *handle = real(file, name && listed(getenv("PATCHCOUNT_LIBS"), name) ? mode | RTLD_NODELETE : mode);
	if (handle && patched_pid && getenv("PATCHCOUNT_LIBS"))
		patch_modules();
	return handle;
}

static void write_line(void)
{
	const char *path = getenv("PATCHCOUNT_OUT");
	char line[1024];
	if (!path || getpid() != patched_pid)
		return;
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	int n = snprintf(line, sizeof(line), "program=%s modules=%u refused=%u accesses=%lu fences=%lu full_fences=%lu performed=%lu traps=%lu functions=%u "
		"covered=%u holes=%u hooked=%u not_hooked=%u text=%lu us=%lu complaints=%lu%s%s%s%s\n",
		program_invocation_short_name, report.modules, report.refused, accesses, fences, full_fences, performed, traps, report.functions, report.covered,
		report.holes, report.accesses, report.not_hooked, report.text_bytes, report.microseconds, complaints,
		complaint[0] ? " complaint=" : "", complaint, report.refusal[0] ? " refusal=" : "", report.refusal);
	if (fd >= 0 && write(fd, line, (size_t)n) != n)
		perror("PATCHCOUNT_OUT");
	if (fd >= 0)
		close(fd);
}

static uint64_t env_number(const char *name)
{
	const char *value = getenv(name);
	return value ? strtoull(value, NULL, 10) : 0;
}

static void __attribute__((constructor(101))) start(void)
{
	const struct sigaction trap = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK | SA_RESTART};
	const char *holes = getenv("PATCHCOUNT_HOLES");
	if (holes)
		holes_file = fopen(holes, "ae");
	__builtin_cpu_init();
	have_avx = __builtin_cpu_supports("avx") != 0;
	have_avx512 = __builtin_cpu_supports("avx512f") != 0;
	slow_every = env_number("PATCHCOUNT_SLOW");
	config.note = env_number("PATCHCOUNT_CHECK") ? note_checked : slow_every ? note_slow : note_count;
	note = config.note;
	config.fences = (unsigned)env_number("PATCHCOUNT_FENCES");
	config.all_stack = env_number("PATCHCOUNT_STACK") != 0;
	find_sigaction();
	real_sigaction(SIGTRAP, &trap, NULL);
	patched_pid = getpid();
	atexit(write_line);
	patch_modules();
	if (holes_file) {
		fclose(holes_file);
		holes_file = NULL;
	}
	if (!env_number("PATCHCOUNT_CHILDREN"))
		unsetenv("LD_PRELOAD");
}
