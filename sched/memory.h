/*
 * Memory as objects: which bytes are visible to the search, and how an event names a range of them.
 *
 * Memory is divided into cells of 16 bytes. A cell's object id is its page's number in struct memory_table, shifted, plus the cell's number
 * in the page, with OBJECT_MEMORY set. So ids need no table of their own, and neighbours have neighbouring ids. A memory event touches the
 * bytes from `span & 15` in its first cell (obj[0]) to `span >> 4` in its last (obj[1], or obj[0] when that is 0), both included, and never
 * crosses a page. Two such events conflict when their ranges overlap in at least one byte (event.h, events_dependent). Other kinds of event
 * may touch one range inside one cell as their obj[1] (FUTEX_WAIT reads its word, ONCE_DONE writes a guard).
 *
 * The table lies in the session and only grows: a page keeps its number, and so a cell its id, in all executions of a session. `shared`
 * says for every byte whether it is visible: whether accesses to it are events. A byte becomes visible when some execution makes two
 * conflicting accesses to it that nothing orders (preload/memory/shadow.h). Accesses to other bytes commute with everything that is not
 * already ordered with them, so no schedule is lost (docs/memory.md).
 */
#ifndef SIMUL_MEMORY_H
#define SIMUL_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/ids.h"

#define MEMORY_PAGE UINT64_C(4096)
#define MEMORY_CELL 16u
#define MEMORY_PAGES 16384u /* pages with visible bytes in one session */

struct memory_page {
	uint64_t base;
	uint64_t shared[64]; /* visible bytes, one bit each */
	uint64_t discovered[64]; /* those that become so after the running execution; also in `shared`: in its middle */
};

struct memory_table {
	uint32_t n;       /* pages in use */
	uint32_t changes; /* incremented when a byte becomes visible */
	uint32_t full;    /* 1: a byte could not be marked because there was no room for another page */
	uint32_t pad_;
	uint32_t hash[2 * MEMORY_PAGES]; /* page number + 1, by base; 0: empty */
	struct memory_page page[MEMORY_PAGES];
};
_Static_assert(sizeof(struct memory_table) == 17039376, "saved searches and all workers share this layout: bump SESSION_VERSION when it changes");

/* Returns the number of the page that holds addr, and makes it when it is new. UINT32_MAX when the table is full. */
uint32_t memory_page_intern(struct memory_table *t, uint64_t addr);
/* Returns the page that holds addr; NULL when it is not in the table. */
struct memory_page *memory_page_find(const struct memory_table *t, uint64_t addr);

/* Makes the bytes visible before an execution. Returns true when one of them was not. */
bool memory_share(struct memory_table *t, uint64_t addr, uint64_t size);
/* Makes the bytes visible in the middle of an execution, and marks those that were not, for replays. Returns true when
   one of them was not visible. */
bool memory_share_late(struct memory_table *t, uint64_t addr, uint64_t size);
/* Makes the bytes visible at the next memory_apply; the running execution continues unchanged. Returns true when one of them was neither
   visible nor marked. */
bool memory_discover(struct memory_table *t, uint64_t addr, uint64_t size);
/* Between two executions: makes the bytes visible that memory_discover marked. No byte is marked any more. */
void memory_apply(struct memory_table *t);
/* Call it instead if the last execution was lost: what became visible in its middle is visible from the start now. */
void memory_begin_again(struct memory_table *t);
/* Returns whether memory_discover marked the byte, or memory_share_late did. */
bool memory_is_marked(const struct memory_table *t, uint64_t addr);
/* Returns whether any of the bytes is visible. */
bool memory_is_shared(const struct memory_table *t, uint64_t addr, uint64_t size);

/* Sets obj and span to the name, in events, of the bytes [addr, addr + size), which lie in one page, size >= 1. Interns the page.
   Returns false when the table is full. */
bool memory_name(struct memory_table *t, uint64_t addr, uint32_t size, object_id obj[2], uint8_t *span);

/* Address of the first byte of the cell; 0 when the id is no cell of this table. */
uint64_t memory_address(const struct memory_table *t, object_id cell);

/* The fingerprint of a value, as events hold it: equal bytes have equal fingerprints, never 0. */
uint32_t memory_fingerprint(const void *bytes, uint32_t size);

#endif
