/* A heap for each thread; see heap.h. */
#include "preload/memory/heap.h"

#include <link.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include "base/hash.h"
#include "base/table.h"
#include "preload/memory/heap_layout.h"
#include "preload/base/outside.h"
#include "preload/base/sys.h"
#include "sched/ids.h"
#include "preload/base/rules.h"

/*
 * A thread's first small blocks lie in a piece of 64 KB. The pieces of all threads lie side by side, so a program that allocates little
 * needs one page table, which makes a fork cheaper. Other blocks lie in the thread's own 4 GB, and its mappings lie in another 4 GB.
 */
#define SLOTS MAX_THREADS
#define LOW SLOTS
#define NEAR_SLOTS 512u /* together these pieces are smaller than the mappings that prefault.c examines */
#define NEAR_BYTES UINT64_C(0x10000)
#define NEAR_BASE HEAP_LO
#define SMALL 2048u
#define FAR_BYTES (UINT64_C(1) << 32)
#define FAR_BASE (HEAP_LO + (UINT64_C(1) << 32))
#define MAP_BASE (FAR_BASE + SLOTS * FAR_BYTES)
#define MAP_END (MAP_BASE + SLOTS * FAR_BYTES)
_Static_assert(NEAR_BASE + NEAR_SLOTS * NEAR_BYTES <= FAR_BASE && MAP_BASE == HEAP_MAPPED && MAP_END <= HEAP_HI, "the parts lie one after another");

#define LOW_BRK (UINT64_C(128) << 20)
#define LOW_END UINT64_C(0xff000000)
#define GROW (UINT64_C(1) << 20) /* bytes mapped at a time */
#define GIVE_BACK (UINT64_C(1) << 20) /* freed blocks of this size or more return their pages to the kernel */
#define PAGE UINT64_C(4096)
#define POISON 0xdd
#define POISON_BYTES 256u

/* For each thread, at most this many bytes of freed blocks wait, and larger blocks do not wait. A higher limit would make an execution
   write to more pages. */
#define WAITING_BYTES UINT64_C(16384)

/* ---- classes ---- */

/* The inverse of heap_class_bytes. */
static unsigned class_of(uint64_t bytes)
{
	if (bytes <= 512)
		return bytes <= 32 ? 0 : (unsigned)((bytes + 15) / 16 - 2);
	unsigned e = 63 - (unsigned)__builtin_clzll(bytes - 1);
	return 31 + (e - 9) * 4 + (unsigned)((bytes - 1) >> (e - 2) & 3);
}

/* ---- heaps ---- */

struct bump {
	char *next;  /* start of the unused part */
	char *end;   /* end of the mapped part */
	char *limit; /* end of the address range */
	uint32_t index; /* index in `reached` and `ready` */
};

struct heap {
	struct bump near, far, low; /* low: used by the first thread, if there is room below 4 GB */
	uint64_t map_next; /* next address for heap_place */
	struct heap_header *unused[HEAP_CLASSES];
	struct heap_header *waits_first, *waits_last; /* freed chunks that wait, in order */
	uint64_t waiting; /* their bytes */
};

static const struct thread_names *names;
static bool paused;
static bool let_wait;
static struct heap *heaps[MAX_THREADS];
static uint16_t slots[MAX_THREADS];  /* by thread id */
static uint64_t taken[SLOTS / 64];
static uint32_t known; /* ids below this have a slot */
uintptr_t heap_low_at, heap_low_bytes;
static uint64_t *reached;     /* by slot and LOW: the farthest end that a process has mapped so far; shared between processes. NULL: not recorded */
static uint64_t ready[LOW + 1]; /* by slot and LOW: the end of the memory that heap_prepare has mapped, and the heap may not know of; 0: nothing */

/* A thread's slot must be the same in every session. So T0's first children have fixed slots. The slot of another thread follows from its
   path, unless a thread with a lower id has that slot. */
