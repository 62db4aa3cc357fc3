/* Finds the functions that report their accesses by themselves: compilers made them call the functions of a sensor. */
#include <string.h>

#include "preload/patch/engine.h"
#include "preload/base/rules.h"

#define MOST_ENTRIES 1024

static void note_entry(void *ctx, uint64_t place, const char *name)
{
	struct engine *e = ctx;

	if (!strncmp(name, e->config.sensor, strlen(e->config.sensor)))
		VEC_PUSH(&e->sensor, uint64_t, place);
}

bool sensed_begin(struct engine *e)
{
	if (!e->config.sensor)
		return true;
	if (!vec_make(&e->sensor, sizeof(uint64_t), MOST_ENTRIES))
		return false;
	imports_each(&e->image, note_entry, e);
	return true;
}

/* Returns whether the address of a function of the sensor is there. */
static bool is_entry(const struct engine *e, uint64_t place)
{
	for (size_t i = 0; i < e->sensor.n; i++)
		if (*VEC_AT(&e->sensor, uint64_t, i) == place)
			return true;
	return false;
}

/* The function's address may also be loaded into a register for several calls. */
static bool leads_to_sensor(const struct engine *e, const struct insn *in)
{
	bool direct = in->kind == K_CALL || in->kind == K_JMP;
	uint64_t place;

	return (direct ? code_stub_entry(e, in->ref, &place) : code_names(e, in, &place)) && is_entry(e, place);
}

bool sensed_function(const struct engine *e, const struct func *f)
{
	for (uint32_t i = f->first; e->sensor.n && i < f->last; i++)
		if (leads_to_sensor(e, VEC_AT(&e->insns, struct insn, i)))
			return true;
	return false;
}
