#ifndef SIMUL_HTML_DATA_H
#define SIMUL_HTML_DATA_H

#include <jansson.h>

#include "recorder/report_internal.h"

/* What the page of `simul show --html` shows, see recorder/html/model.js: columns of numbers, tables of what is named often. */
json_t *html_data(const struct report *p, const char *name);

#endif
