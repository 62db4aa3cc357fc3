#include "recorder/json/settings_json.h"

#include "base/units.h"
#include "recorder/json/json_phrases.h"

static json_t *value_of(const struct settings *s, const struct setting *of)
{
	uint64_t value = setting_get(s, of);

	if (of->names)
		return json_string(of->names[value]);
	if (of->kind == SETTING_TIME)
		return value ? json_real((double)value / (double)NS_PER_S) : json_null();
	if (of->kind == SETTING_SWITCH)
		return json_boolean(value);
	return of->kind == SETTING_HEX ? json_hex(value) : json_number(value);
}

void settings_json(json_t *object, const struct settings *s)
{
	for (unsigned i = 0; i < SETTINGS; i++)
		if (settings_table[i].json[0])
			json_object_set_new(object, settings_table[i].json, value_of(s, &settings_table[i]));
}
