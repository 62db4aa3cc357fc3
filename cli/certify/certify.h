/* `simul certify`: a search that writes down which part of it is finished. */
#ifndef SIMUL_CERTIFY_H
#define SIMUL_CERTIFY_H

#include <stdbool.h>
#include <stdio.h>

#include "enforce/certificate.h"

struct run_options;
struct verdict;

/* Checks that a search with these options can be certified. false: one message was printed. */
bool certify_check(struct run_options *o);

/* Call it when the verdict is decided, however the search ended. Writes the file of certify -o and prints a summary on `out`. Returns false if none was
   written; then one message was printed. */
bool certify_write(const struct verdict *v, FILE *out);

/* Writes what the certificate covers: one line without a full stop. */
void certify_describe(const struct certificate *c, char *buf, size_t size);

#endif
