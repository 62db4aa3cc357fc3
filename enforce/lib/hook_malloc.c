/*
 * malloc and its family. When the certificate names blocks of the heap, blocks must lie where they lay while the program was searched. There they come
 * from preload/memory/heap.c, where the place of a block follows from what its thread has allocated and freed before, and from nothing
 * else. So the same heap is used here, and the same calls give the same addresses. Each thread has a part of its own, without locks.
 *
 * What a thread does differently from the search shows as a divergence: it accesses another address than the certificate has.
 *
 * Giving a block back counts as a write of its bytes, as in the search (preload/hooks/hook_malloc.c).
 */
#include "enforce/lib/hook_malloc.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <threads.h>
#include <unistd.h>

#include "base/code_range.h"
#include "enforce/lib/gate.h"
#include "enforce/lib/memory.h"
#include "enforce/lib/real.h"
#include "enforce/lib/stack_place.h"
#include "preload/accesses/mem.h"
#include "preload/memory/heap.h"

#define CALLER ((uintptr_t)__builtin_return_address(0))
#define PAGE 4096u
#define FREED_BYTES 256u /* The most bytes that a free counts as written, unless the block is not reused at once */
#define STDIO_FILE 4096u
#define STDIO_TERMINAL 1024u

static bool on, waits; /* waits: freed blocks are not reused at once */
static bool terminal;  /* standard output is one */
static __thread bool reads_proc; /* 1: libc is reading a file of /proc; stdio's buffer for it is as small as one for a terminal */
static struct code_range libc;
static __thread uint32_t owner = PLAN_NONE; /* the thread of the plan from whose part of the heap this thread allocates */

/* heap.c refers to it, because the search repeats executions in one process. Here it has no effect. */
const char *rewind_tainted;
bool rewind_passes;

/* ---- start ---- */

/* Returns the names of the plan's threads, which determine where the parts of the heap lie. */
static const struct thread_names *thread_names(void)
{
	static struct thread_names names;
	const struct plan_thread *t = plan_at(gate_plan->threads);

	names.count = gate_plan->n_threads;
	for (uint32_t i = 1; i < gate_plan->n_threads; i++)
		names.name[i] = (struct thread_name){{{.parent = (thread_id)t[i].parent, .child_no = (uint16_t)t[i].child}}};
	return &names;
}

void heap_begin(void)
{
	if (!gate_plan->heap)
		return;
	Dl_info first, own;
	libc = code_range_of((const void *)(uintptr_t)REAL(_exit));
	if (!code_range_has(&libc, (uintptr_t)REAL(malloc)) || !dladdr(dlsym(RTLD_DEFAULT, "malloc"), &first) ||
		!dladdr((void *)heap_begin, &own) ||
		first.dli_fbase != own.dli_fbase)
		gate_refuse("the certificate cannot be enforced: the program has an allocator of its own in place of libc's");
	if (!heap_init(thread_names()))
		gate_refuse("the certificate cannot be enforced: the heap cannot be placed at the address that the search used");
	heap_place_threads((thread_id)gate_plan->n_threads);
	waits = gate_plan->freed_waits;
	if (waits)
		heap_let_wait();
	owner = 0;
	terminal = isatty(STDOUT_FILENO);
	on = true;
}

void heap_of_libc(bool use)
{
	static uint32_t before;

	if (use)
		before = owner;
	owner = use ? PLAN_NONE : before;
}

void heap_thread(uint32_t thread)
{
	owner = thread;
}

uint32_t heap_leave(void)
{
	uint32_t thread = owner;

	owner = PLAN_NONE;
	return thread;
}

static inline bool ours(void)
{
	return __builtin_expect(on, 0) && owner != PLAN_NONE;
}

/* ---- blocks ---- */

static void *take(size_t size, size_t align, bool *fresh)
{
	return heap_alloc((thread_id)owner, size, align, fresh);
}

