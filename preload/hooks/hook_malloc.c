/*
 * malloc and its family, and mmap.
 *
 * Under control blocks come from heap.c. They come from the next definition of malloc in these cases: before control begins, in native
 * children, and when the program uses the library of another allocator. (An allocator that is linked into the executable is called instead
 * of these hooks.) free returns each block to the allocator that it came from.
 *
 * None of these calls is an event. A block that is handed out again is new memory: its earlier accesses are forgotten and do not race with
 * later ones. free counts as a write of the block's bytes, so an access of a thread that still uses the block races with it. Any access
 * after free is an error (blocks.h). With --no-memory-check, and for libc's blocks, free writes only the first FREED_BYTES.
 *
 * libc and the loader call these functions too, at any time: before the constructor, inside simul, at the end of the process.
 */
#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#include "preload/hooks/exit.h"
#include "preload/hooks/malloc.h"
#include "preload/memory/block_bug.h"
#include "preload/memory/blocks.h"
#include "preload/control/ctl.h"
#include "preload/memory/dead_stack.h"
#include "preload/base/dispatch.h"
#include "preload/base/guard.h"
#include "preload/memory/footprint.h"
#include "preload/memory/heap.h"
#include "preload/modules/generated.h"
#include "preload/memory/mapped_ranges.h"
#include "preload/memory/object_uses.h"
#include "preload/hooks/directly.h"
#include "preload/kernel/fork_advice.h"
#include "preload/kernel/descriptors.h"
#include "preload/kernel/made_mappings.h"
#include "preload/kernel/mapped_files.h"
#include "preload/kernel/older_mappings.h"
#include "preload/kernel/shared_pages.h"
#include "preload/accesses/mem.h"
#include "preload/base/real.h"
#include "preload/kernel/unsafe_calls.h"
#include "preload/life/rewind.h"
#include "preload/life/snapshot.h"
#include "preload/memory/shadow.h"
#include "preload/base/sys.h"
#include "preload/failure/values.h"
/* This file does not include preload/base/rules.h, because that forbids the names that this file defines. It does not call these functions
   itself. */

#define CALLER ((uintptr_t)__builtin_return_address(0))
#define FREED_BYTES 256u
#define PAGE 4096u

static bool own_heap; /* blocks come from heap.c under control; the constructor decides */

void heap_begin(void)
{
	Dl_info allocator, libc;

	own_heap = real_malloc && dladdr((void *)real_malloc, &allocator) &&
		   dladdr((void *)real___libc_start_main, &libc) && allocator.dli_fbase == libc.dli_fbase &&
		   heap_init(ctl_segment(ctl_session->layout.names_off));
	ctl_session->ctl.facts.heap_low_at = heap_low_at;
	ctl_session->ctl.facts.heap_low_bytes = heap_low_bytes;
	if (own_heap && ctl_session->config.settings.memory_check)
		blocks_begin();
	dead_stack_on = ctl_session->config.settings.memory_check;
}

static inline bool ours(void)
{
	return __builtin_expect(ctl_state == CTL_ON && own_heap, 1);
}

/* ---- blocks ---- */

/* Allocates from heap.c. *fresh: the block is zeroed memory that was never used. NULL: libc has to allocate. Call it under control only. */
static void *take_block(size_t size, size_t align, bool *fresh)
{
	void *p = heap_alloc(ctl_self(), size, align, fresh);

	if (!p)
		return NULL;
	if (mem_on)
		unsafe_call(0);
	if (mem_on && !*fresh && !blocks_on)
		shadow_forget((uintptr_t)p, heap_capacity(p));
	if (footprint_open)
		footprint_new((uintptr_t)p, size);
	block_new(p);
	block_bug_note(p, false);
	return p;
}

/* Forgets the earlier accesses of a block of libc or a mapping, which is new memory. Returns p. */
static void *new_elsewhere(void *p, size_t size)
{
	if (p && mem_on && ctl_state == CTL_ON)
		shadow_forget((uintptr_t)p, size);
	return p;
}

