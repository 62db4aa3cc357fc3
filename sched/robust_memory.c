/* Scratch memory of the robustness check. */
#include "sched/robust_internal.h"

struct robust_block {
	struct robust_block *next;
	uint64_t size;
	aref ref;
	uint32_t pad_;
	uint64_t data[];
};

void *robust_alloc(struct robust_part *p, uint64_t size)
{
	uint64_t whole = sizeof(struct robust_block) + size;
	aref ref = arena_alloc(p->scratch, whole);
	struct robust_block *b = arena_ptr(p->scratch, ref);
	if (!b) {
		p->full = true;
		return NULL;
	}
	b->next = p->blocks;
	b->size = whole;
	b->ref = ref;
	p->blocks = b;
	return b->data;
}

void robust_release(struct robust_part *p)
{
	while (p->blocks) {
		struct robust_block *b = p->blocks;
		p->blocks = b->next;
		arena_free(p->scratch, b->ref, b->size);
	}
}
