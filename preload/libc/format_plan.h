/*
 * Plans: formats of printf that were read before. Programs print with the same few formats again and again. A plan lists which argument
 * each conversion takes. A plan is found by the address of its format, and is valid only while this address holds the same text.
 */
#ifndef SIMUL_FORMAT_PLAN_H
#define SIMUL_FORMAT_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#define PLAN_STEPS 15
#define PLAN_TEXT 96 /* bytes of a format, terminator included */

/* The argument that a conversion takes. */
enum plan_step { PLAN_WORD = 1, PLAN_DOUBLE, PLAN_LONG_DOUBLE, PLAN_STRING, PLAN_WIDE_STRING };

struct plan {
	const char *format;
	char text[PLAN_TEXT];
	uint8_t n;
	uint8_t step[PLAN_STEPS]; /* enum plan_step */
	bool strings;             /* some step is a string; otherwise the call accesses nothing */
	bool open;                /* the plan can still be made */
};

/* Returns the plan of this format, or NULL. */
const struct plan *plan_find(const char *format);
/* Begins an empty plan. */
void plan_begin(struct plan *p);
/* Adds a step. */
void plan_add(struct plan *p, enum plan_step step);
/* Gives the plan up, because the format does something that plans cannot express. */
static inline void plan_give_up(struct plan *p)
{
	p->open = false;
}
/* Keeps the plan for this format, if it is complete and short enough. */
void plan_keep(struct plan *p, const char *format);

#endif
