#include "preload/control/thread_pointer.h"

#include <link.h>
#include <stddef.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include "base/hash.h"
#include "base/processor.h"
#include "preload/base/guard.h"
#include "preload/base/maps.h"
#include "preload/base/real.h"
#include "preload/base/state.h"
#include "preload/base/sys.h"
#include "preload/base/thread.h"
#include "preload/failure/imports.h"
#include "preload/base/rules.h"

#define REACH (UINT64_C(32) << 20)    /* so many bytes below and above the address for "none" are not accessible */
#define MOST_TLS (UINT64_C(16) << 20) /* bytes of thread-local variables, which lie below the thread pointer */
#define GUESSES 4096u
#define COUNTED 128u /* so many operations of a thread are distinguished even if a loop makes them at one place */
#define FAULTED 3u   /* is added to a guess after a fault; without one it shrinks by 1 */
#define LIKELY 4u    /* from here on the thread pointer is set at once */
#define MOST 8u
#define TRIED 64u    /* every so many times it is not, to see whether it is still used */

static bool lazy SEALED = false;     /* the way is THREAD_POINTER_LAZY */
static uint64_t nowhere SEALED = 0;  /* the value of the register while no thread pointer is set */
static uint64_t *now SEALED = NULL;  /* what the register holds; in memory that no rewind restores */
static bool always SEALED = false;   /* each switch sets it */

/* Whether a thread uses its thread pointer after an operation. Shared by all processes. They may overwrite each
   other's guesses: only time depends on them. */
static struct guess {
	uint64_t operation;
	uint32_t score, uses;
} *guesses SEALED = NULL;

/* ---- the register ---- */

static void set(uint64_t value)
{
	processor_set_thread_pointer(value);
	*now = value;
}

static void unset(void)
{
	/* First: if a signal handler sets the register between the two lines, the next fault corrects *now. */
	*now = nowhere;
	processor_set_thread_pointer(nowhere);
}

/* Returns the guess for the latest operation of f. */
static struct guess *guess_of(const struct fiber *f)
{
	uint32_t n = f->operations < COUNTED ? f->operations : COUNTED;
	uint64_t operation = hash_word(hash_mix(f->place, f->ctx.tls), n);
	struct guess *g = &guesses[operation % GUESSES];
	if (g->operation != operation)
		*g = (struct guess){ .operation = operation };
	return g;
}

/* Returns whether the thread pointer is to be set before a fault asks for it. A new thread needs it to begin. */
static bool likely(const struct fiber *f)
{
	if (always || !f->place)
		return true;
	struct guess *g = guess_of(f);
	if (g->score >= LIKELY && ++g->uses % TRIED)
		return true;
	uint32_t score = g->score;
	g->score = score - !!score;
	return false;
}

void thread_pointer_switch(const struct fiber *to)
{
	if (!lazy || *now == to->ctx.tls)
		return;
	if (likely(to))
		set(to->ctx.tls);
	else if (*now != nowhere)
		unset();
}

void thread_pointer_jump(void)
{
	if (lazy && *now != nowhere && *now != fiber_cur->ctx.tls)
		unset();
}

void thread_pointer_need(void)
{
	if (lazy && *now == nowhere)
		set(fiber_cur->ctx.tls);
}

void thread_pointer_changed(uint64_t value)
{
	if (lazy)
		*now = value;
}

bool thread_pointer_fault(uint64_t addr)
{
	if (!lazy || addr - (nowhere - REACH) >= 2 * REACH || processor_kernel_thread_pointer() != nowhere)
		return false;
	set(fiber_cur->ctx.tls);
	if (fiber_cur->place) {
		struct guess *g = guess_of(fiber_cur);
		g->score = g->score + FAULTED < MOST ? g->score + FAULTED : MOST;
	}
	return true;
}

void thread_pointer_memory(uint64_t *lo, uint64_t *hi)
{
	*lo = (uintptr_t)now;
	*hi = now ? *lo + PAGE_BYTES : 0;
}

/* ---- the way ---- */

#define HWCAP2_FSGSBASE (1u << 1)

static const char *const names[] = {
	[THREAD_POINTER_INSTRUCTION] = "fsgsbase",
	[THREAD_POINTER_CALL] = "eager",
	[THREAD_POINTER_LAZY] = "lazy",
};

static int add_variables(struct dl_phdr_info *info, size_t size, void *arg)
{
	uint64_t *bytes = arg;
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_TLS)
			*bytes += info->dlpi_phdr[i].p_memsz + info->dlpi_phdr[i].p_align;
	return 0;
}

/* Returns whether accesses by a thread pointer that is not set always fault. */
static bool in_reach(void)
{
	uint64_t bytes = 0;
	dl_iterate_phdr(add_variables, &bytes);
	return bytes <= MOST_TLS;
}

/* Maps what the lazy way needs. Returns false if there is no room. */
static bool prepare(void)
{
	char *at = SYS_AWAY(7);
	void *no_access = sys_mmap(at, 2 * REACH, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	void *page = sys_mmap(at + 3 * REACH, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	guesses = sys_map_shared(at + 4 * REACH, GUESSES * sizeof *guesses);
	if (sys_failed((long)no_access) || sys_failed((long)page) || !guesses)
		return false;
	nowhere = (uintptr_t)no_access + REACH;
	now = page;
	*now = processor_thread_pointer();
	/* These set the kernel's signal mask to one that the program can write, and then SIGSEGV may be blocked. */
	always = imports_any((const char *const[]){ "setcontext", "swapcontext", NULL });
	return true;
}

/* Returns the way with this name. Ends the session if there is none. */
static enum thread_pointer_way named(const char *name)
{
	for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(names[i], name))
			return (enum thread_pointer_way)i;
	ctl_refuse("SIMUL_TEST_FS=%s: it must be lazy, eager or fsgsbase", name);
}

enum thread_pointer_way thread_pointer_init(bool kernel_threads)
{
	bool instruction = getauxval(AT_HWCAP2) & HWCAP2_FSGSBASE;
	const char *test = real_getenv("SIMUL_TEST_FS");
	bool search = !kernel_threads && ctl_session->config.mode == MODE_EXPLORE;
	enum thread_pointer_way way = instruction ? THREAD_POINTER_INSTRUCTION : THREAD_POINTER_LAZY;
	if (test)
		way = named(test);
	if (way == THREAD_POINTER_INSTRUCTION && !instruction)
		ctl_refuse("SIMUL_TEST_FS=fsgsbase: the processor or the kernel does not offer these instructions");
	if (way != THREAD_POINTER_LAZY)
		return way;
	/* Not in replays, where libunwind takes a stack at each event: it blocks SIGSEGV. */
	lazy = search && in_reach() && prepare();
	return lazy ? way : THREAD_POINTER_CALL;
}
