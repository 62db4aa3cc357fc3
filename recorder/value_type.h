/*
 * The type of a value, as far as reports need it, from the debug information of its variable. A recording
 * stores it, so that values can be shown without the program.
 */
#ifndef SIMUL_VALUE_TYPE_H
#define SIMUL_VALUE_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum value_kind {
	VALUE_SIGNED = 0,
	VALUE_UNSIGNED,
	VALUE_BOOL,
	VALUE_CHAR,
	VALUE_FLOAT, /* of 32 or 64 bits, or the x87 format with 80 */
	VALUE_ENUM,
	VALUE_POINTER,
	VALUE_KINDS
};

/* The name of a value of an enumeration: "BUSY", "READ | WRITE". */
struct value_word {
	uint64_t value;
	char *name;
};

/* A field of the value: the number itself, a member, or an element. */
struct value_field {
	uint8_t kind;      /* enum value_kind */
	uint8_t bit, bits; /* its position, counted from the lowest bit of the first byte; at most 64 bits, except for VALUE_FLOAT */
	char *name;        /* of a member; NULL: the value has no other field, or this is an element */
	size_t n_words;
	struct value_word *word; /* VALUE_ENUM */
};

#define VALUE_FIELDS 16 /* limit on the number of fields */

struct value_type {
	size_t n; /* 0: unknown */
	struct value_field *field;
};

void value_type_free(struct value_type *t); /* makes it unknown */

/* Adds a field and returns it; copies `name`, which may be NULL. Returns NULL when VALUE_FIELDS is reached. */
struct value_field *value_type_add(struct value_type *t, unsigned kind, unsigned bit, unsigned bits, const char *name);
void value_field_word(struct value_field *f, uint64_t value, const char *name);

/* Returns whether a value of `size` bytes can have this type. */
bool value_type_fits(const struct value_type *t, unsigned size);
bool value_type_equal(const struct value_type *a, const struct value_type *b);

/* Returns the bits of a field of at most 64 bits. */
uint64_t value_bits(const struct value_field *f, const uint8_t *bytes, unsigned size);

/* Reduce the constants of enumerations to those that occur. value_type_without_words copies the complete type `all` without constants.
   value_type_keep then adds those of one value; for a combination of one-bit constants it makes a combined name. */
struct value_type value_type_without_words(const struct value_type *all);
void value_type_keep(struct value_type *kept, const struct value_type *all, const uint8_t *bytes, unsigned size);

const char *value_kind_text(unsigned kind); /* "signed", "bool", ... */
int value_kind_parse(const char *text);     /* or -1 */

#endif
