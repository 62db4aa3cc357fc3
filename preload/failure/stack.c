/*
 * Stacks, by two unwinders.
 *
 * libgcc's unwinder takes the stack of a failure. It is linked in and hidden. It allocates nothing, so it also works in a crash inside
 * malloc. It costs nothing before the failure.
 *
 * libunwind takes a stack at each event, while a bug is confirmed or replayed. libunwind checks every address before it reads there. It is
 * loaded with RTLD_LOCAL, because its _Unwind_* symbols must not replace those of the program's own unwinder.
 *
 * The processes of a search load libunwind too, although they do not use it. It takes room where the kernel would place a mapping of the
 * program, and the loader allocates memory for it with the program's malloc. Otherwise memory of the program would have other addresses in a
 * replay than in the search, and the recording would not replay.
 */
#define UNW_LOCAL_ONLY
#include <dlfcn.h>
#include <libunwind.h>
#include <string.h>
#include <unwind.h>

#include "base/code_range.h"
#include "base/registers.h"
#include "preload/base/access.h"
#include "preload/base/dispatch.h"
#include "preload/base/frames.h"
#include "preload/base/operations.h"
#include "preload/base/state.h"
#include "preload/base/thread.h"
#include "preload/failure/stack.h"
#include "preload/base/rules.h"

#define NAME(x) NAME_(x)
#define NAME_(x) #x

static struct code_range own;
static int (*get_context)(unw_tdep_context_t *);
static int (*init_local)(unw_cursor_t *, unw_context_t *, int);
static int (*step)(unw_cursor_t *);
static int (*get_reg)(unw_cursor_t *, unw_regnum_t, unw_word_t *);

void stack_init(void)
{
	own = code_range_of((const void *)(uintptr_t)stack_init);
	void *lib = dlopen("libunwind.so.8", RTLD_NOW | RTLD_LOCAL);
	if (!lib)
		return; /* without libunwind stack_at_event uses stack_here */
	get_context = (int (*)(unw_tdep_context_t *))dlsym(lib, NAME(UNW_ARCH_OBJ(getcontext)));
	init_local = (int (*)(unw_cursor_t *, unw_context_t *, int))dlsym(lib, NAME(UNW_OBJ(init_local2)));
	step = (int (*)(unw_cursor_t *))dlsym(lib, NAME(UNW_OBJ(step)));
	get_reg = (int (*)(unw_cursor_t *, unw_regnum_t, unw_word_t *))dlsym(lib, NAME(UNW_OBJ(get_reg)));
}

bool stack_is_simul(uint64_t pc)
{
	return code_range_has(&own, pc);
}

uint64_t stack_simul_offset(uint64_t pc)
{
	return pc - own.base;
}

/* Returns the address that a reader of the stack gets for a frame; 0: the frame is no part of the program's stack.
   *interrupted, which begins as false, is for the frame after that of the handler of system calls: it may be in patched
   code. */
static uint64_t frame_pc(uint64_t ip, bool *interrupted)
{
	bool before = *interrupted;
	*interrupted = dispatch_is_return(ip);
	if (*interrupted || stack_is_simul(ip))
		return 0;
	return before ? operations.original_pc(ip - 1) + 1 : ip;
}

/* ---- an access of patched code ---- */

/* The code that calls the sensor has no unwind table. So a walk starts from the program's registers at the access. */
void stack_as_if(const ucontext_t *uc, void (*walk)(void *), void *arg);

/* Returns the address of the instruction whose access the running thread is about to make; 0: it entered simul by a call. */
static uint64_t access_pc(void)
{
	return fiber_cur && fiber_cur->access ? fiber_cur->access->pc : 0;
}

/* Calls walk(arg) so that its unwinder continues at the access of the running thread. */
static void from_access(void (*walk)(void *), void *arg)
{
	const struct mem_regs *regs = fiber_cur->access;
	ucontext_t uc;
	fiber_cur->access = NULL; /* cleared during the walk: if the walk faults, the crash report must start at the fault */
	context_make(&uc, regs);
	stack_as_if(&uc, walk, arg);
	fiber_cur->access = regs;
}

/* ---- libgcc ---- */

struct walk {
	uint64_t *pc;
	unsigned *n, max;
	uint64_t from; /* skip all frames before this exact address; 0: none */
	bool interrupted; /* of frame_pc */
};

static _Unwind_Reason_Code add_frame(struct _Unwind_Context *context, void *arg)
{
	struct walk *w = arg;
	uint64_t ip = _Unwind_GetIP(context);
	if (!ip)
		return _URC_END_OF_STACK;
	if (w->from && ip != w->from)
		return _URC_NO_REASON;
	w->from = 0;
	uint64_t pc = frame_pc(ip, &w->interrupted);
	if (pc)
		w->pc[(*w->n)++] = pc;
	return *w->n < w->max ? _URC_NO_REASON : _URC_END_OF_STACK;
}

static void walk_all(void *w)
{
	frames_walk(add_frame, w);
}

unsigned stack_here(uint64_t *pc, unsigned max)
{
	unsigned n = 0;
	struct walk w = { .pc = pc, .n = &n, .max = max, .from = access_pc() };
	if (!fiber_cur || !fiber_cur->access) {
		frames_walk(add_frame, &w);
		return n;
	}
	from_access(walk_all, &w);
	if (n)
		pc[0]++; /* readers subtract 1 from all addresses, as from return addresses; this one is the instruction itself */
	return n;
}

