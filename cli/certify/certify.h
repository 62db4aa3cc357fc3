/* `simul certify`: a search that writes down which part of it is finished. */
#ifndef SIMUL_CERTIFY_H
#define SIMUL_CERTIFY_H

#include "cli/run.h"
#include "enforce/certificate.h"

/* Checks that a search with these options can be certified. false: one message was printed. */
bool certify_check(struct run_options *o);

/* Call it after the search, however it ended. Writes the file run->search.opt.certificate and prints a summary. Returns false if none was
   written; then one message was printed. */
bool certify_write(struct run *run);

/* Writes what the certificate covers: one line without a full stop. */
void certify_describe(const struct certificate *c, char *buf, size_t size);

#endif
