#include "preload/control/fiber.h"

#include <errno.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>

#include "base/check.h"
#include "preload/base/access.h"
#include "preload/base/running.h"
#include "preload/memory/dead_stack.h"
#include "preload/memory/replaced_frame.h"
#include "preload/control/ctl.h"
#include "preload/base/dispatch.h"
#include "preload/memory/heap.h"
#include "preload/base/maps.h"
#include "preload/base/real.h"
#include "preload/base/outside.h"
#include "preload/memory/shadow.h"
#include "preload/control/stack_protection.h"
#include "preload/control/thread_pointer.h"
#include "preload/base/sys.h"
#include "preload/base/rules.h"

#define STACKS_LO (HEAP_LO - (UINT64_C(1) << 32)) /* the range up to the heap is reserved for stacks */

void fiber_switch_fsgsbase(struct fiber_ctx *from, const struct fiber_ctx *to);
void fiber_switch_prctl(struct fiber_ctx *from, const struct fiber_ctx *to);
void fiber_switch_lazy(struct fiber_ctx *from, const struct fiber_ctx *to);
int fiber_park(struct fiber_ctx *ctx, uint32_t *parked, uint32_t *leave) __attribute__((returns_twice));

static struct fiber *fiber_last;
static bool kernel_threads;
static void (*switch_context)(struct fiber_ctx *, const struct fiber_ctx *);
static void (*const switches[])(struct fiber_ctx *, const struct fiber_ctx *) = {
	[THREAD_POINTER_INSTRUCTION] = fiber_switch_fsgsbase,
	[THREAD_POINTER_CALL] = fiber_switch_prctl,
	[THREAD_POINTER_LAZY] = fiber_switch_lazy,
};
static unsigned pool_parked; /* entries of the session's pool whose threads exist in this process */
static int this_pid;

static struct made {
	pthread_t handle;
	thread_id id;
} made[MAX_THREADS]; /* all threads of the execution, in order of creation */
static unsigned n_made;

static void append(struct fiber *f)
{
	if (fiber_last)
		fiber_last->next = f;
	else
		fiber_first = f;
	fiber_last = f;
}

extern void *__libc_stack_end;

/* Sets the bounds of T0's stack. The kernel grows it, so only the limit of its size is known. */
static void note_first_stack(struct fiber *f)
{
	struct { uint64_t soft, hard; } limit = { 0, 0 };
	uint64_t most = UINT64_C(64) << 20;
	sys_call2(SYS_getrlimit, 3 /* RLIMIT_STACK */, (long)&limit);
	f->stack.own_hi = ((uintptr_t)__libc_stack_end | 0xfff) + 1;
	f->stack.own_lo = f->stack.own_hi - (limit.soft && limit.soft < most ? limit.soft : most);
}

/* Sets mem_local_bytes. At the start no module has its block elsewhere. */
static int note_local(struct dl_phdr_info *info, size_t size, void *unused)
{
	uint64_t bytes = mem_local_hi - (uintptr_t)info->dlpi_tls_data;
	if (info->dlpi_tls_data && bytes > mem_local_bytes)
		mem_local_bytes = bytes;
	return 0;
}

void fiber_init(bool kernel)
{
	kernel_threads = kernel;
	switch_context = switches[thread_pointer_init(kernel)];
	this_pid = sys_getpid();
	struct fiber *f = ctl_alloc(sizeof *f);
	f->ctx.tls = processor_thread_pointer();
	f->place = FIBER_AT_START;
	f->handle = (pthread_t)f->ctx.tls;
	f->cancel_state = PTHREAD_CANCEL_ENABLE;
	f->cancel_type = PTHREAD_CANCEL_DEFERRED;
	f->kernel.tid = this_pid;
	note_first_stack(f);
	append(f);
	fiber_name(f, 0);
	fiber_cur = f;
	mem_stack_lo = f->stack.own_lo;
	mem_stack_hi = f->stack.own_hi;
	mem_local_hi = (uint64_t)f->handle;
	dl_iterate_phdr(note_local, NULL);
}

struct fiber *fiber_by_handle(pthread_t handle)
{
	for (struct fiber *f = fiber_first; f; f = f->next)
		if (f->handle == handle && f->id != NO_THREAD && !f->joined && !(f->detached && f->ended))
			return f;
	return NULL;
}

struct fiber *fiber_by_id(thread_id id)
{
	for (struct fiber *f = fiber_first; f; f = f->next)
		if (f->id == id)
			return f;
	return NULL;
}