/* Reports the write that free makes. */
static void note_freed(const void *p, size_t size, uintptr_t pc)
{
	struct mem_access a = {
		.addr = (uintptr_t)p,
		.size = (blocks_on && heap_owns(p)) || size < FREED_BYTES ? size : FREED_BYTES,
		.flags = MEM_WRITE | MEM_PLAIN | MEM_FREE,
		.pc = pc,
	};

	values_settle(); /* now, because the heap is about to write to the block */
	if (mem_on && !ctl_inside && a.size && mem_note(a.addr, a.size, a.flags) && !mem_locked)
		mem_perform(&a);
	if (mem_on)
		unsafe_call(pc);
	if (mem_on && !ctl_inside)
		object_uses_freed(p, a.size);
	values_drop(); /* the write that stands for free has no value */
}

/* Ends the execution because p, the argument of `function`, is no live block. With --no-memory-check this does what libc does: it writes a
   message to stderr and aborts. */
static void __attribute__((noreturn, cold)) damaged(const char *function, const void *p, enum heap_state state)
{
	const char *what = state == HEAP_FREED ? "the block was freed before (double free)"
					       : "this is no block, or what lies before it was overwritten";
	char text[160], *at = stpcpy(stpcpy(stpcpy(text, function), "(): "), what);

	ctl_force_enter();
	if (blocks_on)
		block_bug_free(p);
	strcpy(at, "\n");
	sys_write(2, text, (size_t)(at + 1 - text));
	*at = 0;
	exit_aborted(text);
}

static void give_back(const char *function, void *p, uintptr_t pc)
{
	int saved = errno;
	enum heap_state state = heap_check(p);

	if (state == HEAP_LIVE) {
		note_freed(p, heap_size(p), pc);
		state = heap_check(p); /* other threads may have run */
	}
	if (state != HEAP_LIVE)
		damaged(function, p, state);
	if (blocks_on && mem_on)
		shadow_forget((uintptr_t)p, heap_size(p));
	block_gone(p);
	block_bug_note(p, true);
	heap_free(ctl_self(), p);
	errno = saved;
}

#define CHUNK_MAPPED 2 /* a bit of the size field before a block of glibc's malloc: the block is a mapping of its own */

/* Returns whether p is a mapping that libc's malloc made before simul's heap was in use. Executions must not unmap it, because a rewind could not
   bring it back. */
static bool stays_mapped(const void *p)
{
	return ctl_past_checkpoint && ours() && (uintptr_t)p % 16 == 0 && ((const size_t *)p)[-1] & CHUNK_MAPPED;
}

static void release(const char *function, void *p, uintptr_t pc)
{
	if (!p)
		return;
	if (!heap_owns(p)) {
		if (mem_on && !ctl_inside && ctl_state == CTL_ON)
			note_freed(p, real_malloc_usable_size(p), pc);
		if (stays_mapped(p))
			return;
		block_bug_libc = blocks_on ? p : NULL;
		real_free(p);
		block_bug_libc = NULL;
	} else if (ours()) {
		give_back(function, p, pc);
	} /* otherwise in a native child: several threads may run at once, so a block from before the fork is not reused */
}

static void *zeroed(size_t n, size_t each)
{
	size_t size;
	bool fresh;

	if (__builtin_mul_overflow(n, each, &size)) {
		errno = ENOMEM;
		return NULL;
	}
	void *p = take_block(size, HEAP_ALIGN, &fresh);

	if (!p)
		return new_elsewhere(real_calloc(n, each), size);
	if (!fresh)
		heap_zero(p, size);
	return p;
}

static void *allocate(size_t size)
{
	bool fresh;
	void *p = take_block(size, HEAP_ALIGN, &fresh);

	return p ? p : new_elsewhere(real_malloc(size), size);
}

/* Reports that the bytes after the first `size` of a live block are freed. */
static void cut_off(void *p, size_t size, uintptr_t pc)
{
	size_t had = heap_size(p);
	char *end = (char *)p + size;

	if (!blocks_on || size >= had)
		return;
	note_freed(end, had - size, pc);
	if (heap_check(p) != HEAP_LIVE)
		damaged("realloc", p, heap_check(p));
	if (mem_on)
		shadow_forget((uintptr_t)end, had - size);
	block_changes++;
}

