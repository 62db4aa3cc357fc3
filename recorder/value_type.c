#include "recorder/value_type.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

#define WORD_TEXT 120

static const char *const kinds[VALUE_KINDS] = { "signed", "unsigned", "bool", "char", "float", "enum", "pointer" };

const char *value_kind_text(unsigned kind)
{
	return kind < VALUE_KINDS ? kinds[kind] : "?";
}

int value_kind_parse(const char *text)
{
	for (int i = 0; i < VALUE_KINDS; i++)
		if (strcmp(text, kinds[i]) == 0)
			return i;
	return -1;
}

void value_type_free(struct value_type *t)
{
	for (size_t i = 0; i < t->n; i++) {
		for (size_t k = 0; k < t->field[i].n_words; k++)
			free(t->field[i].word[k].name);
		free(t->field[i].word);
		free(t->field[i].name);
	}
	free(t->field);
	memset(t, 0, sizeof(*t));
}

struct value_field *value_type_add(struct value_type *t, unsigned kind, unsigned bit, unsigned bits, const char *name)
{
	struct value_field *f;

	if (t->n == VALUE_FIELDS)
		return NULL;
	t->field = xgrow(t->field, t->n, sizeof(*t->field));
	f = &t->field[t->n++];
	*f = (struct value_field){ .kind = (uint8_t)kind, .bit = (uint8_t)bit, .bits = (uint8_t)bits, .name = xstrdup(name) };
	return f;
}

void value_field_word(struct value_field *f, uint64_t value, const char *name)
{
	f->word = xgrow(f->word, f->n_words, sizeof(*f->word));
	f->word[f->n_words++] = (struct value_word){ value, xstrdup(name) };
}

static bool field_fits(const struct value_field *f, unsigned size)
{
	if (f->kind >= VALUE_KINDS || !f->bits || f->bit + f->bits > 8 * size || (f->n_words && f->kind != VALUE_ENUM))
		return false;
	if (f->kind == VALUE_FLOAT)
		return f->bit % 8 == 0 && (f->bits == 32 || f->bits == 64 || f->bits == 80);
	return f->bits <= 64;
}

bool value_type_fits(const struct value_type *t, unsigned size)
{
	if (t->n > VALUE_FIELDS)
		return false;
	for (size_t i = 0; i < t->n; i++) {
		if (!field_fits(&t->field[i], size))
			return false;
		for (size_t k = 0; k < t->field[i].n_words; k++)
			if (!t->field[i].word[k].name)
				return false;
	}
	return true;
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

bool value_type_equal(const struct value_type *a, const struct value_type *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++) {
		const struct value_field *x = &a->field[i], *y = &b->field[i];
		if (x->kind != y->kind || x->bit != y->bit || x->bits != y->bits || x->n_words != y->n_words || !same_text(x->name, y->name))
			return false;
		for (size_t k = 0; k < x->n_words; k++)
			if (x->word[k].value != y->word[k].value || !same_text(x->word[k].name, y->word[k].name))
				return false;
	}
	return true;
}

uint64_t value_bits(const struct value_field *f, const uint8_t *bytes, unsigned size)
{
	uint64_t v = 0;

	for (unsigned i = f->bits; i-- > 0;) {
		unsigned at = f->bit + i;
		v = v << 1 | (at / 8 < size ? bytes[at / 8] >> at % 8 & 1 : 0);
	}
	return v;
}

/* ---- enumerations ---- */

static const char *word_of(const struct value_field *f, uint64_t value)
{
	for (size_t i = 0; i < f->n_words; i++)
		if (f->word[i].value == value)
			return f->word[i].name;
	return NULL;
}

/* "READ | WRITE"; false when some bit is not a constant. */
static bool flags_text(const struct value_field *f, uint64_t value, char *buf, size_t room)
{
	size_t n = 0;

	for (uint64_t bit = 1; bit; bit <<= 1) {
		const char *name = value & bit ? word_of(f, bit) : NULL;
		if (!(value & bit))
			continue;
		if (!name)
			return false;
		n += (size_t)snprintf(buf + n, room - n, "%s%s", n ? " | " : "", name);
		if (n >= room)
			return false;
	}
	return n != 0;
}

struct value_type value_type_without_words(const struct value_type *all)
{
	struct value_type t = { 0, NULL };

	for (size_t i = 0; i < all->n; i++)
		value_type_add(&t, all->field[i].kind, all->field[i].bit, all->field[i].bits, all->field[i].name);
	return t;
}

void value_type_keep(struct value_type *kept, const struct value_type *all, const uint8_t *bytes, unsigned size)
{
	for (size_t i = 0; i < kept->n; i++) {
		const struct value_field *f = &all->field[i];
		uint64_t value = value_bits(f, bytes, size);
		const char *name;
		char text[WORD_TEXT];
		if (f->kind != VALUE_ENUM || word_of(&kept->field[i], value))
			continue;
		name = word_of(f, value);
		if (!name && flags_text(f, value, text, sizeof(text)))
			name = text;
		if (name)
			value_field_word(&kept->field[i], value, name);
	}
}
