/*
 * Types in debug information: sizes, members and elements, and the value types of bytes. Debug information may be
 * damaged or malicious: all loops and recursions here are bounded, whatever it refers to.
 */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "recorder/symbols/symbols_internal.h"

#define MAX_DIMENSIONS 8
#define MAX_BASES 8     /* nesting of base classes and anonymous members */
#define MAX_PARTS 4096  /* limit on the parts examined for one value */
#define MAX_WORDS 1024  /* limit on the constants of an enumeration */

bool symbols_type_of(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Attribute attr;

	return dwarf_attr_integrate(die, DW_AT_type, &attr) && dwarf_formref_die(&attr, type);
}

bool symbols_peel(Dwarf_Die *type)
{
	for (int depth = 0; depth < SYMBOLS_NESTING; depth++) {
		switch (dwarf_tag(type)) {
		case DW_TAG_typedef:
		case DW_TAG_const_type:
		case DW_TAG_volatile_type:
		case DW_TAG_restrict_type:
		case DW_TAG_atomic_type:
		case DW_TAG_immutable_type:
		case DW_TAG_packed_type:
		case DW_TAG_shared_type:
			if (!symbols_type_of(type, type))
				return false;
			break;
		default:
			return true;
		}
	}
	return false;
}

static bool attribute_number(Dwarf_Die *die, unsigned name, uint64_t *out)
{
	Dwarf_Attribute attr;
	Dwarf_Word v;

	if (!dwarf_attr_integrate(die, name, &attr) || dwarf_formudata(&attr, &v) != 0)
		return false;
	*out = v;
	return true;
}

/* Gets the number of elements in each dimension, at most MAX_DIMENSIONS. Returns the number of dimensions; 0 when one is unknown. */
static unsigned dimensions(Dwarf_Die *array, uint64_t *count)
{
	unsigned n = 0;
	Dwarf_Die child;

	if (dwarf_child(array, &child) != 0)
		return 0;
	do {
		uint64_t bound;
		if (dwarf_tag(&child) != DW_TAG_subrange_type)
			continue;
		if (n == MAX_DIMENSIONS)
			return 0;
		if (attribute_number(&child, DW_AT_count, &bound))
			count[n++] = bound;
		else if (attribute_number(&child, DW_AT_upper_bound, &bound))
			count[n++] = bound + 1;
		else
			return 0;
	} while (dwarf_siblingof(&child, &child) == 0);
	return n;
}

uint64_t symbols_type_size(const Dwarf_Die *of)
{
	Dwarf_Die type = *of;
	uint64_t size, factor = 1;

	for (int depth = 0; depth < SYMBOLS_NESTING && symbols_peel(&type); depth++) {
		uint64_t count[MAX_DIMENSIONS];
		unsigned n;
		if (attribute_number(&type, DW_AT_byte_size, &size))
			return __builtin_mul_overflow(size, factor, &size) ? 0 : size;
		switch (dwarf_tag(&type)) {
		case DW_TAG_pointer_type:
		case DW_TAG_reference_type:
		case DW_TAG_rvalue_reference_type:
			return factor * sizeof(uint64_t); /* gcc and clang sometimes leave it out */
		default:
			break;
		}
		n = dwarf_tag(&type) == DW_TAG_array_type ? dimensions(&type, count) : 0;
		for (unsigned i = 0; i < n; i++)
			if (__builtin_mul_overflow(factor, count[i], &factor))
				return 0;
		if (!n || !symbols_type_of(&type, &type))
			return 0;
	}
	return 0;
}

/* Returns whether the class is declared in a system header, so that its members are not shown. */
static bool system_type(Dwarf_Die *type)
{
	const char *file = dwarf_decl_file(type);

	return file && symbols_system_path(file);
}

/* ---- paths ---- */

static void append(char *path, const char *text)
{
	size_t n = strlen(path);

	snprintf(path + n, SYMBOLS_PATH_TEXT - n, "%s", text);
}

/* Steps into the array element that contains *offset; updates type, offset and path. */
static bool into_element(Dwarf_Die *type, uint64_t *offset, char *path)
{
	uint64_t count[MAX_DIMENSIONS], stride, index;
	unsigned n = dimensions(type, count);
	Dwarf_Die element;
	char text[32];

	if (!n || !symbols_type_of(type, &element))
		return false;
	stride = symbols_type_size(&element);
	for (unsigned i = 1; i < n; i++)
		if (__builtin_mul_overflow(stride, count[i], &stride))
			return false;
	for (unsigned i = 0; i < n; i++) {
		if (!stride)
			return false;
		index = *offset / stride;
		*offset %= stride;
		snprintf(text, sizeof(text), "[%llu]", (unsigned long long)index);
		append(path, text);
		stride = i + 1 < n && count[i + 1] ? stride / count[i + 1] : stride;
	}
	*type = element;
	return true;
}