static uint32_t wanted_slot(thread_id t)
{
	if (t == 0)
		return 0;
	if (names->name[t].parent == 0 && names->name[t].child_no < SLOTS / 8)
		return names->name[t].child_no;
	uint64_t h = hash_spread(slots[names->name[t].parent] * UINT64_C(65536) + names->name[t].child_no);
	return SLOTS / 8 + (uint32_t)(h >> 40) % (SLOTS - SLOTS / 8);
}

static uint32_t slot_of(thread_id t)
{
	for (; known <= t; known++) {
		uint32_t s = TABLE_SLOT(i, wanted_slot((thread_id)known), SLOTS, !(taken[i / 64] >> (i % 64) & 1));
		taken[s / 64] |= UINT64_C(1) << (s % 64);
		slots[known] = (uint16_t)s;
	}
	return slots[t];
}

void heap_place_threads(thread_id n)
{
	if (n)
		slot_of((thread_id)(n - 1));
}

static bool map_at(uint64_t addr, uint64_t bytes, int flags)
{
	void *p = sys_mmap((void *)addr, bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | flags, -1, 0);
	if (sys_failed((long)p))
		return false;
	if ((uint64_t)p == addr)
		return true;
	sys_munmap(p, bytes); /* Linux before 4.17 ignores the flag */
	return false;
}

/* Finds room below 4 GB, after the program and LOW_BRK bytes for its brk heap. */
static void find_low(void)
{
	const ElfW(Phdr) *ph = (const ElfW(Phdr) *)getauxval(AT_PHDR);
	uint64_t end = 0;
	for (uint64_t i = 0, n = getauxval(AT_PHNUM); i < n; i++) {
		if (ph[i].p_type == PT_PHDR && ph[i].p_vaddr != (uintptr_t)ph)
			return; /* the program is not linked at a fixed address */
		if (ph[i].p_type == PT_LOAD && ph[i].p_vaddr + ph[i].p_memsz > end)
			end = ph[i].p_vaddr + ph[i].p_memsz;
	}
	uint64_t at = (end + LOW_BRK + PAGE - 1) / PAGE * PAGE;
	if (!end || at >= LOW_END)
		return;
	heap_low_at = at;
	heap_low_bytes = LOW_END - at;
}

bool heap_init(const struct thread_names *n)
{
	names = n;
	find_low();
	return map_at(NEAR_BASE, NEAR_SLOTS * NEAR_BYTES, MAP_NORESERVE);
}

/* Maps more memory until `bytes` fit. Returns false when there is none left. */
static bool grow(struct bump *b, uint64_t bytes)
{
	if ((uint64_t)(b->limit - b->next) < bytes)
		return false;
	uint32_t slot = b->index;
	if (ready[slot] > (uint64_t)b->end)
		b->end = (char *)ready[slot];
	if ((uint64_t)(b->end - b->next) >= bytes)
		return true;
	uint64_t need = (uint64_t)(b->next + bytes - b->end), room = (uint64_t)(b->limit - b->end);
	uint64_t step = (need + GROW - 1) / GROW * GROW;
	if (step > room)
		step = room;
	if (!map_at((uint64_t)b->end, step, 0))
		return false;
	b->end += step;
	if (reached && reached[slot] < (uint64_t)b->end)
		reached[slot] = (uint64_t)b->end;
	rewind_taint_once("need more memory each time");
	return true;
}

void heap_share(void)
{
	reached = sys_map_shared(SYS_AWAY(1), (LOW + 1) * sizeof *reached);
}

/* Called before the checkpoint, when only T0 has a heap. */
void heap_prepare(void)
{
	for (uint32_t s = 0; reached && s <= LOW; s++) {
		uint64_t from = s == LOW ? heap_low_at : FAR_BASE + s * FAR_BYTES;
		if ((s == 0 || s == LOW) && heaps[0])
			from = (uint64_t)(s ? heaps[0]->low : heaps[0]->far).end;
		if (ready[s] > from)
			from = ready[s];
		if (reached[s] > from && map_at(from, reached[s] - from, 0))
			ready[s] = reached[s];
	}
}

