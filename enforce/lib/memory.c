/*
 * Accesses to memory. The patcher (preload/patch/) rewrites the functions that hold one of the certificate's places in the code; the new
 * code calls memory_note before such an access and memory_performed after it. An access is an event when it touches a byte that the search
 * had found to be shared.
 */
#include "enforce/lib/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/processor.h"
#include "base/table.h"
#include "enforce/certificate.h"
#include "enforce/lib/after.h"
#include "enforce/lib/gate.h"
#include "enforce/lib/hook_malloc.h"
#include "enforce/lib/modules.h"
#include "preload/accesses/mem.h"
#include "preload/patch/patch.h"

#define CELL 16
#define MEMORY_PAGE UINT64_C(4096)

/* Sixteen bytes with shared ones among them. */
struct cell {
	uint64_t at;   /* its address; 0: free */
	uint16_t mask; /* which bytes are shared */
};

static struct cell *cells;
static uint64_t n_slots;
static uint64_t *sites; /* addresses, sorted */
static uint32_t n_found; /* sites that were hooked */

/* ---- shared bytes ---- */

static struct cell *slot(uint64_t at)
{
	return &cells[TABLE_SLOT(i, hash_spread(at) >> 20, n_slots, cells[i].at == at || !cells[i].at)];
}

static void share(uint64_t addr, uint64_t size)
{
	for (uint64_t a = addr; a < addr + size; a++) {
		struct cell *c = slot(a & ~(uint64_t)(CELL - 1));

		c->at = a & ~(uint64_t)(CELL - 1);
		c->mask |= (uint16_t)(1u << a % CELL);
	}
}

static bool is_shared(uint64_t addr, uint64_t size)
{
	for (uint64_t at = addr & ~(uint64_t)(CELL - 1); at < addr + size; at += CELL) {
		const struct cell *c = slot(at);
		unsigned from = at < addr ? (unsigned)(addr - at) : 0, to = at + CELL > addr + size ? (unsigned)(addr + size - at) : CELL;

		if (c->mask & ((1u << to) - (1u << from)))
			return true;
	}
	return false;
}

/* The shared bytes whose addresses are known, in order. */
static struct known {
	uint64_t lo, hi;
} *known;
static uint32_t n_known;

static int compare_known(const void *a, const void *b)
{
	const struct known *x = a, *y = b;

	return x->lo < y->lo ? -1 : x->lo > y->lo;
}

static void share_known(void)
{
	const struct plan_range *shared = plan_at(gate_plan->shared);

	n_known = 0;
	for (uint32_t i = 0; i < gate_plan->n_shared; i++) {
		uint64_t at = modules_found(shared[i].module) ? modules_address(&shared[i]) : 0;

		if (!at)
			continue;
		share(at, shared[i].size);
		known[n_known++] = (struct known){at, at + shared[i].size};
	}
	qsort(known, n_known, sizeof(*known), compare_known);
}

static void init_cells(void)
{
	const struct plan_range *shared = plan_at(gate_plan->shared);
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < gate_plan->n_shared; i++)
		bytes += shared[i].size / CELL + 2;
	for (n_slots = 64; n_slots < 4 * bytes; n_slots *= 2)
		;
	cells = gate_room(n_slots * sizeof(*cells));
	known = gate_room(gate_plan->n_shared * sizeof(*known));
	share_known();
}

/* ---- stacks ---- */

static uint64_t *stack_hi, *tls_hi; /* by thread of the plan: the end of its stack, and its thread pointer; 0: it does not run */

uint64_t *memory_stack(uint32_t thread)
{
	return gate_plan && gate_plan->stacks && thread != PLAN_NONE ? &stack_hi[thread] : NULL;
}

void memory_thread_begins(uint32_t thread)
{
	if (gate_plan->stacks && thread != PLAN_NONE)
		__atomic_store_n(&tls_hi[thread], processor_thread_pointer(), __ATOMIC_RELEASE);
}

void memory_thread_ends(uint32_t thread)
{
	if (!gate_plan->stacks || thread == PLAN_NONE)
		return;
	__atomic_store_n(&stack_hi[thread], 0, __ATOMIC_RELEASE);
	__atomic_store_n(&tls_hi[thread], 0, __ATOMIC_RELEASE);
}

/* Returns the address that the certificate uses for the byte at `addr`. */
static uint64_t place_of(uint64_t addr)
{
	const struct plan_thread *threads = plan_at(gate_plan->threads);

	for (uint32_t t = 0; gate_plan->stacks && t < gate_plan->n_threads; t++) {
		uint64_t hi = __atomic_load_n(&stack_hi[t], __ATOMIC_ACQUIRE), tls = __atomic_load_n(&tls_hi[t], __ATOMIC_ACQUIRE);

		if (hi - addr - 1 < threads[t].stack_bytes)
			return STACK_TOP(t) - (hi - addr);
		if (tls - addr - 1 < threads[t].tls_bytes)
			return TLS_TOP(t) - (tls - addr);
	}
	return addr;
}

