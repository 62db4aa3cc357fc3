/*
 * Facts from a program's file about what simul can see of it: debugging information, and functions without unwind information. Separate
 * from doctor.h because <elf.h> and sched/event.h both define EV_NONE.
 */
#ifndef SIMUL_DOCTOR_FACTS_H
#define SIMUL_DOCTOR_FACTS_H

#include <stdbool.h>
#include <stddef.h>

struct doctor_facts {
	bool debug_info; /* in the file, or in an installed separate file that it names */
	size_t bare;     /* functions with a symbol but without unwind information, which the patcher cannot see */
	char **bare_name; /* [bare], malloc()ed, in the order of their addresses */
};

/* false: the file can no longer be read. */
bool doctor_facts_read(const char *path, struct doctor_facts *out);
void doctor_facts_free(struct doctor_facts *f);

#endif