/* Takes `bytes` from the unused part; NULL when there is no room. */
static void *bump(struct bump *b, uint64_t bytes)
{
	if ((uint64_t)(b->end - b->next) < bytes && !grow(b, bytes))
		return NULL;
	void *p = b->next;
	b->next += bytes;
	return p;
}

/* Returns the heap of thread t, and creates it if needed; NULL when there is no memory. */
static struct heap *heap_of(thread_id t)
{
	if (t >= MAX_THREADS)
		return NULL;
	if (heaps[t])
		return heaps[t];
	uint32_t s = slot_of(t);
	char *near_lo = (char *)(NEAR_BASE + s * NEAR_BYTES), *far_lo = (char *)(FAR_BASE + s * FAR_BYTES);
	char *low_lo = (char *)heap_low_at;
	struct bump near = { NULL, NULL, NULL, 0 }, far = { far_lo, far_lo, far_lo + FAR_BYTES, s };
	if (s < NEAR_SLOTS)
		near = (struct bump){ near_lo, near_lo + NEAR_BYTES, near_lo + NEAR_BYTES, 0 };
	struct heap *h = bump(s < NEAR_SLOTS ? &near : &far, (sizeof *h + 15) / 16 * 16);
	if (!h)
		return NULL;
	h->near = near;
	h->far = far;
	if (s == 0)
		h->low = (struct bump){ low_lo, low_lo, low_lo + heap_low_bytes, LOW };
	h->map_next = MAP_BASE + s * FAR_BYTES;
	return heaps[t] = h;
}

/* ---- blocks ---- */

static struct heap_header *header_of(const void *p)
{
	return (struct heap_header *)((char *)(uintptr_t)p - HEAP_HEADER);
}

/* Returns the header of the chunk; a block with a larger alignment has a second header. */
static struct heap_header *chunk_of(struct heap_header *h)
{
	return (struct heap_header *)((char *)h - h->shift * UINT64_C(16));
}

/* Takes a chunk of the class; NULL when there is no memory. *fresh: it was never used. */
static struct heap_header *chunk(struct heap *h, unsigned class, bool *fresh)
{
	struct heap_header *c = h->unused[class];
	uint64_t bytes = heap_class_bytes(class);
	*fresh = !c;
	if (c) {
		h->unused[class] = c->next;
	} else {
		c = bump(&h->low, bytes);
		if (c)
			return c;
		if (bytes <= SMALL && (uint64_t)(h->near.end - h->near.next) >= bytes)
			c = bump(&h->near, bytes);
		else
			c = bump(&h->far, bytes);
	}
	return c;
}

void heap_pause(bool on)
{
	paused = on;
}

void *heap_alloc(thread_id t, size_t size, size_t align, bool *fresh)
{
	struct heap *h = !paused && size <= HEAP_MAX - 2 * HEAP_HEADER && align <= HEAP_MAX / 2 ? heap_of(t) : NULL;
	uint64_t bytes = HEAP_HEADER + size + (align > HEAP_ALIGN ? align : 0);
	if (!h || bytes > HEAP_MAX)
		return NULL;
	unsigned class = class_of(bytes);
	struct heap_header *c = chunk(h, class, fresh);
	if (!c)
		return NULL;
	*c = (struct heap_header){ .state = HEADER_LIVE, .class = (uint8_t)class, .mark = HEADER_MARK };
	c->size = (uint32_t)size;
	if (align <= HEAP_ALIGN)
		return c + 1;
	struct heap_header *at = (struct heap_header *)(((uintptr_t)(c + 1) + align - 1) / align * align) - 1;
	*at = *c;
	at->shift = (uint32_t)(at - c);
	return at + 1;
}