void fiber_name(struct fiber *f, thread_id id)
{
	INVARIANT(n_made < MAX_THREADS, "more threads than ids");
	made[n_made++] = (struct made){ f->handle, id };
	f->id = id;
}

thread_id fiber_thread_of(pthread_t handle)
{
	for (unsigned i = n_made; i; i--)
		if (made[i - 1].handle == handle)
			return made[i - 1].id;
	return NO_THREAD;
}

thread_id fiber_thread_or_crash(pthread_t handle)
{
	thread_id t = fiber_thread_of(handle);
	if (t == NO_THREAD)
		(void)*(volatile char *)handle; /* libc reads the descriptor there */
	return t;
}

bool fiber_made(thread_id id)
{
	for (unsigned i = 0; i < n_made; i++)
		if (made[i].id == id)
			return true;
	return false;
}

/* ---- running ---- */

static void baton_wait(struct fiber *me)
{
	while (!__atomic_load_n(&me->kernel.go, __ATOMIC_ACQUIRE))
		sys_futex_wait(&me->kernel.go, 0, NULL);
	__atomic_store_n(&me->kernel.go, 0, __ATOMIC_RELAXED);
}

static void baton_pass(struct fiber *to)
{
	__atomic_store_n(&to->kernel.go, 1, __ATOMIC_RELEASE); /* pairs with baton_wait */
	sys_futex_wake(&to->kernel.go, 1);
}

void fiber_switch(struct fiber *to)
{
	struct fiber *from = fiber_cur;
	if (from == to) {
		thread_pointer_switch(to);
		return;
	}
	from->stack.sp = ctl_sp;
	fiber_cur = to;
	mem_stack_lo = to->stack.own_lo;
	mem_stack_hi = to->stack.own_hi;
	mem_local_hi = (uint64_t)to->handle;
	if (kernel_threads) {
		ctl_selector = &to->selector;
		baton_pass(to);
		baton_wait(from);
	} else {
		thread_pointer_switch(to);
		switch_context(&from->ctx, &to->ctx);
	}
}

void fiber_jump(struct fiber_ctx *from, const struct fiber_ctx *to)
{
	thread_pointer_jump();
	switch_context(from, to);
}

/* Runs the start routine. pthread_exit and cancellation unwind to the buffer registered here. It takes the place of the buffer in glibc's
   start_thread. */
static void __attribute__((noreturn, noinline)) run(struct fiber *f)
{
	__pthread_unwind_buf_t buf;
	if (unwind_target(buf.__cancel_jmp_buf, 0) == 0) {
		__pthread_register_cancel(&buf);
		ctl_leave();
		operations.thread_begins((const void *)f->start);
		f->value = (void *)fiber_call_clean((const void *)f->start, (const uint64_t[3]){ (uintptr_t)f->arg }, &f->stack.own_hi);
	}
	operations.thread_end(f);
}

#define ALT_STACK (256 * 1024)

