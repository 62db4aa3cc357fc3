#ifndef SIMUL_HTML_DATA_H
#define SIMUL_HTML_DATA_H

#include <jansson.h>

#include "recorder/report/report_internal.h"

/* Returns the data of the page of `simul show --html` (recorder/html/model.js reads it): columns of numbers, and tables of repeated texts. */
json_t *html_data(const struct report *p, const char *name);

#endif
