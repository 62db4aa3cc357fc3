/* Memory errors (BUG_MEMORY) in words. */
#ifndef SIMUL_MEMORY_ERROR_H
#define SIMUL_MEMORY_ERROR_H

#include "recorder/recording.h"

/* The name of the error in recordings and JSON: "use-after-free"; "none" for MEMORY_NONE. */
const char *memory_error_name(unsigned error);
/* The inverse; -1 for an unknown name. */
int memory_error_parse(const char *text);
/* The text in reports: "use after free". */
const char *memory_error_text(unsigned error);

/* Describes the failure of r in one line (malloc()ed): "use after free: T0.2 reads 4 bytes 8 bytes into a block
   of 24 bytes that T0.1 allocated at a.c:10 and freed at a.c:20". NULL if it is not a memory error. */
char *memory_error_sentence(const struct recording *r);

#endif
