/*
 * What the file of a program says about what simul can see of it: debugging information, functions without unwind
 * information. Apart from doctor.h because <elf.h> and sched/event.h both define EV_NONE.
 */
#ifndef SIMUL_DOCTOR_FACTS_H
#define SIMUL_DOCTOR_FACTS_H

#include <stdbool.h>
#include <stddef.h>

struct doctor_facts {
	bool debug_info; /* in the file, or in one of its own that the file names and that is installed */
	size_t bare;     /* functions with a symbol and without unwind information: the patcher does not see them */
	char **bare_name; /* [bare], malloc()ed, in the order of their addresses */
};

/* false: the file cannot be read any more. */
bool doctor_facts_read(const char *path, struct doctor_facts *out);
void doctor_facts_free(struct doctor_facts *f);

#endif
