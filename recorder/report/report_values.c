/*
 * The values of memory accesses as text, formatted by their types from debug information. Without a type, a number is formatted
 * by a guess that suits common values.
 */
#include <float.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "recorder/report/report_internal.h"

#define SMALL_NEGATIVE 65536

static uint64_t number_of(const uint8_t *bytes, unsigned size)
{
	uint64_t v = 0;

	for (unsigned i = size; i-- > 0;)
		v = v << 8 | bytes[i];
	return v;
}

/* Formats small numbers in decimal, those just below 2^bits as negative, and large ones (flags, hashes, addresses) in hexadecimal. */
static void number_text(uint64_t v, unsigned size, char *buf, size_t room)
{
	uint64_t limit = size < 8 ? UINT64_C(1) << (8 * size) : 0; /* 2^64 is 0 */

	if (size >= 4 && v && limit - v <= SMALL_NEGATIVE)
		snprintf(buf, room, "-%" PRIu64, limit - v);
	else if (v < UINT64_C(1) << 31)
		snprintf(buf, room, "%" PRIu64, v);
	else
		snprintf(buf, room, "0x%" PRIx64, v);
}

static void word_text(const struct report *p, const uint8_t *bytes, unsigned size, char *buf, size_t room)
{
	uint64_t v = number_of(bytes, size);
	const char *name = size == 8 ? rec_pointer_name(p->r, v) : NULL;

	if (name)
		report_clean_text(name, buf, room);
	else
		number_text(v, size, buf, room);
}

/* ---- with a type ---- */

static int64_t sign_extended(uint64_t v, unsigned bits)
{
	return bits < 64 && v >> (bits - 1) & 1 ? (int64_t)(v | UINT64_MAX << bits) : (int64_t)v;
}

static void char_text(uint64_t v, unsigned bits, char *buf, size_t room)
{
	static const char escaped[] = "\t\n\r\\'", letters[] = "tnr\\'";
	const char *at = v && v < 128 ? strchr(escaped, (int)v) : NULL;

	if (at)
		snprintf(buf, room, "'\\%c'", letters[at - escaped]);
	else if (v >= 0x20 && v < 0x7f)
		snprintf(buf, room, "'%c'", (char)v);
	else
		snprintf(buf, room, "%" PRId64, bits == 8 ? sign_extended(v, bits) : (int64_t)v);
}

/* Uses the fewest digits that identify the number. */
static void float_text(const struct value_field *f, const uint8_t *bytes, char *buf, size_t room)
{
	long double wide = 0;
	double value = 0;
	float narrow = 0;

	if (f->bits == 80) {
		memcpy(&wide, bytes + f->bit / 8, 10);
		snprintf(buf, room, "%.*Lg", LDBL_DIG, wide);
		return;
	}
	if (f->bits == 32)
		memcpy(&narrow, bytes + f->bit / 8, sizeof(narrow));
	else
		memcpy(&value, bytes + f->bit / 8, sizeof(value));
	for (int digits = 6; digits <= 17; digits++) {
		snprintf(buf, room, "%.*g", digits, f->bits == 32 ? (double)narrow : value);
		if (f->bits == 32 ? strtof(buf, NULL) == narrow : strtod(buf, NULL) == value)
			return;
	}
}

static void pointer_text(const struct report *p, uint64_t v, char *buf, size_t room)
{
	const char *name = rec_pointer_name(p->r, v);

	if (!v)
		snprintf(buf, room, "NULL");
	else if (name)
		report_clean_text(name, buf, room);
	else
		snprintf(buf, room, "0x%" PRIx64, v);
}

static void enum_text(const struct value_field *f, uint64_t v, char *buf, size_t room)
{
	for (size_t i = 0; i < f->n_words; i++)
		if (f->word[i].value == v) {
			report_clean_text(f->word[i].name, buf, room);
			return;
		}
	number_text(v, f->bits / 8, buf, room);
}