/* Steps into the member that contains the bytes [*offset, *offset + size). An empty base class may be at the same offset as a member. */
static bool into_member(Dwarf_Die *type, uint64_t *offset, uint64_t size, char *path, bool quiet)
{
	Dwarf_Die child;

	if (dwarf_child(type, &child) != 0)
		return false;
	do {
		int tag = dwarf_tag(&child);
		uint64_t at, extent;
		Dwarf_Die member;
		if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || !symbols_type_of(&child, &member))
			continue;
		if (!attribute_number(&child, DW_AT_data_member_location, &at))
			continue; /* a static member, or a bit field */
		extent = symbols_type_size(&member);
		if (*offset < at || *offset - at >= extent || extent - (*offset - at) < size)
			continue;
		if (tag == DW_TAG_member && !quiet && dwarf_diename(&child)) {
			append(path, ".");
			append(path, dwarf_diename(&child));
		}
		*offset -= at;
		*type = member;
		return true;
	} while (dwarf_siblingof(&child, &child) == 0);
	return false;
}

/* Steps into the part of *type that contains `size` bytes at *offset. */
static bool into_part(Dwarf_Die *type, uint64_t *offset, uint64_t size, char *path)
{
	switch (dwarf_tag(type)) {
	case DW_TAG_array_type:
		return into_element(type, offset, path);
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
		/* for a library's class elements are shown, but not member names */
		return into_member(type, offset, size, path, system_type(type));
	default: /* scalars, and unions: the active member is unknown */
		return false;
	}
}

void symbols_append_path(Dwarf_Die type, uint64_t offset, uint64_t size, char path[SYMBOLS_PATH_TEXT])
{
	uint64_t held = size && size != SYMBOLS_WHOLE ? size : 1;

	for (int depth = 0; depth < SYMBOLS_NESTING && symbols_peel(&type); depth++) {
		Dwarf_Die part = type;
		uint64_t rest = offset;
		size_t length = strlen(path);
		if (size == SYMBOLS_WHOLE && !offset && dwarf_tag(&type) != DW_TAG_array_type)
			break;
		if (!into_part(&part, &rest, held, path) || (size && size != SYMBOLS_WHOLE && rest + size > symbols_type_size(&part))) {
			path[length] = '\0';
			break;
		}
		type = part;
		offset = rest;
	}
	if (size && offset) {
		char text[32];
		snprintf(text, sizeof(text), "+%llu", (unsigned long long)offset);
		append(path, text);
	}
}

/* ---- members by name ---- */

static bool member_at(Dwarf_Die type, const char *name, Dwarf_Die *member, uint64_t *offset, int depth)
{
	Dwarf_Die child, inner;

	if (depth > MAX_BASES || !symbols_peel(&type) || dwarf_child(&type, &child) != 0)
		return false;
	do {
		int tag = dwarf_tag(&child);
		const char *called = tag == DW_TAG_member ? dwarf_diename(&child) : NULL;
		uint64_t at = 0;
		if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || (called && strcmp(called, name) != 0) ||
			!symbols_type_of(&child, &inner) || dwarf_hasattr(&child, DW_AT_bit_size) || dwarf_hasattr(&child, DW_AT_external) ||
			(dwarf_hasattr(&child, DW_AT_data_member_location) && !attribute_number(&child, DW_AT_data_member_location, &at)))
			continue;
		*offset = at;
		if (called) {
			*member = inner;
			return true;
		}
		if (member_at(inner, name, member, offset, depth + 1))
			return !__builtin_add_overflow(*offset, at, offset);
	} while (dwarf_siblingof(&child, &child) == 0);
	return false;
}

bool symbols_member(Dwarf_Die type, const char *name, Dwarf_Die *member, uint64_t *offset)
{
	return member_at(type, name, member, offset, 0);
}

bool symbols_same_type(Dwarf_Die *a, Dwarf_Die *b)
{
	const char *x = dwarf_diename(a), *y = dwarf_diename(b);

	return x && y ? strcmp(x, y) == 0 && symbols_type_size(a) == symbols_type_size(b) : dwarf_dieoffset(a) == dwarf_dieoffset(b);
}

