/*
 * How the bytes of a value are to be read: what the debug information says of the variable that they belong to, as far as a report
 * needs it. A recording keeps it, so that values can be shown without the program.
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
	VALUE_FLOAT, /* of 32, 64 or, x87's, 80 bits */
	VALUE_ENUM,
	VALUE_POINTER,
	VALUE_KINDS
};

/* What a program calls a value of an enumeration: "BUSY", "READ | WRITE". */
struct value_word {
	uint64_t value;
	char *name;
};

/* A part of the value: a number, a member, an element. */
struct value_field {
	uint8_t kind;      /* enum value_kind */
	uint8_t bit, bits; /* where it lies, counted from the lowest bit of the first byte; at most 64 bits, but for VALUE_FLOAT */
	char *name;        /* of a member; NULL: the value has no other part, or it is an element */
	size_t n_words;
	struct value_word *word; /* VALUE_ENUM */
};

#define VALUE_FIELDS 16 /* parts that are kept */

struct value_type {
	size_t n; /* 0: unknown */
	struct value_field *field;
};

void value_type_free(struct value_type *t); /* leaves an unknown one */

/* Adds a field and returns it; `name` is copied, and may be NULL. NULL: there are as many as are kept. */
struct value_field *value_type_add(struct value_type *t, unsigned kind, unsigned bit, unsigned bits, const char *name);
void value_field_word(struct value_field *f, uint64_t value, const char *name);

/* Can a value of `size` bytes be read so? */
bool value_type_fits(const struct value_type *t, unsigned size);
bool value_type_equal(const struct value_type *a, const struct value_type *b);

/* The bits of a field of at most 64. */
uint64_t value_bits(const struct value_field *f, const uint8_t *bytes, unsigned size);

/* Keeps of each enumeration only what the values say, a call for each; words for values that are several of its constants, each one
   bit, are made. `all` is the type as it was found, `kept` a copy without words. */
struct value_type value_type_without_words(const struct value_type *all);
void value_type_keep(struct value_type *kept, const struct value_type *all, const uint8_t *bytes, unsigned size);

const char *value_kind_text(unsigned kind); /* "signed", "bool", ... */
int value_kind_parse(const char *text);     /* or -1 */

#endif
