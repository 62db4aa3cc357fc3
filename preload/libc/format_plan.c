#include "preload/libc/format_plan.h"

#include "preload/base/real.h"
#include "preload/base/rules.h"

#define PLANS 64 /* a power of two */

/* Private memory: a rewind puts it back. A plan that is lost is simply made again. */
static struct plan plans[PLANS];

static struct plan *slot(const char *format)
{
	return &plans[((uintptr_t)format ^ (uintptr_t)format >> 6) % PLANS];
}

const struct plan *plan_find(const char *format)
{
	const struct plan *p = slot(format);

	return p->format == format && !real_strcmp(p->text, format) ? p : NULL;
}

void plan_begin(struct plan *p)
{
	p->n = 0;
	p->strings = false;
	p->open = true;
}

void plan_add(struct plan *p, enum plan_step step)
{
	if (p->n == PLAN_STEPS) {
		p->open = false;
		return;
	}
	p->step[p->n++] = (uint8_t)step;
	p->strings |= step >= PLAN_STRING;
}

void plan_keep(struct plan *p, const char *format)
{
	uint64_t n = real_strlen(format) + 1;

	if (!p->open || n > PLAN_TEXT)
		return;
	real_memcpy(p->text, format, n);
	p->format = format;
	real_memcpy(slot(format), p, sizeof(*p));
}
