/* The settings of an execution in JSON, for reports of a recording and of a search. */
#ifndef SIMUL_SETTINGS_JSON_H
#define SIMUL_SETTINGS_JSON_H

#include <jansson.h>

#include "base/settings.h"

/* Adds the settings that have a key in base/settings.def. */
void settings_json(json_t *object, const struct settings *s);

#endif
