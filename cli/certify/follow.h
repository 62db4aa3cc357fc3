/* Fewer constraints for a program that runs under a certificate. */
#ifndef SIMUL_FOLLOW_H
#define SIMUL_FOLLOW_H

#include "cli/target/capture.h"
#include "cli/target/target.h"
#include "enforce/certificate.h"

struct follow {
	const char *path;            /* of the certificate */
	const struct certificate *c; /* as the program has it */
	const struct target *target;
	const struct capture *input;
	int plan_fd;
	bool search; /* makes shorter certificates as well: --search */
};

/*
 * Starts a process that is no child of this one and lives as long as this one, which becomes the program. It looks at the certificate's file: when
 * that is replaced by one of the same execution with fewer constraints, the program has only these from then on. With `search` it also runs `simul
 * certify` again and again, with more executions each time, and replaces the file. Killing it leaves the program with the constraints that it
 * has. false: one message was printed.
 */
bool follow_start(const struct follow *f);

#endif