bool symbols_has_part(Dwarf_Die type, uint64_t offset, Dwarf_Die part)
{
	char path[SYMBOLS_PATH_TEXT];

	for (int depth = 0; depth < SYMBOLS_NESTING && symbols_peel(&type); depth++) {
		if (!offset && symbols_same_type(&type, &part))
			return true;
		path[0] = 0;
		if (!into_part(&type, &offset, symbols_type_size(&part), path))
			return false;
	}
	return false;
}

bool symbols_is_cxx(Dwarf_Die *die)
{
	Dwarf_Die cu;

	switch (dwarf_diecu(die, &cu, NULL, NULL) ? dwarf_srclang(&cu) : -1) {
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
		return true;
	default:
		return false;
	}
}

/* ---- value types ---- */

/* The state of splitting a value into fields. */
struct parts {
	struct value_type *out;
	uint64_t low, size; /* the range of its bytes in the variable */
	unsigned looked_at;
};

static int base_kind(Dwarf_Die *type)
{
	uint64_t encoding;
	const char *name = dwarf_diename(type);

	if (!attribute_number(type, DW_AT_encoding, &encoding))
		return -1;
	switch (encoding) {
	case DW_ATE_boolean:
		return VALUE_BOOL;
	case DW_ATE_float:
		return VALUE_FLOAT;
	case DW_ATE_signed_char:
	case DW_ATE_unsigned_char: /* int8_t and uint8_t are called signed and unsigned char, but are numbers */
		return name && strcmp(name, "char") == 0 ? VALUE_CHAR : encoding == DW_ATE_signed_char ? VALUE_SIGNED : VALUE_UNSIGNED;
	case DW_ATE_UTF:
		return VALUE_CHAR;
	case DW_ATE_signed:
		return VALUE_SIGNED;
	case DW_ATE_unsigned:
		return VALUE_UNSIGNED;
	default: /* decimal, complex, ... */
		return -1;
	}
}

static int leaf_kind(Dwarf_Die *type)
{
	switch (dwarf_tag(type)) {
	case DW_TAG_base_type:
		return base_kind(type);
	case DW_TAG_enumeration_type:
		return VALUE_ENUM;
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		return VALUE_POINTER;
	default:
		return -1;
	}
}

static void add_words(struct value_field *f, Dwarf_Die *type)
{
	uint64_t mask = f->bits < 64 ? (UINT64_C(1) << f->bits) - 1 : UINT64_MAX;
	Dwarf_Die child;

	if (dwarf_child(type, &child) != 0)
		return;
	do {
		Dwarf_Attribute attr;
		Dwarf_Sword v;
		if (dwarf_tag(&child) != DW_TAG_enumerator || !dwarf_diename(&child) || !dwarf_attr(&child, DW_AT_const_value, &attr) ||
			dwarf_formsdata(&attr, &v) != 0)
			continue;
		value_field_word(f, (uint64_t)v & mask, dwarf_diename(&child));
	} while (f->n_words < MAX_WORDS && dwarf_siblingof(&child, &child) == 0);
}

/* x87 numbers use 10 of 16 bytes. Other types of that size are not supported. */
static uint64_t leaf_size(Dwarf_Die *type, uint64_t size)
{
	const char *name = size == 16 && leaf_kind(type) == VALUE_FLOAT ? dwarf_diename(type) : NULL;

	return name && strcmp(name, "long double") == 0 ? 10 : size;
}

/* Adds a field. `bit` counts from the beginning of the value. */
static bool add_leaf(struct parts *p, Dwarf_Die *type, uint64_t bit, uint64_t bits, const char *name)
{
	int kind = leaf_kind(type);
	struct value_field *f;

	if (kind < 0 || bits > 128 || bit + bits > 128)
		return false;
	f = value_type_add(p->out, (unsigned)kind, (unsigned)bit, (unsigned)bits, name[0] ? name : NULL);
	if (f && kind == VALUE_ENUM)
		add_words(f, type);
	return f;
}

static bool add_part(struct parts *p, Dwarf_Die type, uint64_t at, const char *path, int depth);

/* Adds a bit field. Returns false when it is not completely inside the bytes. */
static bool add_bits(struct parts *p, Dwarf_Die *member, Dwarf_Die type, uint64_t at, const char *path)
{
	uint64_t bit, bits, first = p->low * 8, n = p->size * 8;

	if (!attribute_number(member, DW_AT_data_bit_offset, &bit) || !attribute_number(member, DW_AT_bit_size, &bits) || !symbols_peel(&type) ||
		__builtin_add_overflow(bit, at * 8, &bit) || bits > 64 || !bits)
		return false;
	if (bit + bits <= first || bit >= first + n)
		return true;
	return bit >= first && bit + bits <= first + n && add_leaf(p, &type, bit - first, bits, path);
}

