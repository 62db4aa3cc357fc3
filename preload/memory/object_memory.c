/* The memory of synchronisation objects; see object_memory.h. */
#include "preload/memory/object_memory.h"

#include <signal.h>

#include "preload/base/access.h"
#include "preload/base/aside.h"
#include "preload/base/operations.h"
#include "preload/base/running.h"
#include "preload/base/safe_read.h"
#include "preload/base/state.h"
#include "preload/failure/bug.h"
#include "preload/failure/stack.h"
#include "preload/memory/aliases.h"
#include "preload/memory/block_bug.h"
#include "preload/memory/blocks.h"
#include "preload/memory/dead_stack.h"
#include "preload/memory/object_uses.h"
#include "sched/memory.h"
#include "preload/base/rules.h"

/* What glibc uses of each type, without the unused end. */
const uint8_t object_memory_bytes[OBJ_COUNT] = {
	[OBJ_MUTEX] = 20,
	[OBJ_SPIN] = 4,
	[OBJ_COND] = 48,
	[OBJ_RWLOCK] = 52,
	[OBJ_SEM] = 16,
	[OBJ_BARRIER] = 20,
	[OBJ_ONCE] = 4,
};

static bool in_heap(uint64_t addr)
{
	return heap_owns((const void *)addr);
}

/* Returns whether the memory, which the program mapped, is mapped no longer. */
static bool is_unmapped(uint64_t addr)
{
	char byte;
	return ctl_pages_changed && !safe_read(addr, &byte, 1);
}

static struct session_bug *unmapped_bug(enum object_kind kind)
{
	struct session_bug *b = bug_begin(BUG_CRASH);
	b->signal = SIGSEGV;
	bug_message(b, "SIGSEGV: the call uses a %s in memory that is not mapped", object_kind_text(kind));
	return b;
}

/* Looks at the first word only: memory is freed as a whole. */
static bool suspect(uint64_t addr)
{
	if (mapped_has(addr))
		return is_unmapped(addr);
	return in_heap(addr) ? block_suspect(addr, OBJECT_WORD) : dead_stack_suspect(addr);
}

static struct mem_access access_of(enum object_kind kind, uint64_t addr, uint32_t size)
{
	return (struct mem_access){ .addr = addr, .size = size, .flags = MEM_READ | MEM_ATOMIC, .object = kind };
}

static void *judge(void *arg)
{
	block_bug_access(arg);
	return NULL;
}

static void *die_unmapped(void *kind)
{
	struct session_bug *b = unmapped_bug((enum object_kind)(uintptr_t)kind);
	b->stack.n = stack_here(b->stack.pc, SESSION_STACK);
	bug_sign(b);
	bug_die();
}

static void check(enum object_kind kind, uint64_t addr, uint32_t size)
{
	if (!suspect(addr))
		return;
	if (mapped_has(addr))
		aside(die_unmapped, (void *)(uintptr_t)kind);
	struct mem_access a = access_of(kind, addr, size);
	if (in_heap(addr))
		object_uses_share(addr); /* the free conflicts with this use, too */
	aside(judge, &a);
}

void object_memory_check(enum object_kind kind, uint64_t addr)
{
	check(kind, addr, object_memory_bytes[kind]);
}

void object_memory_check_futex(uint64_t addr)
{
	check(OBJ_FUTEX, addr, sizeof(uint32_t));
}

struct session_bug *object_memory_bug(object_id o)
{
	struct object_info info;
	if (!o || !world_object_info(ctl_world, o, &info) || !object_memory_bytes[info.kind] || !suspect(alias_readable(info.addr)))
		return NULL;
	if (mapped_has(info.addr))
		return unmapped_bug(info.kind);
	struct mem_access a = access_of(info.kind, info.addr, object_memory_bytes[info.kind]);
	return block_bug_of(&a);
}

/* Returns whether an access of the object's first word is an event. Cheap while nothing near it is visible. */
static bool is_visible(uint64_t addr)
{
	uint32_t leaf = addr >> ADDRESS_BITS ? 0 : table_top[addr >> LEAF_BITS];
	return leaf && table_in(table_maps[leaf].shared, addr) &&
	       memory_is_shared(ctl_segment(ctl_session->layout.memory_off), addr, OBJECT_WORD);
}

/* Counts as a read of object o at `pc`. Returns whether it was an event: then other threads have run, and the caller checks the memory. */
static bool read_object(object_id o, uint64_t pc)
{
	uint64_t addr = world_object_address(ctl_world, o);
	if (!mem_on || !(in_heap(addr) || mapped_has(addr)))
		return false;
	object_uses_note(o, addr);
	if (!is_visible(addr))
		return false;
	struct object_info info;
	world_object_info(ctl_world, o, &info);
	struct mem_access a = access_of(info.kind, addr, OBJECT_WORD);
	a.flags |= MEM_CALLER_CHECKS;
	a.pc = pc;
	operations.access(&a);
	return true;
}

static void check_object(object_id o, bool even_destroyed)
{
	struct object_info info;
	uint64_t addr = alias_readable(world_object_address(ctl_world, o));
	if (suspect(addr) && world_object_info(ctl_world, o, &info) && (even_destroyed || !info.destroyed))
		object_memory_check(info.kind, addr);
}

void object_memory_read(const struct op *op)
{
	for (int i = 0; i < (op->kind == EV_COND_WAIT ? 2 : 1); i++)
		if (read_object(op->obj[i], op->pc))
			check_object(op->obj[i], true);
}

/* Handles the object of an operation that waits in parts: another thread may have freed it between them. */
static void waited(object_id o, uint64_t pc)
{
	read_object(o, pc);
	check_object(o, false);
}

void object_memory_performed(const struct op *op, uint64_t changes)
{
	if (op->kind == EV_COND_WAIT || op->kind == EV_BARRIER_ARRIVE) {
		waited(op->obj[0], op->pc);
		if (op->kind == EV_COND_WAIT)
			waited(op->obj[1], op->pc);
	} else if (changes != block_changes || !in_heap(world_object_address(ctl_world, op->obj[0]))) {
		check_object(op->obj[0], true);
	}
}
