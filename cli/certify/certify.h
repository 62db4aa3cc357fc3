/* `simul certify`: a search whose finished part is written down. */
#ifndef SIMUL_CERTIFY_H
#define SIMUL_CERTIFY_H

#include "cli/run.h"
#include "enforce/certificate.h"

/* Can such a search be certified? false: one message was printed. */
bool certify_check(struct run_options *o);

/* After the search, however it ended: writes run->opt.certificate, and prints what it says. false: there is none; one message was printed. */
bool certify_write(struct run *run);

/* What the certificate covers, in one line for people, without a full stop. */
void certify_describe(const struct certificate *c, char *buf, size_t size);

/* The digest that stands for a standard input. malloc()ed. */
char *certify_input(const struct capture *c);

#endif
