/* The part of a certificate that says which program it is for, and what was searched. */
#ifndef SIMUL_CERTIFY_PROGRAM_H
#define SIMUL_CERTIFY_PROGRAM_H

#include "cli/run.h"
#include "enforce/certificate.h"

/* Describes the program, its input and the search after it has ended. */
void certify_program(const struct run *run, struct certificate *c);

/* Returns the digest of a standard input, malloc()ed. */
char *certify_input(const struct capture *c);

#endif
