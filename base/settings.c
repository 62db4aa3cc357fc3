#include "base/settings.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"

const char *const names_threads[] = { "fiber", "kernel", NULL };
const char *const names_discrete_time[] = { "free", "discrete", NULL };
const char *const names_late_exit[] = { "any", "late", NULL };
const char *const names_barrier_first[] = { "last", "first", NULL };
const char *const names_pth_order[] = { "own", "any", NULL };
const char *const names_model[] = { "sc", "tso", "pso", "rc11", NULL };

#define ALWAYS false
#define NOT_0 true

const struct setting settings_table[SETTINGS] = {
#define SETTING(name, type, kind, most, line, written, json, names, certificate) \
	{ offsetof(struct settings, name), sizeof(type) == sizeof(uint64_t), written, kind, CERTIFICATE_##certificate, most, line, json, names },
#include "base/settings.def"
};

uint64_t setting_get(const struct settings *s, const struct setting *of)
{
	const char *at = (const char *)s + of->offset;
	uint64_t wide;
	uint32_t narrow;

	if (of->wide) {
		memcpy(&wide, at, sizeof(wide));
		return wide;
	}
	memcpy(&narrow, at, sizeof(narrow));
	return narrow;
}

void setting_set(struct settings *s, const struct setting *of, uint64_t value)
{
	char *at = (char *)s + of->offset;
	uint32_t narrow = (uint32_t)value;

	if (of->wide)
		memcpy(at, &value, sizeof(value));
	else
		memcpy(at, &narrow, sizeof(narrow));
}

bool settings_valid(const struct settings *s)
{
	for (unsigned i = 0; i < SETTINGS; i++)
		if (setting_get(s, &settings_table[i]) > settings_table[i].most)
			return false;
	return true;
}

const char *memory_model_text(unsigned model)
{
	return model <= MODEL_RC11 ? names_model[model] : "?";
}

const char *memory_model_title(unsigned model)
{
	static const char *const titles[] = { "SC", "TSO", "PSO", "RC11" };

	return model <= MODEL_RC11 ? titles[model] : "?";
}

bool setting_named(const struct setting *of, const char *name, uint64_t *value)
{
	for (*value = 0; of->names[*value]; ++*value)
		if (!strcmp(of->names[*value], name))
			return true;
	return false;
}

void setting_text(const struct settings *s, const struct setting *of, char *buf, size_t size)
{
	uint64_t value = setting_get(s, of);

	if (of->names)
		snprintf(buf, size, "%s", value <= of->most ? of->names[value] : "?");
	else if (of->kind == SETTING_SWITCH)
		snprintf(buf, size, "%s", value ? "given" : "not given");
	else if (of->kind == SETTING_TIME && value)
		snprintf(buf, size, "%.9gs", (double)value / (double)NS_PER_S);
	else
		snprintf(buf, size, "%" PRIu64, value);
}