/* Keeps the block when the new size fits and is at least half of its capacity. */
static void *resize(void *old, size_t size, uintptr_t pc)
{
	bool mine = heap_owns(old);

	if (mine && heap_check(old) != HEAP_LIVE)
		damaged("realloc", old, heap_check(old));
	size_t had = mine ? heap_capacity(old) : real_malloc_usable_size(old);
	if (mine && size <= had && size >= had / 2) {
		cut_off(old, size, pc);
		heap_set_size(old, size);
		block_new(old);
		block_bug_note(old, false);
		return old;
	}
	void *p = ours() ? allocate(size) : real_malloc(size);
	if (!p)
		return NULL;
	memcpy(p, old, had < size ? had : size);
	release("realloc", old, pc);
	return p;
}

static bool power_of_two(size_t n)
{
	return n && !(n & (n - 1));
}

/* ---- the names ---- */

void *malloc(size_t size)
{
	return ours() ? allocate(size) : real_malloc(size);
}

void *calloc(size_t n, size_t each)
{
	return ours() ? zeroed(n, each) : real_calloc(n, each);
}

void free(void *p)
{
	release("free", p, CALLER);
}

/* an old name of free */
void cfree(void *p)
{
	release("free", p, CALLER);
}

void *realloc(void *p, size_t size)
{
	if (!ours() && !heap_owns(p))
		return real_realloc(p, size);
	if (!p)
		return malloc(size);
	if (!size) {
		release("realloc", p, CALLER);
		return NULL;
	}
	return resize(p, size, CALLER);
}

void *reallocarray(void *p, size_t n, size_t each)
{
	size_t size;

	if (__builtin_mul_overflow(n, each, &size)) {
		errno = ENOMEM;
		return NULL;
	}
	return realloc(p, size);
}

static void *aligned(size_t align, size_t size)
{
	bool fresh;
	void *p = take_block(size, align, &fresh);

	return p ? p : new_elsewhere(real_memalign(align, size), size);
}

void *memalign(size_t align, size_t size)
{
	/* libc takes the next power of two */
	return ours() && power_of_two(align) ? aligned(align, size) : real_memalign(align, size);
}

void *aligned_alloc(size_t align, size_t size)
{
	return ours() && power_of_two(align) ? aligned(align, size) : real_aligned_alloc(align, size);
}

int posix_memalign(void **p, size_t align, size_t size)
{
	if (!ours() || !power_of_two(align) || align % sizeof(void *))
		return real_posix_memalign(p, align, size);
	int saved = errno;
	void *block = aligned(align, size);

	errno = saved;
	if (!block)
		return ENOMEM;
	*p = block;
	return 0;
}

void *valloc(size_t size)
{
	return ours() ? aligned(PAGE, size) : real_valloc(size);
}

void *pvalloc(size_t size)
{
	if (!ours() || size > SIZE_MAX - PAGE)
		return real_pvalloc(size);
	return aligned(PAGE, size ? (size + PAGE - 1) / PAGE * PAGE : PAGE);
}

/* The program may use all bytes that this function reports, so they become part of the block. */
size_t malloc_usable_size(void *p)
{
	if (!p || !heap_owns(p))
		return p ? real_malloc_usable_size(p) : 0;
	if (ours() && heap_check(p) == HEAP_LIVE && heap_size(p) != heap_capacity(p)) {
		heap_set_size(p, heap_capacity(p));
		block_new(p);
	}
	return heap_capacity(p);
}

/* ---- mappings ---- */

/* Returns the address for a mapping that may lie anywhere; NULL: the kernel chooses it. The kernel would choose the first free address,
   which depends on the order of the threads' calls. So simul chooses the address after the checkpoint. For a certificate it chooses from
   the start, because addresses in a certificate name the objects there; also for a recording from which a certificate may be made. */