static void field_text(const struct report *p, const struct value_field *f, const uint8_t *bytes, unsigned size, char *buf, size_t room)
{
	uint64_t v = f->kind == VALUE_FLOAT ? 0 : value_bits(f, bytes, size);

	switch ((enum value_kind)f->kind) {
	case VALUE_BOOL:
		if (v > 1) /* it is none then */
			snprintf(buf, room, "%" PRIu64, v);
		else
			snprintf(buf, room, "%s", v ? "true" : "false");
		break;
	case VALUE_SIGNED:
		snprintf(buf, room, "%" PRId64, sign_extended(v, f->bits));
		break;
	case VALUE_UNSIGNED: /* flags and hashes */
		snprintf(buf, room, v < UINT64_C(1) << 31 ? "%" PRIu64 : "0x%" PRIx64, v);
		break;
	case VALUE_CHAR:
		char_text(v, f->bits, buf, room);
		break;
	case VALUE_FLOAT:
		float_text(f, bytes, buf, room);
		break;
	case VALUE_ENUM:
		enum_text(f, v, buf, room);
		break;
	case VALUE_POINTER:
		pointer_text(p, v, buf, room);
		break;
	case VALUE_KINDS:
		break;
	}
}

static bool is_text(const struct value_type *t)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->field[i].kind != VALUE_CHAR || t->field[i].bits != 8)
			return false;
	return t->n > 1;
}

/* Formats an array of characters, up to its terminator or its end: "\"abc\"". */
static void quoted_text(const struct value_type *t, const uint8_t *bytes, unsigned size, char *buf, size_t room)
{
	char text[VALUE_FIELDS + 1], clean[sizeof(text)];
	size_t n = 0;

	while (n < t->n && (text[n] = (char)value_bits(&t->field[n], bytes, size)))
		n++;
	text[n] = '\0';
	report_clean_text(text, clean, sizeof(clean));
	snprintf(buf, room, "\"%s\"", clean);
}

/* "{next = &pool[1], tag = 3}" */
static void typed_text(const struct report *p, const struct value_type *t, const uint8_t *bytes, unsigned size, char *buf, size_t room)
{
	size_t n = 0;

	if (t->n == 1 && !t->field[0].name) {
		field_text(p, &t->field[0], bytes, size, buf, room);
		return;
	}
	if (is_text(t)) {
		quoted_text(t, bytes, size, buf, room);
		return;
	}
	for (size_t i = 0; i < t->n && n < room; i++) {
		char text[CELL_TEXT], name[CELL_TEXT / 2] = "";
		if (t->field[i].name)
			report_clean_text(t->field[i].name, name, sizeof(name));
		field_text(p, &t->field[i], bytes, size, text, sizeof(text));
		n += (size_t)snprintf(buf + n, room - n, "%s%s%s%s", i ? ", " : "{", name, name[0] ? " = " : "", text);
	}
	if (n < room)
		snprintf(buf + n, room - n, "}");
}

char *report_value(const struct report *p, object_id o, const uint8_t *bytes, unsigned size, char *buf, size_t room)
{
	const struct value_type *t = o ? &p->r->objects[o - 1].type : NULL;
	char low[CELL_TEXT / 2], high[CELL_TEXT / 2];

	if (t && t->n && p->r->objects[o - 1].size == size) {
		typed_text(p, t, bytes, size, buf, room);
		return buf;
	}
	if (size <= 8) {
		word_text(p, bytes, size, buf, room);
		return buf;
	}
	word_text(p, bytes, 8, low, sizeof(low));
	word_text(p, bytes + 8, size - 8, high, sizeof(high));
	snprintf(buf, room, "{%s, %s}", low, high);
	return buf;
}

char *report_value_text(const struct report *p, const struct rec_step *s, char *buf, size_t room)
{
	const struct rec_value *v = &s->value;
	bool reads = s->kind == EV_LOAD || rec_step_failed(s), both = s->kind == EV_RMW && !reads;
	char before[CELL_TEXT / 2], after[CELL_TEXT / 2];

	buf[0] = '\0';
	if (!v->size || (!v->has_before && (reads || both)) || (!v->has_after && !reads))
		return buf;
	report_value(p, s->obj[0], v->before, v->size, before, sizeof(before));
	report_value(p, s->obj[0], v->after, v->size, after, sizeof(after));
	if (both)
		snprintf(buf, room, ": %s → %s", before, after);
	else
		snprintf(buf, room, " = %s", reads ? before : after);
	return buf;
}
