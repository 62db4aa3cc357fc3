/* Relaxes the constraints of a program while it runs under a certificate. */
#ifndef SIMUL_FOLLOW_H
#define SIMUL_FOLLOW_H

#include "cli/target/capture.h"
#include "cli/target/target.h"
#include "enforce/certificate.h"

struct follow {
	const char *path;            /* of the certificate */
	const struct certificate *c; /* the certificate under which the program starts */
	const struct target *target;
	const struct capture *input;
	int plan_fd;
	bool search; /* --search: also search for certificates with fewer constraints */
};

/*
 * Starts a process that is not a child of this one, which becomes the program, and that lives as long. It watches the certificate's file.
 * If the file is replaced by a certificate of the same execution with fewer constraints, the program has only these from then on. With
 * `search`, it also runs `simul certify` repeatedly, with more executions each time, and replaces the file. If it is killed, the program
 * keeps the constraints that it has. false: one message was printed.
 */
bool follow_start(const struct follow *f);

#endif