/* ---- up to the end of the stack ---- */

#define MOST_FRAMES 4096u
#define OUTERMOST 8192u /* the outermost frame lies within this many bytes of the end of a stack */

struct climb {
	uint64_t lo, hi, cfa; /* bounds of the stack; end of the outermost frame found in it */
	uint64_t addr, end;   /* end of the frame that holds addr; 0: not found */
	unsigned n;
};

static _Unwind_Reason_Code climb_on(struct _Unwind_Context *context, void *arg)
{
	struct climb *c = arg;
	uint64_t cfa = _Unwind_GetCFA(context);
	if (cfa - c->lo < c->hi - c->lo) {
		if (cfa < c->cfa)
			return _URC_END_OF_STACK; /* broken: each frame must lie above the previous one */
		c->cfa = cfa;
		if (cfa > c->addr && !c->end)
			c->end = cfa;
	}
	return ++c->n < MOST_FRAMES ? _URC_NO_REASON : _URC_END_OF_STACK;
}

static void climb_all(void *c)
{
	frames_walk(climb_on, c);
}

bool stack_reaches_end(const struct fiber *f, uint64_t addr, uint64_t *slot)
{
	struct climb c = { .lo = f->stack.own_lo, .hi = f->stack.own_hi, .addr = addr };
	ucontext_t uc;
	if (f == fiber_cur && f->access) {
		from_access(climb_all, &c);
	} else if (f == fiber_cur) {
		climb_all(&c);
	} else if (f->access) {
		context_make(&uc, f->access);
		stack_as_if(&uc, climb_all, &c);
	} else {
		const struct mem_regs r = registers_of_fiber(&f->ctx);
		context_make(&uc, &r);
		stack_as_if(&uc, climb_all, &c);
	}
	if (slot)
		*slot = c.end ? c.end - sizeof(uint64_t) : 0;
	return c.cfa && f->stack.own_hi - c.cfa < OUTERMOST;
}

/* The walk passes the frames of the signal handler and keeps those from the interrupted instruction on. It counts in *n at each step: if
   the stack is so broken that the walk faults, the addresses found so far remain. */
void stack_of_context(const ucontext_t *uc, uint64_t *pc, uint32_t *n, unsigned max)
{
	uint64_t at = context_pc(uc);
	struct walk w = { .pc = pc, .n = n, .max = max, .from = at };
	*n = 0;
	if (!code_range_of((const void *)at).hi) {
		/* The program jumped to an address without code. Unwinders fail there, but the return address is on top of the stack. */
		pc[0] = context_return_address(uc) - 1;
		*n = 1;
		return;
	}
	frames_walk(add_frame, &w);
	if (*n == 0)
		pc[(*n)++] = at;
}

/* ---- libunwind ---- */

struct event_walk {
	uint64_t *pc;
	uint32_t *above;
	unsigned n, max;
};

/* Records the end of the latest frame. `sp` is the stack pointer of its caller, and the frame ends there. */
static void end_frame(struct event_walk *w, uint64_t sp)
{
	uint64_t above = fiber_cur ? fiber_cur->stack.own_hi - sp : 0;
	if (w->n && !w->above[w->n - 1] && above < UINT32_MAX)
		w->above[w->n - 1] = (uint32_t)above;
}

/* Walks from the registers in uc, of an access or of the caller. */
static void walk_event(struct event_walk *w, unw_context_t *uc, bool access)
{
	unw_cursor_t cur;
	bool interrupted = false;
	if (init_local(&cur, uc, access ? UNW_INIT_SIGNAL_FRAME : 0))
		return;
	do {
		unw_word_t ip, sp;
		if (get_reg(&cur, UNW_REG_IP, &ip) || !ip || get_reg(&cur, UNW_REG_SP, &sp))
			break;
		end_frame(w, sp);
		if (w->n == w->max)
			break;
		uint64_t pc = frame_pc(ip, &interrupted);
		if (pc) {
			w->above[w->n] = 0;
			w->pc[w->n++] = pc;
		}
	} while (step(&cur) > 0);
}

/* Takes the stack by stack_here, which does not find where frames end. */
static unsigned stack_without_ends(uint64_t *pc, uint32_t *above, unsigned max)
{
	memset(above, 0, max * sizeof *above);
	return stack_here(pc, max);
}

unsigned stack_at_event(uint64_t *pc, uint32_t *above, unsigned max)
{
	struct event_walk w = { .pc = pc, .above = above, .max = max };
	const struct mem_regs *regs = fiber_cur ? fiber_cur->access : NULL;
	unw_context_t uc;
	if (!get_context || !init_local || !step || !get_reg)
		return stack_without_ends(pc, above, max);
	if (!regs) {
		if (get_context(&uc) == 0)
			walk_event(&w, &uc, false);
		return w.n;
	}
	context_make(&uc, regs);
	fiber_cur->access = NULL; /* as in from_access */
	walk_event(&w, &uc, true);
	fiber_cur->access = regs;
	if (w.n)
		pc[0]++;
	return w.n ? w.n : stack_without_ends(pc, above, max);
}