static bool add_members(struct parts *p, Dwarf_Die *type, uint64_t at, const char *path, int depth)
{
	bool quiet = system_type(type);
	Dwarf_Die child, member;

	if (dwarf_child(type, &child) != 0)
		return true;
	do {
		int tag = dwarf_tag(&child);
		char inner[SYMBOLS_PATH_TEXT];
		const char *name = tag == DW_TAG_member && !quiet ? dwarf_diename(&child) : NULL;
		uint64_t offset = 0;
		if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || !symbols_type_of(&child, &member) ||
			dwarf_hasattr(&child, DW_AT_external)) /* static */
			continue;
		snprintf(inner, sizeof(inner), "%s%s%s", path, path[0] && name ? "." : "", name ? name : "");
		if (dwarf_hasattr(&child, DW_AT_bit_size)) {
			if (!add_bits(p, &child, member, at, inner))
				return false;
			continue;
		}
		if (tag == DW_TAG_member && dwarf_hasattr(&child, DW_AT_data_member_location) &&
			!attribute_number(&child, DW_AT_data_member_location, &offset))
			return false;
		if (tag == DW_TAG_inheritance && !attribute_number(&child, DW_AT_data_member_location, &offset))
			return false; /* the offset of a virtual base is unknown */
		if (__builtin_add_overflow(offset, at, &offset) || !add_part(p, member, offset, inner, depth + 1))
			return false;
	} while (dwarf_siblingof(&child, &child) == 0);
	return true;
}

static bool add_elements(struct parts *p, Dwarf_Die *array, uint64_t at, uint64_t size, const char *path, int depth)
{
	Dwarf_Die element;
	uint64_t stride, first;

	if (!symbols_type_of(array, &element) || !(stride = symbols_type_size(&element)))
		return false;
	first = p->low > at ? (p->low - at) / stride : 0;
	for (uint64_t k = first; k < size / stride && at + k * stride < p->low + p->size; k++) {
		char inner[SYMBOLS_PATH_TEXT] = "";
		if (path[0])
			snprintf(inner, sizeof(inner), "%s[%llu]", path, (unsigned long long)k);
		if (!add_part(p, element, at + k * stride, inner, depth + 1))
			return false;
	}
	return true;
}

/* Adds the fields of the part at `at` in the variable that are inside the bytes. Returns false when a field has no known type. */
static bool add_part(struct parts *p, Dwarf_Die type, uint64_t at, const char *path, int depth)
{
	uint64_t size, end;

	if (depth > SYMBOLS_NESTING || ++p->looked_at > MAX_PARTS || !symbols_peel(&type))
		return false;
	size = leaf_size(&type, symbols_type_size(&type));
	if (__builtin_add_overflow(at, size, &end))
		return false;
	if (end <= p->low || at >= p->low + p->size)
		return true;
	switch (dwarf_tag(&type)) {
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
		return add_members(p, &type, at, path, depth);
	case DW_TAG_array_type:
		return add_elements(p, &type, at, size, path, depth);
	default: /* the active member of a union is unknown */
		return at >= p->low && end <= p->low + p->size && add_leaf(p, &type, (at - p->low) * 8, size * 8, path);
	}
}

/* Steps into the innermost part that contains all the bytes. */
static void into_innermost(Dwarf_Die *type, uint64_t *offset, uint64_t size)
{
	for (int depth = 0; depth < SYMBOLS_NESTING && symbols_peel(type); depth++) {
		Dwarf_Die part = *type;
		uint64_t rest = *offset, extent;
		char path[SYMBOLS_PATH_TEXT] = "";
		if (!into_part(&part, &rest, size, path))
			return;
		extent = symbols_type_size(&part);
		if (rest > extent || extent - rest < size)
			return;
		*type = part;
		*offset = rest;
	}
}

bool symbols_value_type(Dwarf_Die type, uint64_t offset, uint64_t size, struct value_type *out)
{
	struct parts p = { .out = out, .size = size };

	memset(out, 0, sizeof(*out));
	if (!size || size > REC_VALUE)
		return false;
	into_innermost(&type, &offset, size);
	p.low = offset;
	if (offset > UINT64_MAX / 16 || !add_part(&p, type, 0, "", 0) || !out->n || !value_type_fits(out, (unsigned)size)) {
		value_type_free(out);
		return false;
	}
	return true;
}