static void *place(void *addr, size_t size, int flags)
{
	const struct session_config *c = &ctl_session->config;
	bool free_choice = !addr && !(flags & (MAP_FIXED | MAP_FIXED_NOREPLACE | MAP_32BIT | MAP_HUGETLB | MAP_GROWSDOWN));

	return free_choice && ours() && (ctl_past_checkpoint || c->certify || c->keep_passing) ? (void *)heap_place(ctl_self(), size) : NULL;
}

/* What is mapped depends on the length of the file, and it matters whether calls that change the file come before or after. If pages of the file are
   mapped twice, the first mapping gives them their name (kernel/shared_pages.h), so the order of two such calls matters, too. */
static void before_mapping(int fd, bool shared, bool unmaps, const void *pc)
{
	if (!ctl_enter_unnoticed())
		return;
	if (unmaps)
		mapped_unmaps(NULL, 0, pc);
	bool writable = shared && (sys_fcntl(fd, F_GETFL, 0) & O_ACCMODE) == O_RDWR;
	enum resource_use views = writable ? RESOURCE_CHANGE : shared ? RESOURCE_READ : RESOURCE_UNUSED;

	descriptor_file_used(fd, &(struct file_use){.contents = RESOURCE_READ, .attributes = views, .length = true}, pc);
	ctl_leave();
}

static void note_mapping(const void *p, size_t size, int fd, bool shared, const void *pc)
{
	int err = errno;

	if (!ctl_enter_unnoticed())
		return;
	mapped_new(p, size, fd, shared, pc);
	ctl_leave();
	errno = err;
}

void *mmap(void *addr, size_t size, int prot, int flags, int fd, off_t offset)
{
	bool by_linker = dispatch_by_linker();
	void *at = place(addr, size, flags);
	bool private = (flags & MAP_TYPE) == MAP_PRIVATE, fixed = flags & (MAP_FIXED | MAP_FIXED_NOREPLACE);
	bool inside = fixed && made_has(addr, size);

	if (!by_linker && (!(flags & MAP_ANONYMOUS) || (fixed && mapped_any)))
		before_mapping(flags & MAP_ANONYMOUS ? -1 : fd, !private, fixed, __builtin_return_address(0));
	if (flags & MAP_FIXED)
		guard_mapping(addr, size, "mmap");
	if (fixed)
		mem_unmaps(addr, size, __builtin_return_address(0));
	unsigned moved = older_moved();
	bool back = private && !(flags & (MAP_GROWSDOWN | MAP_LOCKED));

	if (back && (flags & MAP_FIXED) && !(flags & MAP_FIXED_NOREPLACE) && !inside)
		DIRECTLY(back = older_unmap(addr, size));
	if (!back)
		rewind_taint("change what is mapped");
	if (!private)
		snapshot_tainted = true;
	void *p = MAP_FAILED;

	if (at)
		DIRECTLY(p = real_mmap(at, size, prot, flags | MAP_FIXED_NOREPLACE, fd, offset));
	if (p == MAP_FAILED)
		DIRECTLY(p = real_mmap(addr, size, prot, flags, fd, offset));
	if (p == MAP_FAILED) {
		DIRECTLY(older_undo(moved));
		return p;
	}
	if (!by_linker)
		generated_protected(prot);
	if (!by_linker && (!private || !(flags & MAP_ANONYMOUS) || pages_any))
		note_mapping(p, size, flags & MAP_ANONYMOUS ? -1 : fd, !private, __builtin_return_address(0));
	if (!by_linker)
		mapped_range_add((uintptr_t)p, (uintptr_t)p + size);
	fork_advice_forget(p, size);
	if (!inside && !made_add(p, size))
		rewind_taint("change what is mapped");
	if (!addr) /* what was at a given address may still be known to other threads */
		new_elsewhere(p, size);
	return p;
}

void *mmap64(void *addr, size_t size, int prot, int flags, int fd, off_t offset)
{
	return mmap(addr, size, prot, flags, fd, offset);
}