enum heap_state heap_check(const void *p)
{
	const struct heap_header *h = header_of(p);
	if ((uintptr_t)p % HEAP_ALIGN || h->mark != HEADER_MARK || h->class >= HEAP_CLASSES)
		return HEAP_UNKNOWN;
	return h->state == HEADER_LIVE ? HEAP_LIVE : h->state == HEADER_FREE ? HEAP_FREED : HEAP_UNKNOWN;
}

size_t heap_capacity(const void *p)
{
	const struct heap_header *h = header_of(p);
	return heap_class_bytes(h->class) - HEAP_HEADER - h->shift * UINT64_C(16);
}

size_t heap_size(const void *p)
{
	return header_of(p)->size;
}

void heap_set_size(const void *p, size_t size)
{
	header_of(p)->size = (uint32_t)size;
}

void heap_let_wait(void)
{
	let_wait = true;
}

/* Sets [*lo, *hi) to the whole pages inside a chunk's block. They are zero in a large chunk that was freed. */
static void inner_pages(struct heap_header *c, char **lo, char **hi)
{
	*lo = (char *)(((uintptr_t)(c + 1) + PAGE - 1) / PAGE * PAGE);
	*hi = (char *)(((uintptr_t)c + heap_class_bytes(c->class)) / PAGE * PAGE);
}

/* Makes the chunk available. */
static void reuse(struct heap *h, struct heap_header *c)
{
	c->next = h->unused[c->class];
	h->unused[c->class] = c;
}

/* Adds the chunk to the waiting ones. Makes those available that have waited longest. */
static void enqueue(struct heap *h, struct heap_header *c)
{
	c->next = NULL;
	if (h->waits_first)
		h->waits_last->next = c;
	else
		h->waits_first = c;
	h->waits_last = c;
	h->waiting += heap_class_bytes(c->class);
	while (h->waiting > WAITING_BYTES) {
		struct heap_header *first = h->waits_first;
		h->waits_first = first->next;
		h->waiting -= heap_class_bytes(first->class);
		reuse(h, first);
	}
}

void heap_free(thread_id t, void *p)
{
	struct heap *h = heap_of(t);
	size_t size = heap_capacity(p);
	struct heap_header *head = header_of(p), *c = chunk_of(head);
	memset(p, POISON, size < POISON_BYTES ? size : POISON_BYTES);
	head->state = HEADER_FREE;
	c->state = HEADER_FREE;
	if (!h)
		return;
	if (heap_class_bytes(c->class) >= GIVE_BACK) {
		char *lo, *hi;
		inner_pages(c, &lo, &hi);
		rewind_prevent("free blocks of a megabyte and more");
		if (sys_call3(SYS_madvise, (long)lo, hi - lo, MADV_DONTNEED)) /* the call fails for locked memory */
			memset(lo, 0, (size_t)(hi - lo));
	}
	if (let_wait && heap_class_bytes(c->class) <= WAITING_BYTES)
		enqueue(h, c);
	else
		reuse(h, c);
}

void heap_zero(void *p, size_t size)
{
	struct heap_header *c = chunk_of(header_of(p));
	char *a = p, *end = a + size, *lo = end, *hi = end;
	if (heap_class_bytes(c->class) >= GIVE_BACK)
		inner_pages(c, &lo, &hi);
	if (a < lo)
		memset(a, 0, (size_t)((end < lo ? end : lo) - a));
	if (end > hi)
		memset(a > hi ? a : hi, 0, (size_t)(end - (a > hi ? a : hi)));
}

uint64_t heap_place(thread_id t, uint64_t size)
{
	struct heap *h = heap_of(t);
	if (!h || !size || size > FAR_BYTES)
		return 0;
	uint64_t at = h->map_next, end = MAP_BASE + (slot_of(t) + UINT64_C(1)) * FAR_BYTES;
	size = (size + 2 * PAGE - 1) / PAGE * PAGE; /* leaves a gap of a page after the mapping */
	if (end - at < size)
		return 0;
	h->map_next += size;
	return at;
}
