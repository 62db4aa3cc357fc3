/* Reads the section [values] of a recording: the values before and after memory accesses, and their types. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "recorder/format/format.h"

static unsigned digit(char c)
{
	return isdigit((unsigned char)c) ? (unsigned)(c - '0') : (unsigned)(c - 'a' + 10);
}

/* Reads 0x and two digits for each of `size` bytes, most significant byte first; or `-` for an unknown value. */
static bool read_bytes(struct scan *s, uint8_t *out, size_t size, bool *known)
{
	char buf[2 * REC_VALUE + 3];

	if (!scan_word(s, buf, sizeof(buf)))
		return false;
	*known = strcmp(buf, "-") != 0;
	if (!*known)
		return true;
	if (strncmp(buf, "0x", 2) || strlen(buf) != 2 + 2 * size || strspn(buf + 2, "0123456789abcdef") != 2 * size)
		return scan_fail(s, "\"%s\" is not a value of %zu bytes", buf, size);
	for (size_t i = 0; i < size; i++)
		out[size - 1 - i] = (uint8_t)(digit(buf[2 + 2 * i]) << 4 | digit(buf[3 + 2 * i]));
	return true;
}

bool format_read_value(struct scan *s, struct recording *r)
{
	struct rec_step *st;
	uint64_t step;

	if (!scan_u64(s, UINT32_MAX, &step))
		return false;
	if (step < 1 || step > r->n_steps)
		return scan_fail(s, "there is no step %llu", (unsigned long long)step);
	st = &r->steps[step - 1];
	if (st->value.size)
		return scan_fail(s, "step %llu has two values", (unsigned long long)step);
	if (!st->obj[0] || st->obj[0] > r->n_objects || !r->objects[st->obj[0] - 1].size || r->objects[st->obj[0] - 1].size > REC_VALUE)
		return scan_fail(s, "step %llu accesses no memory, or too many bytes for a value", (unsigned long long)step);
	st->value.size = (uint8_t)r->objects[st->obj[0] - 1].size;
	return read_bytes(s, st->value.before, st->value.size, &st->value.has_before) &&
		read_bytes(s, st->value.after, st->value.size, &st->value.has_after);
}

bool format_read_pointer(struct scan *s, struct recording *r)
{
	struct rec_pointer *p;

	r->pointers = xgrow(r->pointers, r->n_pointers, sizeof(*r->pointers));
	p = &r->pointers[r->n_pointers++];
	memset(p, 0, sizeof(*p));
	return scan_u64(s, UINT64_MAX, &p->addr) && scan_text(s, &p->name);
}

bool format_read_type(struct scan *s, struct recording *r, object_id *last)
{
	uint64_t object, bit, bits;
	struct value_type *t;
	char *name = NULL;
	int kind;
	bool ok;

	if (!scan_ref(s, 'o', &object))
		return false;
	if (!object || object > r->n_objects)
		return scan_fail(s, "there is no object o%llu", (unsigned long long)object);
	t = &r->objects[object - 1].type;
	*last = (object_id)object;
	if (!scan_u64(s, UINT8_MAX, &bit) || !scan_u64(s, UINT8_MAX, &bits) ||
		!scan_name(s, value_kind_parse, "a kind of value", &kind) || !scan_string(s, &name))
		return false;
	ok = value_type_add(t, (unsigned)kind, (unsigned)bit, (unsigned)bits, name);
	free(name);
	return ok || scan_fail(s, "the value of o%llu has too many parts", (unsigned long long)object);
}

bool format_read_word(struct scan *s, struct recording *r, object_id last)
{
	struct value_type *t = last ? &r->objects[last - 1].type : NULL;
	uint64_t value;
	char *name = NULL;

	if (!t || !t->n)
		return scan_fail(s, "a word without a type");
	if (!scan_u64(s, UINT64_MAX, &value) || !scan_text(s, &name))
		return false;
	value_field_word(&t->field[t->n - 1], value, name);
	free(name);
	return true;
}
