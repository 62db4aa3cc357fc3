/*
 * Child processes. As a child subreaper, simul inherits every orphan. So killing and reaping its children until none is left ends every
 * process that the program started, even detached ones.
 */
#ifndef SIMUL_CHILD_PROCESSES_H
#define SIMUL_CHILD_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define CHILDREN_KEEP 256

/* Children that are not ours: those of the shell that exec'ed simul, or of an outer session. */
struct child_processes {
	size_t n;
	pid_t keep[CHILDREN_KEEP];
};

/* Makes simul a child subreaper. Call it once. */
void children_init(void);

/* Records the current children, which must be left alone. */
void children_begin(struct child_processes *b);

/* Kills and reaps every child created since then, until none is left. */
void children_end(const struct child_processes *b);

/* Reaps zombies among the children created since then, except the n pids of `except`. */
void children_reap_strays(const struct child_processes *b, const pid_t *except, size_t n);

/* Kills and reaps all those children except the n pids of `except`, until none is left: the orphans of an ended target. */
void children_end_strays(const struct child_processes *b, const pid_t *except, size_t n);

/* Returns whether pid is `ancestor` or a living descendant of it. pid may be any number. */
bool children_is_descendant(pid_t pid, pid_t ancestor);

/* Reads parent, CPU time (ns) and state of a process; false if there is no such process. */
bool process_stat(pid_t pid, pid_t *parent, unsigned long long *cpu_ns, char *state);

#endif