/* ---- the sensor ---- */

/* Saves the vector registers: a divergence writes a message, which uses them, and with --uncertified the program continues with their
   old values. */
static bool begin_event(enum event_kind kind, const struct use *use, uint64_t at)
{
	if (!gate_begin_slow(kind, use, 1))
		return false;
	if (kind != EV_STORE)
		gate_value((const void *)at, use->size);
	return true;
}

static bool begin_kept(enum event_kind kind, const struct use *use, uint64_t at)
{
	struct processor_vectors kept;
	bool mine;

	if (!gate_plan->uncertified)
		return begin_event(kind, use, at);
	processor_save_vectors(&kept);
	mine = begin_event(kind, use, at);
	processor_restore_vectors(&kept);
	return mine;
}

static bool memory_note(uint64_t addr, uint64_t size, unsigned flags)
{
	struct use use = {.kind = OBJ_MEMORY, .size = (uint32_t)size};

	if (__builtin_expect(!__atomic_load_n(&gate_on, __ATOMIC_ACQUIRE), 1))
		return false;
	use.addr = place_of(addr);
	if (!is_shared(use.addr, size))
		return false;
	if (begin_kept(!(flags & MEM_WRITE) ? EV_LOAD : flags & MEM_READ ? EV_RMW : EV_STORE, &use, addr))
		after_pending = 1;
	return false;
}

bool memory_shared(uint64_t addr, uint64_t size)
{
	return __builtin_expect(__atomic_load_n(&gate_on, __ATOMIC_ACQUIRE), 0) && size && is_shared(place_of(addr), size);
}

bool memory_use(uint64_t addr, uint32_t size, struct use *use)
{
	if (!memory_shared(addr, size))
		return false;
	*use = (struct use){.kind = OBJ_MEMORY, .addr = place_of(addr), .size = size};
	return true;
}

/* Makes the same events as in the search (preload/accesses/mem.c): it divides accesses at the ends of pages, and leaves out the pages of
   a large access that have no shared bytes. */
bool memory_range_begin(uint64_t addr, uint64_t size, unsigned flags)
{
	enum event_kind kind = !(flags & MEM_WRITE) ? EV_LOAD : flags & MEM_READ ? EV_RMW : EV_STORE;
	bool open = false;

	for (uint64_t at = addr, end = addr + size, to; at < end; at = to) {
		uint64_t page_end = (at | (MEMORY_PAGE - 1)) + 1;
		struct use use = {.kind = OBJ_MEMORY, .addr = place_of(at)};

		to = end < page_end ? end : page_end;
		use.size = (uint32_t)(to - at);
		if (size > CELL && !is_shared(use.addr, to - at))
			continue;
		if (open)
			gate_end();
		open = gate_begin(kind, &use, 1);
	}
	return open;
}

void memory_range_end(bool mine)
{
	if (mine)
		gate_end();
}

void after_performed(void)
{
	after_pending = 0;
	gate_end();
}

/* The patcher's default sensor refers to this function. It is never called: patching always uses memory_note. */
bool mem_note(uint64_t addr, uint64_t size, unsigned flags)
{
	return false;
}

/* ---- what preload/accesses/ranges.c needs for functions on bytes and strings ---- */

int ctl_inside; /* always 0: this library's own calls do not reach the hooks (preload/base/own_string.c) */

/* These do not look at gate_on: it may become false during a call. */
bool mem_is_visible(uint64_t addr, uint64_t size)
{
	return size && is_shared(place_of(addr), size);
}

/* true: a function that looks as far as mem_quiet allows would see too little. */
bool mem_note_call(uint64_t addr, uint64_t size, unsigned flags, uintptr_t pc)
{
	return size > mem_quiet(addr);
}

void mem_perform(const struct mem_access *a)
{
	after_pending = mem_is_visible(a->addr, a->size) && memory_range_begin(a->addr, a->size, a->flags);
}

void mem_performed(void)
{
	if (after_pending)
		after_performed();
}

/* Returns the number of bytes from `addr` up to an area of `bytes` bytes that ends at `hi`; 0: it is in the area;
   UINT64_MAX: the area lies below. */
static uint64_t up_to(uint64_t addr, uint64_t hi, uint64_t bytes)
{
	if (addr >= hi)
		return UINT64_MAX;
	return addr >= hi - bytes ? 0 : hi - bytes - addr;
}

