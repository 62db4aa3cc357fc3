/* Takes the arguments after a format one by one, as va_arg does. For format.c. */
#ifndef SIMUL_FORMAT_ARGUMENTS_H
#define SIMUL_FORMAT_ARGUMENTS_H

#include <stdint.h>

#include "preload/base/real.h"
#include "preload/libc/accesses.h"
#include "preload/base/rules.h"

/* The position in the arguments. */
struct cursor {
	uint64_t *word, *stack;
	unsigned words, vectors; /* numbers of arguments that are left in general and in vector registers */
};

/* A va_list, as the ABI defines it. */
struct list {
	uint32_t words_used, vectors_used;
	void *stack, *saved;
};

/* Returns the position of the first argument after `fixed` fixed ones. */
static inline struct cursor first_argument(struct libc_call *c, unsigned fixed)
{
	if (c->function->real != c->function->with_list)
		return (struct cursor){ .word = &c->arg[fixed], .stack = c->stack, .words = 6 - fixed, .vectors = 8 };
	const struct list *l = (const struct list *)c->arg[fixed];
	unsigned used = l->words_used / 8;

	return (struct cursor){ .word = (uint64_t *)((char *)l->saved + l->words_used), .stack = l->stack, .words = used < 6 ? 6 - used : 0,
		.vectors = l->vectors_used < 176 ? (176 - l->vectors_used) / 16 : 0 };
}

/* Takes the next argument of 8 bytes or less. Returns its address. */
static inline uint64_t *next_word(struct cursor *a)
{
	if (!a->words)
		return a->stack++;
	a->words--;
	return a->word++;
}

static inline void skip_double(struct cursor *a)
{
	if (a->vectors)
		a->vectors--;
	else
		a->stack++;
}

static inline void skip_long_double(struct cursor *a)
{
	a->stack = (uint64_t *)(((uintptr_t)a->stack + 15) & ~(uintptr_t)15) + 2;
}

/* Returns the list that va_start would make, or a copy of the list that the function got, so that the caller's list does not change. */
static inline struct list list_of(const struct libc_call *c, unsigned fixed)
{
	if (c->function->real == c->function->with_list)
		return *(const struct list *)c->arg[fixed];
	return (struct list){ .words_used = fixed * 8, .vectors_used = 48, .stack = c->stack, .saved = (void *)c->arg };
}

/* Calls the variant of the function that takes a va_list. */
static inline uint64_t call_with_list(const struct libc_call *c, unsigned fixed)
{
	struct list l = list_of(c, fixed);
	uint64_t x[6];

	real_memcpy(x, c->arg, sizeof(x));
	x[fixed] = (uint64_t)&l;
	uint64_t (*call)(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t) = (__typeof__(call))*c->function->with_list;

	return call(x[0], x[1], x[2], x[3], x[4], x[5]);
}

#endif
