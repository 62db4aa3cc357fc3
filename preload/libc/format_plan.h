/*
 * Formats of printf that were read before: programs print with the same few again and again. A plan says what a conversion takes of the
 * arguments; it is found by the format's address and holds only while the same text stands there.
 */
#ifndef SIMUL_FORMAT_PLAN_H
#define SIMUL_FORMAT_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#define PLAN_STEPS 15
#define PLAN_TEXT 96 /* bytes of a format, terminator included */

enum plan_step { PLAN_WORD = 1, PLAN_DOUBLE, PLAN_LONG_DOUBLE, PLAN_STRING, PLAN_WIDE_STRING };

struct plan {
	const char *format;
	char text[PLAN_TEXT];
	uint8_t n;
	uint8_t step[PLAN_STEPS]; /* enum plan_step */
	bool strings;             /* some step is one of a string: else nothing is accessed */
	bool open;                /* still being made, and possible */
};

/* The plan of this format, or NULL. */
const struct plan *plan_find(const char *format);
/* A plan to be filled in; not yet valid. */
void plan_begin(struct plan *p);
void plan_add(struct plan *p, enum plan_step step);
/* The format does something that plans do not say. */
static inline void plan_give_up(struct plan *p)
{
	p->open = false;
}
/* Keeps it, if it can be kept. */
void plan_keep(struct plan *p, const char *format);

#endif
