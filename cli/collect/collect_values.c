#include "cli/collect/collect_values.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

#define LOWEST_ADDRESS UINT64_C(0x10000)
#define HIGHEST_ADDRESS (UINT64_C(1) << 47)
#define MOST_POINTERS 10000

/* Sets the step's result to the number of bytes that a call read or wrote, if it is known. */
static void collect_count(struct rec_step *to, const struct session_value *from)
{
	int64_t count = 0;

	if (from->size == sizeof(count) && (from->known & 2))
		memcpy(&count, from->after, sizeof(count));
	if (count > 0 && count <= INT32_MAX)
		to->result = (int32_t)count;
}

void values_collect(struct recording *r, const struct segment *seg)
{
	for (size_t i = 0; i < r->n_steps; i++) {
		struct rec_step *to = &r->steps[i];
		struct session_value from;

		segment_value(seg, (uint32_t)i, &from);
		if (to->kind == EV_FD_READ || to->kind == EV_FD_WRITE)
			collect_count(to, &from);
		if (!from.size || event_kind_object(to->kind) != OBJ_MEMORY || !to->obj[0] || r->objects[to->obj[0] - 1].size != from.size)
			continue;
		to->value.size = from.size;
		to->value.has_before = from.known & 1;
		to->value.has_after = from.known & 2;
		memcpy(to->value.before, from.before, sizeof(from.before));
		memcpy(to->value.after, from.after, sizeof(from.after));
	}
}

/* ---- types ---- */

void values_keep_words(struct recording *r)
{
	for (size_t o = 0; o < r->n_objects; o++) {
		struct value_type all = r->objects[o].type;
		struct value_type *kept = &r->objects[o].type;

		*kept = value_type_without_words(&all);
		for (size_t i = 0; i < r->n_steps && all.n; i++) {
			const struct rec_value *v = &r->steps[i].value;
			if (r->steps[i].obj[0] != o + 1 || !v->size)
				continue;
			if (v->has_before)
				value_type_keep(kept, &all, v->before, v->size);
			if (v->has_after)
				value_type_keep(kept, &all, v->after, v->size);
		}
		value_type_free(&all);
	}
}

/* ---- pointers ---- */

struct addresses {
	uint64_t *addr;
	size_t n;
};

/* Collects the 8-byte words among the bytes that could be addresses. */
static void add_words(struct addresses *a, const uint8_t *bytes, unsigned size)
{
	uint64_t word;

	for (unsigned at = 0; at + sizeof(word) <= size; at += sizeof(word)) {
		memcpy(&word, bytes + at, sizeof(word));
		if (word < LOWEST_ADDRESS || word >= HIGHEST_ADDRESS)
			continue;
		a->addr = xgrow(a->addr, a->n, sizeof(*a->addr));
		a->addr[a->n++] = word;
	}
}

static int compare(const void *x, const void *y)
{
	uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;

	return a < b ? -1 : a > b;
}

void values_name_pointers(struct recording *r, struct symbols *s)
{
	struct addresses a = { NULL, 0 };

	for (size_t i = 0; i < r->n_steps; i++) {
		const struct rec_value *v = &r->steps[i].value;
		if (v->has_before)
			add_words(&a, v->before, v->size);
		if (v->has_after)
			add_words(&a, v->after, v->size);
	}
	if (a.n)
		qsort(a.addr, a.n, sizeof(*a.addr), compare);
	for (size_t i = 0; i < a.n && r->n_pointers < MOST_POINTERS; i++) {
		char *name = i && a.addr[i] == a.addr[i - 1] ? NULL : symbolize_pointer(s, a.addr[i]);
		if (!name)
			continue;
		r->pointers = xgrow(r->pointers, r->n_pointers, sizeof(*r->pointers));
		r->pointers[r->n_pointers++] = (struct rec_pointer){ a.addr[i], name };
	}
	free(a.addr);
}
