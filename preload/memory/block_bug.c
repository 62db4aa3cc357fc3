/* Errors in the use of memory; see block_bug.h. */
#include "preload/memory/block_bug.h"

#include <string.h>
#include <sys/mman.h>

#include "preload/base/access.h"
#include "preload/base/aside.h"
#include "preload/base/state.h"
#include "preload/base/thread.h"
#include "preload/failure/bug.h"
#include "preload/failure/stack.h"
#include "preload/memory/blocks.h"
#include "preload/memory/dead_stack.h"
#include "preload/memory/heap.h"
#include "preload/base/sys.h"
#include "preload/base/rules.h"

/* ---- allocations and frees ---- */

#define LOG_FRAMES 12u
#define LOG_MOST (UINT64_C(1) << 23)

struct log_entry {
	uint64_t block;
	uint32_t size;
	thread_id thread;
	uint8_t freed, n;
	uint64_t pc[LOG_FRAMES];
};

static struct log_entry *log_at; /* room for LOG_MOST entries */
static uint64_t log_n;

static bool log_open(void)
{
	if (log_at)
		return true;
	void *p = sys_mmap(SYS_AWAY(6), LOG_MOST * sizeof *log_at, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	log_at = sys_failed((long)p) ? NULL : p;
	return log_at;
}

#define FREED 1u /* marks a free: added to the address of the block, which is even */

static void *take_down(void *arg)
{
	const uintptr_t p = (uintptr_t)arg & ~(uintptr_t)FREED;
	if (!ctl_session->config.keep_stacks || log_n == LOG_MOST || !log_open())
		return NULL;
	struct log_entry *e = &log_at[log_n++];
	*e = (struct log_entry){ .block = p, .size = (uint32_t)heap_size((const void *)p), .thread = fiber_cur->id,
		.freed = (uintptr_t)arg & FREED };
	e->n = (uint8_t)stack_here(e->pc, LOG_FRAMES); /* stack_at_event would not do: its unwinder maps memory */
	return NULL;
}

/* A search and a replay must execute the same code up to take_down, so that the program's stack gets the same contents in both (aside.h). */
void block_bug_note(const void *p, bool freed)
{
	if (!blocks_on || !ctl_enter_unnoticed())
		return;
	aside(take_down, (void *)((uintptr_t)p | (freed ? FREED : 0)));
	ctl_leave();
}

/* Fills in the thread and stack of the block's last allocation and, if it was freed, of its last free. */
static void look_up(struct session_block *b)
{
	bool known[2] = { false, false };
	b->owner[0] = b->owner[1] = NO_THREAD;
	for (uint64_t i = log_n; i-- && b->block && !known[0];) {
		const struct log_entry *e = &log_at[i];
		if (e->block != b->block || known[e->freed])
			continue;
		known[e->freed] = true;
		b->block_size = e->size;
		b->owner[e->freed] = e->thread;
		b->stack[e->freed].n = e->n;
		memcpy(b->stack[e->freed].pc, e->pc, sizeof e->pc);
	}
}

/* ---- bugs ---- */

static const char *const words[MEMORY_ERRORS] = {
	[MEMORY_FREED] = "use after free",
	[MEMORY_BEYOND] = "access beyond the end of a block",
	[MEMORY_BEFORE] = "access before the beginning of a block",
	[MEMORY_DOUBLE_FREE] = "double free",
	[MEMORY_INVALID_FREE] = "invalid free",
	[MEMORY_STACK] = "access of a stack frame that has been left",
};

static struct session_bug *begin(const struct session_block *block)
{
	struct session_bug *b = bug_begin(BUG_MEMORY);
	b->memory = *block;
	if (block->error != MEMORY_STACK)
		look_up(&b->memory);
	bug_message(b, "%s", words[block->error]);
	return b;
}

/* Ends the execution. The kind of error and the stack are the signature of the bug. */
static void __attribute__((noreturn)) die(const struct session_block *block)
{
	struct session_bug *b = begin(block);
	b->stack.n = stack_here(b->stack.pc, SESSION_STACK);
	bug_sign(b);
	bug_die();
}

/* Returns whether the access is certainly an error, and fills *out. */
static bool is_error(const struct mem_access *a, struct session_block *out)
{
	if (block_suspect(a->addr, a->size) ? block_check(a, out) == MEMORY_NONE : !dead_stack_check(a, out))
		return false;
	out->object = a->object;
	return true;
}

void block_bug_access(const struct mem_access *a)
{
	struct session_block block;
	if (is_error(a, &block))
		die(&block);
}

struct session_bug *block_bug_of(const struct mem_access *a)
{
	struct session_block block;
	return is_error(a, &block) ? begin(&block) : NULL;
}

void block_bug_free(const void *p)
{
	struct session_block block;
	block_of_free(p, &block);
	die(&block);
}

const void *block_bug_libc;

struct session_bug *block_bug_aborted(void)
{
	struct session_block block;
	block_of_free(block_bug_libc, &block);
	return begin(&block);
}
