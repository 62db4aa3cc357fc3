/* The frame of a signal handler, as Linux builds it on x86-64 (arch/x86/kernel/signal_64.c: x64_setup_rt_frame). */
#include "preload/kernel/signal_frame.h"

#include <string.h>

#include "base/registers.h"

#include "preload/base/rules.h"

#define KERNEL_CONTEXT 304u          /* bytes of the kernel's struct ucontext; libc's is longer */
#define XSTATE_MAGIC 0x46505853u     /* FP_XSTATE_MAGIC1 */
#define XSTATE_AT 464u               /* of struct _fpx_sw_bytes: magic, then the size of everything */
#define HAS_XSTATE 1u                /* UC_FP_XSTATE */
#define LEGACY_BYTES 512u
#define STATE_ALIGN 64u

struct frame {
	const void *restorer; /* the return address of the handler */
	char context[KERNEL_CONTEXT];
	siginfo_t info;
};
_Static_assert(__builtin_offsetof(struct frame, info) == 312 &&
	__builtin_offsetof(ucontext_t, uc_sigmask) + 8 == KERNEL_CONTEXT,
	"libc's code that ends a handler finds the context there");

/* Returns the size of the vector registers' state. */
static uint64_t state_size(const ucontext_t *uc, const char *state)
{
	uint32_t magic_and_size[2];
	memcpy(magic_and_size, state + XSTATE_AT, sizeof magic_and_size);
	return uc->uc_flags & HAS_XSTATE && magic_and_size[0] == XSTATE_MAGIC ? magic_and_size[1] : LEGACY_BYTES;
}

bool signal_frame_push(ucontext_t *uc, const siginfo_t *si, uint64_t top, uint64_t lo,
	void (*routine)(int, siginfo_t *, void *), const void *restorer)
{
	const char *state = (const char *)uc->uc_mcontext.fpregs;
	uint64_t bytes = state ? state_size(uc, state) : 0, at = (top - bytes) & -(uint64_t)STATE_ALIGN;
	greg_t *g = uc->uc_mcontext.gregs;
	/* the routine begins as if it had been called: 8 bytes after a multiple of 16 */
	struct frame *f = (struct frame *)(((at - sizeof *f) & -UINT64_C(16)) - 8);
	if (top - lo < bytes + sizeof *f + STATE_ALIGN + 16 || top < lo)
		return false;
	if (state)
		uc->uc_mcontext.fpregs = memcpy((void *)at, state, bytes);
	f->restorer = restorer;
	memcpy(f->context, uc, KERNEL_CONTEXT);
	f->info = *si;
	uc->uc_mcontext.fpregs = (void *)state;
	g[REG_RIP] = (greg_t)(uintptr_t)routine;
	g[REG_RSP] = (greg_t)(uintptr_t)f;
	g[REG_RDI] = si->si_signo;
	g[REG_RSI] = (greg_t)(uintptr_t)&f->info;
	g[REG_RDX] = (greg_t)(uintptr_t)f->context;
	g[REG_EFL] &= ~(greg_t)0x500; /* direction and trap flag */
	return true;
}
