#ifndef SIMUL_HTML_H
#define SIMUL_HTML_H

#include <stddef.h>

#include "recorder/recording.h"

/* `simul show --html`: returns a self-contained page with the current sources; `name` is the recording's title.
   malloc()ed, *size bytes, UTF-8. */
char *report_html(const struct recording *r, const char *name, size_t *size);

#endif