void fiber_signal_stack(void)
{
	stack_t ss = { .ss_size = ALT_STACK };
	ss.ss_sp = sys_mmap(NULL, ALT_STACK, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (!sys_failed((long)ss.ss_sp))
		sys_sigaltstack(&ss, NULL);
}

static void *entry(void *p)
{
	struct fiber *f = p;
	f->kernel.park.tls = processor_thread_pointer();
	f->handle = (pthread_t)f->kernel.park.tls;
	if (kernel_threads) {
		f->kernel.tid = sys_gettid();
		fiber_signal_stack();
		dispatch_on(&f->selector);
		__atomic_store_n(&f->kernel.parked, 1, __ATOMIC_RELEASE);
		sys_futex_wake(&f->kernel.parked, 1);
		baton_wait(f);
		if (f->kernel.leave)
			return NULL;
	} else if (fiber_park(&f->kernel.park, &f->kernel.parked, &f->kernel.leave)) {
		return NULL;
	}
	run(f);
}

/* ---- creating ---- */

static void note_stack(struct fiber *f)
{
	pthread_attr_t a;
	void *lo;
	size_t size;
	if (real_pthread_getattr_np(f->handle, &a))
		return;
	if (!pthread_attr_getstack(&a, &lo, &size)) {
		f->stack.lo = lo;
		f->stack.own_lo = (uintptr_t)lo;
		f->stack.own_hi = (uintptr_t)lo + size;
	}
	pthread_attr_destroy(&a);
}

bool fiber_is_running(void)
{
	return (pthread_t)processor_thread_pointer() == fiber_cur->handle;
}

#define BIT(sig) (UINT64_C(1) << ((sig) - 1))

/* Creates a real thread and waits until it is parked. With fibers, its kernel thread blocks all signals for good except those of faults.
   Faults must work because pthread_create allocates memory, and an allocator in a library may run here for the first time (patch/lazy.h).
   Returns 0 or an errno value. */
static int spawn(const pthread_attr_t *attr, struct fiber **out)
{
	struct fiber *f = ctl_alloc(sizeof *f);
	uint64_t blocked = ~(BIT(SIGSEGV) | BIT(SIGTRAP) | BIT(SIGBUS) | BIT(SIGILL) | BIT(SIGFPE)), old = 0;
	pthread_t handle;
	rewind_taint_once("make threads that none made before");
	f->id = NO_THREAD;
	f->stack.frames_then = replaced_frame_room();
	f->kernel.home_pid = this_pid;
	thread_pointer_need(); /* libc blocks signals */
	if (!kernel_threads)
		sys_sigprocmask(0 /* SIG_BLOCK */, &blocked, &old);
	heap_pause(true); /* the program's blocks must have the same addresses however many threads are kept ready */
	int err = real_pthread_create(&handle, attr, entry, f);
	if (!err)
		while (!__atomic_load_n(&f->kernel.parked, __ATOMIC_ACQUIRE))
			sys_futex_wait(&f->kernel.parked, 0, NULL);
	if (!kernel_threads)
		sys_sigprocmask(2 /* SIG_SETMASK */, &old, NULL);
	if (!err)
		note_stack(f);
	heap_pause(false);
	if (err)
		return err;
	f->ctx = f->kernel.park;
	append(f);
	*out = f;
	return 0;
}

static void sizes_of(const pthread_attr_t *attr, size_t *stack, size_t *guard, bool *user_stack)
{
	pthread_attr_t def;
	void *addr = NULL;
	size_t size; /* 0: the attribute has no size, and *stack is the default */
	*user_stack = false;
	pthread_getattr_default_np(&def);
	if (!attr)
		attr = &def;
	pthread_attr_getstacksize(attr, stack);
	pthread_attr_getguardsize(attr, guard);
	if (attr != &def && !pthread_attr_getstack(attr, &addr, &size) && addr && (uintptr_t)addr + size != 0)
		*user_stack = true;
	pthread_attr_destroy(&def);
}

/* Returns whether threads are kept ready in a pool. With kernel threads there is none, since no fork copies them. The exception is a replay
   under a debugger: it is one process with kernel threads, and its stacks must lie where the pool of the recorded execution had them. */
static bool has_pool(void)
{
	return !kernel_threads || ctl_session->config.debug != DEBUGGED_BY_NOBODY;
}

/* Returns the parked fiber that is kept for thread `path`, or else one that is kept for any thread (path "", in old recordings), or else
   NULL. */
static struct fiber *take_parked(size_t stack, size_t guard, const char *path)
{
	struct fiber *any = NULL;
	for (struct fiber *f = fiber_first; f; f = f->next) {
		if (!f->path || f->start || f->stack.size != stack || f->stack.guard_size != guard)
			continue;
		if (!strcmp(f->path, path))
			return f;
		if (!any && !*f->path)
			any = f;
	}
	return any;
}

/* Adds a thread of this size to the pool of the next executions. */
static void wish(size_t stack, size_t guard, const char *path)
{
	struct session_pool *p = &ctl_session->pool;
	if (p->n >= SESSION_POOL || !has_pool())
		return;
	p->thread[p->n].stack_size = stack;
	p->thread[p->n].guard_size = guard;
	strcpy(p->thread[p->n].path, path);
	p->n++;
}

/* Sets `path` to the thread's name in the pool; "" if the name is too long. */
static void path_of(thread_id id, char path[SESSION_PATH])
{
	const struct thread_names *names = ctl_segment(ctl_session->layout.names_off);
	thread_name_format(names, id, path, SESSION_PATH);
	if (strlen(path) == SESSION_PATH - 1)
		*path = 0;
}

int fiber_create(thread_id id, const pthread_attr_t *attr, void *(*start)(void *), void *arg, struct fiber **out)
{
	size_t stack, guard;
	bool user_stack;
	char path[SESSION_PATH];
	sizes_of(attr, &stack, &guard, &user_stack);
	path_of(id, path);
	struct fiber *f = user_stack || !has_pool() ? NULL : take_parked(stack, guard, path);
	if (!f) {
		pthread_attr_t joinable;
		if (attr) {
			/* The real thread is always joinable: simul simulates detaching, and joins the real thread when it gives it back. */
			joinable = *attr;
			pthread_attr_setdetachstate(&joinable, PTHREAD_CREATE_JOINABLE);
		}
		int err = spawn(attr ? &joinable : NULL, &f);
		if (err)
			return err;
		snapshot_tainted = true; /* the new kernel thread exists in this process only, and glibc reuses its stack after its end */
		if (!user_stack)
			wish(stack, guard, path);
		if (mem_on) /* glibc may have reused the stack of a thread that has ended */
			shadow_forget(f->stack.own_lo, f->stack.own_hi - f->stack.own_lo);
		dead_stack_of(f);
	}
	f->stack.users = user_stack;
	f->start = start;
	f->arg = arg;
	f->cancel_state = PTHREAD_CANCEL_ENABLE;
	f->cancel_type = PTHREAD_CANCEL_DEFERRED;
	*out = f;
	return 0;
}

/* The address of the pool's next stack. Fixed addresses make the stacks of a search and of its replays equal, although simul has different
   mappings of its own in a replay. */
static uint64_t stack_next = STACKS_LO;

/* Places the stack at the next address of the pool. Returns false if that is not possible; then glibc chooses the address. */
static bool place_stack(pthread_attr_t *a, uint64_t size, uint64_t guard, int protection)
{
	uint64_t whole = (size + guard + 2 * PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES, at = stack_next;
	if (at + whole > HEAP_LO)
		return false;
	void *p = sys_mmap((void *)at, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
	if (sys_failed((long)p))
		return false;
	uint64_t lo = (at + guard + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
	stack_next += whole;
	return (uint64_t)p == at && !sys_call3(SYS_mprotect, (long)lo, (long)(at + whole - lo), protection) &&
	       !pthread_attr_setstack(a, (void *)lo, size);
}

void fiber_pool_fill(void)
{
	struct session_pool *p = &ctl_session->pool;
	unsigned n = p->n < SESSION_POOL ? p->n : SESSION_POOL;
	if (!has_pool())
		return;
	int protection = stack_protection();
	for (; pool_parked < n; pool_parked++) {
		struct fiber *f;
		pthread_attr_t a;
		size_t stack = p->thread[pool_parked].stack_size, guard = p->thread[pool_parked].guard_size;
		pthread_attr_init(&a);
		pthread_attr_setstacksize(&a, stack);
		pthread_attr_setguardsize(&a, guard);
		place_stack(&a, stack, guard, protection);
		int err = spawn(&a, &f);
		pthread_attr_destroy(&a);
		if (err) {
			p->n = pool_parked;
			return;
		}
		f->stack.size = stack;
		f->stack.guard_size = guard;
		f->path = p->thread[pool_parked].path;
		p->thread[pool_parked].stack_at = f->stack.own_lo;
	}
}

/* Stacks outside of the pool are glibc's, or the program's own. */
void fiber_code_loaded(void)
{
	static bool done;
	if (done || !(stack_protection() & PROT_EXEC))
		return;
	done = true;
	for (struct fiber *f = fiber_first; f; f = f->next)
		if (f->path) {
			uint64_t page = PAGE_BYTES, lo = (uint64_t)f->stack.lo & -page, hi = ((uint64_t)f->stack.lo + f->stack.size + page - 1) & -page;
			sys_mprotect((void *)lo, hi - lo, stack_protection());
		}
}

/* ---- returning threads to glibc ---- */

static void unlink_fiber(struct fiber *f)
{
	struct fiber *prev = fiber_first;
	while (prev->next != f)
		prev = prev->next;
	prev->next = f->next;
	if (fiber_last == f)
		fiber_last = prev;
}

void fiber_release(struct fiber *f)
{
	INVARIANT(f->ended && f != fiber_cur && f != fiber_first, "released fiber still runs");
	if (kernel_threads || f->kernel.home_pid != this_pid)
		return; /* the kernel thread is in another process, or has not ended, so the stack must stay */
	__atomic_store_n(&f->kernel.leave, 1, __ATOMIC_RELEASE);
	sys_futex_wake(&f->kernel.leave, 1);
	real_pthread_join(f->handle, NULL);
	unlink_fiber(f);
	ctl_free(f, sizeof *f);
}

void fiber_after_fork(void)
{
	this_pid = sys_getpid();
	fiber_first->kernel.tid = this_pid;
}