/* Makes stdio's buffer for a terminal as large as the one for a file, because standard output was a file during the search. */
static size_t as_searched(size_t size, uintptr_t caller)
{
	return size == STDIO_TERMINAL && terminal && !reads_proc && code_range_has(&libc, caller) ? STDIO_FILE : size;
}

static void *allocate(size_t size, uintptr_t caller)
{
	bool fresh;
	void *p = take(as_searched(size, caller), HEAP_ALIGN, &fresh);

	return p ? p : REAL(malloc)(size);
}

static void *zeroed(size_t n, size_t each)
{
	size_t size;
	bool fresh;
	void *p;

	if (__builtin_mul_overflow(n, each, &size)) {
		errno = ENOMEM;
		return NULL;
	}
	p = take(size, HEAP_ALIGN, &fresh);
	if (!p)
		return REAL(calloc)(n, each);
	if (!fresh)
		heap_zero(p, size);
	return p;
}

static void __attribute__((noreturn, cold)) damaged(const char *function)
{
	static const char text[] = "(): this is no block, or was freed before, or what lies before it was overwritten\n";

	if (write(STDERR_FILENO, function, strlen(function)) < 0 || write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
		abort();
	abort();
}

/* The free is a write: it must be performed before other threads can get the block. */
static bool begin_freeing(const void *p, size_t size)
{
	if (!waits && size > FREED_BYTES)
		size = FREED_BYTES;
	return memory_shared((uintptr_t)p, size) && memory_range_begin((uintptr_t)p, size, MEM_WRITE);
}

static void give_back(const char *function, void *p)
{
	int saved = errno;
	bool mine;

	if (heap_check(p) != HEAP_LIVE)
		damaged(function);
	mine = begin_freeing(p, heap_size(p));
	heap_free(owner == PLAN_NONE ? NO_THREAD : (thread_id)owner, p); /* the block of a thread that has no part of the heap is not reused */
	memory_range_end(mine);
	errno = saved;
}

static void release(const char *function, void *p)
{
	if (p && on && heap_owns(p))
		give_back(function, p);
	else
		REAL(free)(p);
}

/* Frees everything after the first `size` bytes. */
static void cut_off(void *p, size_t size)
{
	size_t had = heap_size(p);

	if (waits && size < had)
		memory_range_end(begin_freeing((char *)p + size, had - size));
}

/* Resizes a block. It stays where it is if the new size fits and leaves little unused, by the same rule as in the search. */
static void *resize(void *old, size_t size, uintptr_t caller)
{
	bool mine = heap_owns(old);
	size_t had;
	void *p;

	if (mine && heap_check(old) != HEAP_LIVE)
		damaged("realloc");
	had = mine ? heap_capacity(old) : REAL(malloc_usable_size)(old);
	if (mine && size <= had && size >= had / 2) {
		cut_off(old, size);
		heap_set_size(old, size);
		return old;
	}
	p = ours() ? allocate(size, caller) : REAL(malloc)(size);
	if (!p)
		return NULL;
	memcpy(p, old, had < size ? had : size);
	release("realloc", old);
	return p;
}

static void *aligned(size_t align, size_t size)
{
	bool fresh;
	void *p = take(size, align, &fresh);

	return p ? p : REAL(memalign)(align, size);
}

static bool power_of_two(size_t n)
{
	return n && !(n & (n - 1));
}

/* ---- the names ---- */

EXPORT void *malloc(size_t size)
{
	return ours() ? allocate(size, CALLER) : REAL(malloc)(size);
}

EXPORT void *calloc(size_t n, size_t each)
{
	return ours() ? zeroed(n, each) : REAL(calloc)(n, each);
}

EXPORT void free(void *p)
{
	release("free", p);
}

EXPORT void *realloc(void *p, size_t size)
{
	if (!ours() && (!on || !heap_owns(p)))
		return REAL(realloc)(p, size);
	if (!p)
		return allocate(size, CALLER);
	if (!size) {
		release("realloc", p);
		return NULL;
	}
	return resize(p, size, CALLER);
}

EXPORT void *reallocarray(void *p, size_t n, size_t each)
{
	size_t size;

	if (__builtin_mul_overflow(n, each, &size)) {
		errno = ENOMEM;
		return NULL;
	}
	return realloc(p, size);
}

EXPORT void *memalign(size_t align, size_t size)
{
	return ours() && power_of_two(align) ? aligned(align, size) : REAL(memalign)(align, size);
}

EXPORT void *aligned_alloc(size_t align, size_t size)
{
	return ours() && power_of_two(align) ? aligned(align, size) : REAL(aligned_alloc)(align, size);
}

EXPORT int posix_memalign(void **p, size_t align, size_t size)
{
	int saved = errno;
	void *block;

	if (!ours() || !power_of_two(align) || align % sizeof(void *))
		return REAL(posix_memalign)(p, align, size);
	block = aligned(align, size);
	errno = saved;
	if (!block)
		return ENOMEM;
	*p = block;
	return 0;
}

EXPORT void *valloc(size_t size)
{
	return ours() ? aligned(PAGE, size) : REAL(valloc)(size);
}

EXPORT void *pvalloc(size_t size)
{
	if (!ours() || size > SIZE_MAX - PAGE)
		return REAL(pvalloc)(size);
	return aligned(PAGE, size ? (size + PAGE - 1) / PAGE * PAGE : PAGE);
}

/* for the first thread, libc reads the address in /proc/self/maps */
EXPORT int pthread_getattr_np(pthread_t t, pthread_attr_t *attr)
{
	int r;

	reads_proc = true;
	r = REAL(pthread_getattr_np)(t, attr);
	reads_proc = false;
	if (!r)
		stack_place_guard(attr);
	return r;
}

/* In the search, simul itself keeps the destructors of thread-local variables, except those of the first thread. So
   what libc allocates for them is not the program's. */
int __cxa_thread_atexit_impl(void (*function)(void *), void *object, void *dso);
EXPORT int __cxa_thread_atexit_impl(void (*function)(void *), void *object, void *dso)
{
	if (!owner)
		return REAL(__cxa_thread_atexit_impl)(function, object, dso);
	return HEAP_AS_LIBC(REAL(__cxa_thread_atexit_impl)(function, object, dso));
}

/* Places a mapping at the address that it had in the search, if the program does not ask for an address. */
static void *place(void *addr, size_t size, int flags)
{
	bool free_choice = !addr && !(flags & (MAP_FIXED | MAP_FIXED_NOREPLACE | MAP_32BIT | MAP_HUGETLB | MAP_GROWSDOWN));

	return free_choice && ours() ? (void *)heap_place((thread_id)owner, size) : NULL;
}

EXPORT void *mmap(void *addr, size_t size, int prot, int flags, int fd, off_t offset)
{
	void *at = place(addr, size, flags);
	void *p = at ? REAL(mmap)(at, size, prot, flags | MAP_FIXED_NOREPLACE, fd, offset) : MAP_FAILED;

	return p != MAP_FAILED ? p : REAL(mmap)(addr, size, prot, flags, fd, offset);
}

EXPORT void *mmap64(void *addr, size_t size, int prot, int flags, int fd, off_t offset)
{
	return mmap(addr, size, prot, flags, fd, offset);
}

/* This library's own calls of mmap: the linker redirects them here (Makefile: ENFORCE_LINK). */
void *__wrap_mmap(void *addr, size_t size, int prot, int flags, int fd, off_t offset);
void *__wrap_mmap(void *addr, size_t size, int prot, int flags, int fd, off_t offset)
{
	return REAL(mmap)(addr, size, prot, flags, fd, offset);
}

EXPORT size_t malloc_usable_size(void *p)
{
	if (!p || !on || !heap_owns(p))
		return REAL(malloc_usable_size)(p);
	if (ours() && heap_check(p) == HEAP_LIVE)
		heap_set_size(p, heap_capacity(p));
	return heap_capacity(p);
}
