/*
 * libpatchstep.so: single-steps a program (stepped.c) and compares the patched one with the native one. Each context that
 * a signal finds in new code or in the sensor's stub, put through patch_to_original, must be the next one of the native
 * program: instruction, general registers, flags.
 *
 *	STEP_PATCH=0   native: writes what it sees to STEP_LOG
 *	STEP_PATCH=1   patched: compares with STEP_LOG; exit status 1 at the first difference, which is printed
 *	STEP_SLOW=N    every Nth access goes the slow way
 *	STEP_STACK=1   accesses through the stack pointer as well
 *
 * Both runs need the same layout: the same length of environment, no address randomisation.
 */
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "preload/accesses/mem.h"
#include "preload/patch/patch.h"

#define EXPORT __attribute__((visibility("default")))
#define FLAGS 0xcd5 /* those of arithmetic, and the direction */
#define MAX 65536

bool mem_on = true;
uint64_t mem_writes, mem_stack_lo, mem_stack_hi;

struct state {
	uint64_t rip, reg[16], flags;
};
static struct state *native, last;
static unsigned natives, seen;
static unsigned long steps, notes, performed, slow_every;
static bool patched, different;
static uint64_t text_lo, text_hi;
static const int greg[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI, REG_R8, REG_R9, REG_R10, REG_R11,
	REG_R12, REG_R13, REG_R14, REG_R15};

bool mem_note(uint64_t addr, uint64_t size, unsigned flags)
{
	notes++;
	return slow_every && notes % slow_every == 0;
}

void mem_perform(const struct mem_access *a)
{
	performed++;
	__asm__ volatile("pxor %%xmm0, %%xmm0" ::: "memory");
}

/* A new state of the program; a change of flags alone is within an instruction. */
static void take(const struct state *s, uint64_t pc)
{
	if (seen && !memcmp(s, &last, offsetof(struct state, flags)))
		return;
	/* The flags of a repeated instruction are not settled before its end. */
	bool within = seen && s->rip == last.rip;
	last = *s;
	if (!patched) {
		if (seen < MAX)
			native[seen] = *s;
	} else if (!different
		   && (seen >= natives || memcmp(s, &native[seen], within ? offsetof(struct state, flags) : sizeof(*s)))) {
		different = true;
		printf("state %u of %u, at %#lx (really %#lx): native %#lx\n", seen, natives, s->rip, pc, seen < natives ? native[seen].rip : 0);
		for (unsigned i = 0; i < 16 && seen < natives; i++)
			if (s->reg[i] != native[seen].reg[i])
				printf("register %u: %#lx, native %#lx\n", i, s->reg[i], native[seen].reg[i]);
		if (seen < natives && s->flags != native[seen].flags)
			printf("flags: %#lx, native %#lx\n", s->flags, native[seen].flags);
	}
	seen++;
}

static void on_trap(int sig, siginfo_t *info, void *context)
{
	ucontext_t copy = *(ucontext_t *)context;
	const greg_t *g = copy.uc_mcontext.gregs;
	uint64_t pc = (uint64_t)g[REG_RIP];
	if (info->si_code == SI_KERNEL) { /* int3, not a step */
		if (!patch_trap(context))
			abort();
		return;
	}
	steps++;
	if (pc - text_lo >= text_hi - text_lo && !patch_is_ours(pc))
		return; /* a library, the sensor */
	if (patched)
		patch_to_original(&copy);
	struct state s = {.rip = (uint64_t)g[REG_RIP], .flags = (uint64_t)g[REG_EFL] & FLAGS};
	for (unsigned i = 0; i < 16; i++)
		s.reg[i] = (uint64_t)g[greg[i]];
	take(&s, pc);
}

EXPORT void step_on(void);
EXPORT void step_off(void);

void step_on(void)
{
	__asm__ volatile("pushfq; orq $0x100, (%rsp); popfq");
}

void step_off(void)
{
	__asm__ volatile("pushfq; andq $~0x100, (%rsp); popfq");
	printf("%lu steps, %u states, %lu accesses, %lu slow\n", steps, seen, notes, performed);
	if (!patched) {
		int fd = open(getenv("STEP_LOG"), O_WRONLY | O_CREAT | O_TRUNC, 0666);
		if (seen > MAX || write(fd, native, seen * sizeof(*native)) != (ssize_t)(seen * sizeof(*native)))
			_exit(2);
	} else if (different || seen != natives || notes < 100 || (slow_every && !performed)) {
		printf("differs: %u states, natively %u\n", seen, natives);
		fflush(stdout);
		_exit(1);
	}
}

static int find_program(struct dl_phdr_info *info, size_t size, void *ctx)
{
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags & PF_X) {
			text_lo = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
			text_hi = text_lo + info->dlpi_phdr[i].p_memsz;
		}
	return 1; /* the program is the first */
}

static void __attribute__((constructor(101))) start(void)
{
	const struct sigaction trap = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO | SA_NODEFER};
	native = mmap(NULL, MAX * sizeof(*native), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	dl_iterate_phdr(find_program, NULL);
	sigaction(SIGTRAP, &trap, NULL);
	slow_every = strtoul(getenv("STEP_SLOW"), NULL, 10);
	if (!strcmp(getenv("STEP_PATCH"), "0"))
		return;
	int fd = open(getenv("STEP_LOG"), O_RDONLY);
	natives = (unsigned)(read(fd, native, MAX * sizeof(*native)) / (ssize_t)sizeof(*native));
	const struct patch_config config = {.fences = PATCH_RELEASE_FENCES, .all_stack = !strcmp(getenv("STEP_STACK"), "1")};
	patched = patch_module_at((const void *)text_lo, &config);
	if (!patched)
		_exit(2);
}
