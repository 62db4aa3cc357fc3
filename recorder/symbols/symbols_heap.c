/*
 * The heap: its blocks, and the structures in them. There are no symbols, but source lines give evidence: if the line of an access has
 * exactly one expression through a pointer with the size of the access, `q->head` or a member of the object of a C++ method, then
 * the structure with that member surrounds the accessed bytes, and the names and types of its other members are known too. If two lines
 * contradict each other, neither is used.
 */
#include <ctype.h>
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "recorder/symbols/symbols_internal.h"

#define MAX_SCOPES 32
#define MAX_WORD 64

/* ---- blocks ---- */

/* Returns the index of the first block that begins above the address. */
static size_t block_behind(const struct symbols *s, uint64_t addr)
{
	size_t low = 0, high = s->n_blocks;

	while (low < high) {
		size_t mid = (low + high) / 2;
		if (s->blocks[mid].start <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static const struct heap_block *block_of(const struct symbols *s, uint64_t addr)
{
	size_t i = block_behind(s, addr);

	return i && addr - s->blocks[i - 1].start < s->blocks[i - 1].size ? &s->blocks[i - 1] : NULL;
}

void symbols_add_block(struct symbols *s, uint64_t start, uint64_t size)
{
	size_t at = block_behind(s, start);

	s->blocks = xgrow(s->blocks, s->n_blocks, sizeof(*s->blocks));
	memmove(s->blocks + at + 1, s->blocks + at, (s->n_blocks - at) * sizeof(*s->blocks));
	s->blocks[at] = (struct heap_block){ start, size, ++s->n_blocks };
}

bool symbols_in_block(const struct symbols *s, uint64_t addr)
{
	return block_of(s, addr);
}

bool symbols_on_heap(const struct symbols *s, uint64_t addr)
{
	for (int i = 0; i < 3; i++)
		if (addr >= s->heap[i].low && addr < s->heap[i].high)
			return true;
	return false;
}

char *symbols_block_name(const struct symbols *s, uint64_t addr)
{
	const struct heap_block *b = block_of(s, addr);

	if (!b)
		return NULL;
	return addr == b->start ? xasprintf("heap#%zu", b->number)
				: xasprintf("heap#%zu+%llu", b->number, (unsigned long long)(addr - b->start));
}

/* ---- source lines ---- */

/* The scopes that are visible in a source line. */
struct line_scope {
	Dwarf_Die scope[MAX_SCOPES]; /* innermost first: blocks, the function, the unit */
	unsigned n;
};

/* An expression in the line. */
struct reached {
	Dwarf_Die type;   /* its type */
	Dwarf_Die holder; /* the type that the last dereferenced pointer points to */
	uint64_t offset;  /* in the holder */
	bool pointer, known; /* pointer: a pointer was dereferenced; known: the offset is known */
};

static bool is_function(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);

	return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

static bool is_system_function(Dwarf_Die *die)
{
	const char *file = dwarf_decl_file(die);

	return file && symbols_system_path(file);
}

/* Finds the scopes of the user's line at the address: those of the innermost function that is not part of a library. */
static bool find_scopes(struct symbols *s, uint64_t addr, struct line_scope *out)
{
	Dwarf_Addr bias;
	Dwfl_Module *module = dwfl_addrmodule(s->dwfl, addr);
	Dwarf_Die *cu = module ? symbols_unit_at(module, addr, &bias) : NULL, *all = NULL;
	int n = cu ? symbols_scopes_at(cu, addr - bias, &all) : 0;
	bool found = false;

	out->n = 0;
	for (int i = 0; i < n && !found && out->n < MAX_SCOPES - 1; i++) {
		out->scope[out->n++] = all[i];
		if (!is_function(&all[i]))
			continue;
		found = !is_system_function(&all[i]);
		out->n = found ? out->n : 0;
	}
	free(all);
	if (found)
		out->scope[out->n++] = *cu;
	return found;
}

static bool find_variable(struct line_scope *in, const char *name, Dwarf_Die *type)
{
	for (unsigned i = 0; i < in->n; i++) {
		Dwarf_Die child;
		if (dwarf_child(&in->scope[i], &child) != 0)
			continue;
		do {
			int tag = dwarf_tag(&child);
			const char *called = tag == DW_TAG_variable || tag == DW_TAG_formal_parameter ? dwarf_diename(&child) : NULL;
			if (called && strcmp(called, name) == 0 && symbols_type_of(&child, type))
				return true;
		} while (dwarf_siblingof(&child, &child) == 0);
	}
	return false;
}

/* ---- expressions in a line ---- */

static bool follow(struct reached *at)
{
	Dwarf_Die target;

	if (!symbols_peel(&at->type))
		return false;
	switch (dwarf_tag(&at->type)) {
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		break;
	default:
		return false;
	}
	if (!symbols_type_of(&at->type, &target) || !symbols_peel(&target))
		return false;
	*at = (struct reached){ target, target, 0, true, true };
	return true;
}

/* Replaces a reference by the referenced object. */
static bool see_through(struct reached *at)
{
	Dwarf_Die type = at->type;
	int tag = symbols_peel(&type) ? dwarf_tag(&type) : 0;

	return (tag != DW_TAG_reference_type && tag != DW_TAG_rvalue_reference_type) || follow(at);
}

static bool into(struct reached *at, const char *member)
{
	uint64_t offset;

	if (!see_through(at) || !symbols_member(at->type, member, &at->type, &offset))
		return false;
	at->offset += offset;
	return true;
}

/* Resolves a plain name: a variable, or a member of the method's object. */
static bool begin(struct line_scope *in, const char *name, struct reached *at)
{
	memset(at, 0, sizeof(*at));
	if (find_variable(in, name, &at->type))
		return true;
	return find_variable(in, "this", &at->type) && follow(at) && into(at, name);
}

static bool subscript(struct reached *at)
{
	if (!symbols_peel(&at->type))
		return false;
	if (dwarf_tag(&at->type) == DW_TAG_array_type) {
		at->known = false;
		return symbols_type_of(&at->type, &at->type);
	}
	if (!follow(at))
		return false;
	at->known = false;
	return true;
}

static size_t word_at(const char *p, char word[MAX_WORD])
{
	size_t n = 0;

	while (isalnum((unsigned char)p[n]) || p[n] == '_')
		n++;
	snprintf(word, MAX_WORD, "%.*s", (int)(n < MAX_WORD ? n : 0), p);
	return n;
}

/* Parses "a->b[i].c" at p and returns its length. *ok: it was resolved. Excludes the name of a called function. */
static size_t read_reached(struct line_scope *in, const char *p, struct reached *at, bool *ok)
{
	char word[MAX_WORD];
	size_t n = word_at(p, word);

	*ok = p[n] != '(' && begin(in, word, at);
	for (;;) {
		struct reached before = *at;
		size_t link = p[n] == '.' ? 1 : p[n] == '-' && p[n + 1] == '>' ? 2 : 0, length;
		if (p[n] == '[') {
			length = symbols_brackets(p + n);
			if (!length)
				return n;
			n += length;
			*ok = *ok && subscript(at);
			continue;
		}
		length = link ? word_at(p + n + link, word) : 0;
		if (!length)
			return n;
		n += link + length;
		if (p[n] == '(') { /* a method call: the object before it is meant */
			*ok = *ok && (link == 1 || follow(&before));
			*at = before;
			return n;
		}
		*ok = *ok && (link == 1 || follow(at)) && into(at, word);
	}
}

static bool same(struct reached *a, struct reached *b)
{
	return dwarf_dieoffset(&a->holder) == dwarf_dieoffset(&b->holder) && a->offset == b->offset && a->known == b->known &&
		dwarf_dieoffset(&a->type) == dwarf_dieoffset(&b->type);
}

/* Finds the only expression of this size that dereferences a pointer. false: none, or several. */
static bool find_reached(struct line_scope *in, char *line, uint64_t size, struct reached *out)
{
	bool found = false;

	symbols_blank_out(line);
	for (const char *p = line; *p;) {
		struct reached at;
		bool ok, star = *p == '*' && symbols_is_dereference(line, p);
		p += star;
		if (!isalpha((unsigned char)*p) && *p != '_') {
			p += star ? 0 : 1;
			continue;
		}
		p += read_reached(in, p, &at, &ok);
		if (!ok || !see_through(&at) || (star && !follow(&at)) || !at.pointer || symbols_type_size(&at.type) != size)
			continue;
		if (found && !same(&at, out))
			return false;
		*out = at;
		found = true;
	}
	return found;
}

/* ---- structures ---- */

/* Returns whether `inner` fits into the other object at its place. */
static bool agrees(const struct heap_object *outer, const struct heap_object *inner)
{
	return inner->addr >= outer->addr && inner->addr + inner->size <= outer->addr + outer->size &&
		symbols_has_part(outer->type, inner->addr - outer->addr, inner->type);
}

static bool is_structure(Dwarf_Die *type)
{
	int tag = dwarf_tag(type);

	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type;
}

static void note_type(struct symbols *s, uint64_t addr, Dwarf_Die type)
{
	struct heap_object new = { .addr = addr, .size = symbols_type_size(&type), .type = type };

	if (!is_structure(&type) || !new.size)
		return;
	for (size_t i = 0; i < s->n_heap_objects; i++) {
		struct heap_object *o = &s->heap_objects[i];
		if (o->addr == addr && o->size == new.size && symbols_same_type(&o->type, &type))
			return;
		if (new.addr + new.size <= o->addr || new.addr >= o->addr + o->size || agrees(o, &new) || agrees(&new, o))
			continue;
		o->doubtful = new.doubtful = true;
	}
	s->heap_objects = xgrow(s->heap_objects, s->n_heap_objects, sizeof(*s->heap_objects));
	s->heap_objects[s->n_heap_objects++] = new;
}

void symbols_note_access(struct symbols *s, uint64_t addr, uint64_t size, uint64_t pc)
{
	struct line_scope in;
	struct reached at;
	char line[512];

	if (symbols_over(s) || !symbols_on_heap(s, addr) || !symbols_line_at(s, pc, line, sizeof(line)) || !find_scopes(s, pc - 1, &in) ||
		!find_reached(&in, line, size, &at) || !at.known || at.offset > addr)
		return;
	note_type(s, addr - at.offset, at.holder);
}

/* Returns the largest structure that contains the bytes. */
static const struct heap_object *object_around(const struct symbols *s, uint64_t addr, uint64_t size)
{
	const struct heap_object *best = NULL;

	for (size_t i = 0; i < s->n_heap_objects; i++) {
		const struct heap_object *o = &s->heap_objects[i];
		if (!o->doubtful && addr >= o->addr && addr + size <= o->addr + o->size && (!best || o->size > best->size))
			best = o;
	}
	return best;
}

char *symbols_in_heap_object(struct symbols *s, uint64_t addr, uint64_t size, struct value_type *value)
{
	const struct heap_object *o = object_around(s, addr, size);
	Dwarf_Die type;
	char path[SYMBOLS_PATH_TEXT] = "";
	const char *name;

	if (!o)
		return NULL;
	type = o->type;
	if (value)
		symbols_value_type(type, addr - o->addr, size, value);
	symbols_append_path(type, addr - o->addr, size, path);
	name = dwarf_diename(&type);
	if (!name || path[0] != '.')
		return NULL;
	return dwarf_tag(&type) == DW_TAG_class_type || symbols_is_cxx(&type) ? xasprintf("%s::%s", name, path + 1)
									    : xasprintf("struct %s%s", name, path);
}

bool symbolize_type(struct symbols *s, uint64_t addr, uint64_t size, uint64_t pc, struct value_type *value)
{
	struct line_scope in;
	struct reached at;
	char line[512];

	memset(value, 0, sizeof(*value));
	return !symbols_over(s) && symbols_on_heap(s, addr) && symbols_line_at(s, pc, line, sizeof(line)) && find_scopes(s, pc - 1, &in) &&
		find_reached(&in, line, size, &at) && symbols_value_type(at.type, 0, size, value);
}
