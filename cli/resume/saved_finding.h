/* A bug as bytes, as saved searches keep it: struct saved_finding, then the recording as text. */
#ifndef SIMUL_SAVED_FINDING_H
#define SIMUL_SAVED_FINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/bugs/findings.h"

struct saved_finding {
	uint64_t signature, execution, warm_up_before, count;
	uint32_t tries, same, bound, pad_;
	char other[256];
};

/* Fills in *out; returns the text of the recording, malloc()ed. NULL: the recording is damaged. */
char *saved_finding_make(const struct finding *f, struct saved_finding *out, size_t *size);
/* Adds the bug of these bytes to the findings (findings_restore). `name`: of the file, for messages. false: they are damaged. */
bool saved_finding_load(struct findings *findings, const char *data, size_t size, const char *name);

#endif
