#include "cli/collect/collect_memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/table.h"
#include "base/xalloc.h"
#include "cli/collect/collect_frames.h"

void memory_objects_begin(struct memory_objects *m, struct recording *r)
{
	memset(m, 0, sizeof(*m));
	m->r = r;
	m->first = r->n_objects;
}

void memory_objects_end(struct memory_objects *m)
{
	free(m->bucket);
	free(m->use);
}

static bool is_range(const struct rec_object *o, uint64_t addr, uint32_t size)
{
	return o->addr == addr && o->size == size;
}

/* Returns the range's slot in the table, or the free slot where it belongs. */
static object_id *slot_of(const struct memory_objects *m, uint64_t addr, uint32_t size)
{
	return &m->bucket[TABLE_SLOT(i, hash_spread(addr * 64 + size) >> 20, m->buckets,
		!m->bucket[i] || is_range(&m->r->objects[m->bucket[i] - 1], addr, size))];
}

static void grow(struct memory_objects *m)
{
	free(m->bucket);
	m->buckets = m->buckets ? m->buckets * 2 : 64;
	m->bucket = xcalloc(m->buckets, sizeof(*m->bucket));
	for (size_t i = m->first; i < m->r->n_objects; i++)
		*slot_of(m, m->r->objects[i].addr, m->r->objects[i].size) = (object_id)i + 1;
}

static object_id add_object(struct memory_objects *m, uint64_t addr, uint32_t size, uint32_t step)
{
	struct recording *r = m->r;

	r->objects = xgrow(r->objects, r->n_objects, sizeof(*r->objects));
	r->objects[r->n_objects++] = (struct rec_object){
		.kind = OBJ_MEMORY, .number = (uint32_t)m->n + 1, .addr = addr, .size = size};
	m->use = xgrow(m->use, m->n, sizeof(*m->use));
	m->use[m->n++] = (struct memory_use){.step = step};
	return (object_id)r->n_objects;
}

void memory_use_note(struct memory_use *u, uint64_t pc, bool write)
{
	for (unsigned i = 0; i < u->n; i++)
		if (u->pc[i] == pc) {
			u->write[i] |= write; /* one instruction may do both */
			return;
		}
	if (!pc || u->n == sizeof(u->pc) / sizeof(u->pc[0]))
		return;
	u->pc[u->n] = pc;
	u->write[u->n++] = write;
}

object_id memory_objects_use(struct memory_objects *m, const struct rec_memory *pages, const struct event *e, uint32_t step)
{
	uint64_t addr;
	uint32_t size;
	object_id *slot;

	if (!rec_memory_bytes(pages, e->obj, e->span, &addr, &size))
		return 0;
	if (m->n * 2 >= m->buckets)
		grow(m);
	slot = slot_of(m, addr, size);
	if (!*slot)
		*slot = add_object(m, addr, size, step);
	if (step < m->use[*slot - 1 - m->first].step)
		m->use[*slot - 1 - m->first].step = step;
	memory_use_note(&m->use[*slot - 1 - m->first], e->pc, e->kind != EV_LOAD);
	return *slot;
}

/* Finds the last component of a name, without subscripts: "id" in "block->next.id" and in "Job::id". */
static size_t last_word(const char *name, const char **at)
{
	size_t n = strcspn(name, "[");

	for (*at = name; name[0] && name < *at + n; name++)
		if (strchr(".>:", *name)) {
			n -= (size_t)(name + 1 - *at);
			*at = name + 1;
		}
	return n;
}

/* Returns whether two names end in the same component. For a C++ class, the name with the class is the more precise one. */
static bool same_member(const char *a, const char *b)
{
	bool member_of_class = strstr(a, "::");
	size_t n = last_word(a, &a), k = last_word(b, &b);

	return !member_of_class && n == k && memcmp(a, b, n) == 0;
}

/* Returns the expression for the memory in the source lines that access it, unless the debug information names something else. */
static char *name_and_type(struct symbols *s, uint64_t addr, uint32_t size, const struct memory_use *use, struct symbols_frame in,
	struct value_type *type)
{
	char *name = symbolize_local(s, in, addr, size, type), *text = NULL;

	if (!name)
		name = symbolize_memory(s, addr, size, type);

	/* prefer lines that write it, since they are clearer than lines that read it */
	for (unsigned pass = 0; pass < 2 && use; pass++)
		for (unsigned i = 0; i < use->n && !text; i++)
			if (use->write[i] == !pass)
				text = symbolize_expression(s, addr, use->pc[i], use->write[i]);
	if (text && (!name || same_member(name, text))) {
		free(name);
		return text;
	}
	free(text);
	return name ? name : symbolize_region(s, addr);
}

#define MAX_NUMBERED 1024 /* as many as there are keys */

/* Names the things of an array: the key 0, the key 1 ... */
static void add_array(struct symbols *s, uint64_t addr, uint64_t size, uint64_t each, const char *name)
{
	for (uint64_t i = 0; i < size / each && i < MAX_NUMBERED; i++) {
		char *numbered = xasprintf("%s %u", name, (unsigned)i);

		symbols_add_name(s, addr + i * each, addr + (i + 1) * each, numbered);
		free(numbered);
	}
}

void memory_names_add(struct symbols *s, const struct segment *seg)
{
	struct session_sensors *known = segment_sensors(seg);

	for (uint32_t i = 0; i < known->objects && i < SESSION_OBJECTS; i++) {
		if (known->object[i].each)
			add_array(s, known->object[i].addr, known->object[i].size, known->object[i].each, known->object[i].name);
		else
			symbols_add_name(s, known->object[i].addr, known->object[i].addr + known->object[i].size, known->object[i].name);
		if (known->object[i].bytes)
			symbols_add_name(s, known->object[i].result, known->object[i].result + known->object[i].bytes, known->object[i].name);
	}
	free(known);
}

char *memory_name_of(struct symbols *s, uint64_t addr, uint32_t size, const struct memory_use *use)
{
	return name_and_type(s, addr, size, use, (struct symbols_frame){0}, NULL);
}

/* For memory reached through a pointer: sets the type on which all source lines with a type agree. */
static void type_by_uses(struct symbols *s, uint64_t addr, uint32_t size, const struct memory_use *use, struct value_type *type)
{
	for (unsigned i = 0; i < use->n; i++) {
		struct value_type other;
		bool agree;
		if (!symbolize_type(s, addr, size, use->pc[i], &other))
			continue;
		agree = !type->n || value_type_equal(type, &other);
		value_type_free(type);
		*type = other;
		if (!agree) {
			value_type_free(type);
			return;
		}
	}
}

void memory_objects_name(struct memory_objects *m, const struct collecting *c)
{
	struct symbols *s = c->symbols;

	for (size_t i = m->first; i < m->r->n_objects; i++)
		for (unsigned k = 0; k < m->use[i - m->first].n; k++)
			symbols_note_access(s, m->r->objects[i].addr, m->r->objects[i].size, m->use[i - m->first].pc[k]);
	for (size_t i = m->first; i < m->r->n_objects; i++) {
		struct rec_object *o = &m->r->objects[i];
		const struct memory_use *use = &m->use[i - m->first];

		o->name = name_and_type(s, o->addr, o->size, use, collect_frame(c, use->step, o->addr), &o->type);
		if (!o->type.n)
			type_by_uses(s, o->addr, o->size, use, &o->type);
		o->origin = use->n ? symbolize_where(s, use->pc[0]) : NULL;
	}
}
