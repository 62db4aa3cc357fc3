/* The part of a certificate that says which program it is for, and what was searched. */
#ifndef SIMUL_CERTIFY_PROGRAM_H
#define SIMUL_CERTIFY_PROGRAM_H

#include "cli/target/capture.h"
#include "enforce/certificate.h"
#include "explore/explore.h"

struct search;

/* Describes the program, its input and the search after it has ended. */
void certify_program(const struct search *search, const struct explore_stats *stats, struct certificate *c);

/* Returns the digest of a standard input, malloc()ed. */
char *certify_input(const struct capture *c);

#endif
