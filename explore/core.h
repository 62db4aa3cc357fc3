/*
 * What every strategy has: its memory, its settings and its counters.
 *
 * A search begins with it (search.h). Data in the arena is addressed by index or by arena reference, so the memory is position independent:
 * it may be mapped anywhere, and no stored pointer outlives a call.
 */
#ifndef SIMUL_CORE_H
#define SIMUL_CORE_H

#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "explore/explore.h"

#define SEARCH_MAGIC UINT64_C(0x6372616573317353)
#define NO_INDEX UINT32_MAX
#define COMMON_HEADER 256 /* bytes of the common part before its arena, see work_sharing.h */

/* A growable array in the arena. A push may move the elements, so do not keep the address of one over a push. */
struct vec {
	aref data;
	uint32_t n, cap; /* elements */
	uint32_t size;   /* bytes of one element */
};

struct core {
	uint64_t magic;
	uint64_t size;     /* bytes of the whole memory */
	int64_t arena_at;  /* bytes from here to the arena */
	int64_t common_at; /* bytes from here to the common part, see work_sharing.h; 0: none */
	struct explore_config config;
	struct explore_stats stats;
	uint32_t running;   /* between begin and end */
	uint32_t failed;    /* out of memory, or diverged: start no further execution */
	uint32_t in_common; /* wakeup trees are those of the common part for now */
	aref sampling;      /* struct sampling, see sample.h; 0: not yet */
	struct vec names;   /* uint64_t by object_id of the running execution: the object's name, which is the same in all executions */
};

/* Allocates `size` zeroed bytes in the arena. Returns 0 and sets stats.out_of_memory and `failed` when memory is used up. */
aref core_alloc(struct core *s, uint64_t size);
/* Like core_alloc, in the arena that tree_arena_of returns. */
aref tree_alloc(struct core *s, uint64_t size);
/* Makes room for n elements of `size` bytes. Returns false and sets stats.out_of_memory and `failed` when memory is used up. */
bool vec_grow(struct core *s, struct vec *v, uint32_t n, uint32_t size);
static inline bool vec_reserve(struct core *s, struct vec *v, uint32_t n, uint32_t size)
{
	return n <= v->cap || vec_grow(s, v, n, size);
}

static inline struct arena *core_arena(struct core *s)
{
	return (struct arena *)((char *)s + s->arena_at);
}

/* The arena of the wakeup trees and sleep sets in use: the common part's while in_common is set, else this search's own. */
static inline struct arena *tree_arena_of(struct core *s)
{
	return s->in_common ? (struct arena *)((char *)s + s->common_at + COMMON_HEADER) : core_arena(s);
}

/* Address of the first element. Do not dereference it while the array is empty. */
static inline void *vec_data(struct core *s, const struct vec *v)
{
	return (char *)core_arena(s) + (uint64_t)v->data * 8;
}

/* Appends a zeroed element. Returns NULL when memory is used up. */
static inline void *vec_push(struct core *s, struct vec *v, uint32_t size)
{
	if (!vec_reserve(s, v, v->n + 1, size))
		return NULL;
	return memset((char *)vec_data(s, v) + (uint64_t)v->n++ * size, 0, size);
}

#endif