/* Returns the number of bytes from `addr` up to the next shared one of a module or of the heap. */
static uint64_t up_to_known(uint64_t addr)
{
	uint32_t lo = 0, hi = n_known;

	while (lo < hi) {
		uint32_t middle = lo + (hi - lo) / 2;

		if (known[middle].hi <= addr)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo == n_known ? UINT64_MAX : up_to(addr, known[lo].hi, known[lo].hi - known[lo].lo);
}

/* Areas of threads count as shared as a whole. */
uint64_t mem_quiet(uint64_t addr)
{
	const struct plan_thread *threads = plan_at(gate_plan->threads);
	uint64_t least = up_to_known(addr);

	for (uint32_t t = 0; gate_plan->stacks && t < gate_plan->n_threads; t++) {
		uint64_t stack = up_to(addr, __atomic_load_n(&stack_hi[t], __ATOMIC_ACQUIRE), threads[t].stack_bytes);
		uint64_t tls = up_to(addr, __atomic_load_n(&tls_hi[t], __ATOMIC_ACQUIRE), threads[t].tls_bytes);

		least = stack < least ? stack : least;
		least = tls < least ? tls : least;
	}
	return least;
}

/* The search left bytes after the end of a block out, so the certificate knows better how many it read. */
uint64_t mem_run(uint64_t addr, uint64_t most)
{
	const struct plan_event *e = gate_next();
	const struct plan_object *objects = plan_at(gate_plan->objects);
	uint32_t o = e && e->kind == EV_LOAD ? e->object[0] : 0;
	uint64_t n = 1;

	if (o && objects[o - 1].at.size <= most && gate_address[o - 1] == place_of(addr))
		return objects[o - 1].at.size;
	while (n < most && mem_is_visible(addr + n, 1))
		n++;
	return n;
}

void mem_read_again(uintptr_t pc)
{
	/* simul certify refuses such programs */
}

/* ---- the code ---- */

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static bool wanted(uint64_t pc)
{
	uint64_t *at = bsearch(&pc, sites, gate_plan->n_sites, sizeof(*sites), compare);

	n_found += at != NULL;
	return at != NULL;
}

static void module_done(void *ctx, const struct patch_module *m)
{
	if (m->refused[0])
		gate_refuse("the certificate cannot be enforced: the code of %s cannot be patched: %s", m->path, m->refused);
}

static void hole(void *ctx, const struct patch_hole *h)
{
	/* A function that stays as it is matters when an access of the certificate is in it: then a site is missing (below). */
}

static void stuck(void *ctx)
{
	gate_refuse("the certificate cannot be enforced: patched code cannot be made executable again");
}

static void find_objects(void)
{
	const struct plan_object *o = plan_at(gate_plan->objects);

	for (uint32_t i = 0; i < gate_plan->n_objects; i++)
		if (o[i].at.module != PLAN_NONE && o[i].at.module != PLAN_FILES && modules_found(o[i].at.module))
			gate_address[i] = modules_address(&o[i].at);
}

/* Patches the sites in modules that are known. Returns the number of sites that are not patched yet. */
static uint32_t patch_sites(void)
{
	const struct plan_range *range = plan_at(gate_plan->sites);
	struct patch_config config = {.all_stack = true, .note = memory_note, .wanted = wanted, .after = after_stub,
		.report = {.module = module_done, .hole = hole, .stuck = stuck}};
	uint32_t missing = 0;

	for (uint32_t i = 0; i < gate_plan->n_sites; i++) {
		sites[i] = modules_found(range[i].module) ? modules_address(&range[i]) : UINT64_MAX;
		missing += sites[i] == UINT64_MAX;
	}
	qsort(sites, gate_plan->n_sites, sizeof(*sites), compare);
	for (uint32_t i = 0; i < gate_plan->n_sites - missing; i++)
		if (!patch_module_at((const void *)sites[i], &config))
			gate_refuse("the certificate cannot be enforced: code that accesses shared memory cannot be patched");
	patch_done();
	if (n_found + missing != gate_plan->n_sites)
		gate_refuse("the certificate cannot be enforced: %u of %u places in the code that access shared memory cannot be patched",
			gate_plan->n_sites - missing - n_found, gate_plan->n_sites);
	return missing;
}

static bool incomplete; /* some modules of the plan were not loaded at the start */

void memory_init(bool complete)
{
	incomplete = !complete;
	find_objects();
	init_cells();
	stack_hi = gate_room(gate_plan->n_threads * sizeof(*stack_hi));
	tls_hi = gate_room(gate_plan->n_threads * sizeof(*tls_hi));
	memory_thread_begins(0);
	sites = gate_room(gate_plan->n_sites * sizeof(*sites));
	if (gate_plan->n_sites)
		patch_sites();
}

void memory_before_threads(void)
{
	if (!incomplete)
		return;
	incomplete = false;
	heap_of_libc(true);
	modules_require();
	find_objects();
	share_known();
	if (gate_plan->n_sites)
		patch_sites();
	heap_of_libc(false);
}
