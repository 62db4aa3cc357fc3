/*
 * The processes that simul is responsible for. As a child subreaper it inherits every orphan, so
 * killing and reaping its children until none is left leaves nothing behind, whatever the program
 * started and however it detached itself.
 */
#ifndef SIMUL_CHILD_PROCESSES_H
#define SIMUL_CHILD_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define CHILDREN_KEEP 256

/* Children that are none of ours: those of the shell that exec'ed simul, or of an outer session. */
struct child_processes {
	size_t n;
	pid_t keep[CHILDREN_KEEP];
};

/* Becomes a child subreaper. Once. */
void children_init(void);

/* Notes the present children as not to be touched. */
void children_begin(struct child_processes *b);

/* Kills and reaps every child that has come since, until none is left. */
void children_end(const struct child_processes *b);

/* Reaps the zombies among them, except those of `pids`. */
void children_reap_strays(const struct child_processes *b, const pid_t *except, size_t n);

/* Kills and reaps all but `except`, until none of those is left: orphans of a target that is gone. */
void children_end_strays(const struct child_processes *b, const pid_t *except, size_t n);

/* Is pid a living descendant of `ancestor` (or it itself)? Any pid may be asked for. */
bool children_is_descendant(pid_t pid, pid_t ancestor);

/* Parent and CPU time (ns) of a process; false when there is no such process. */
bool process_stat(pid_t pid, pid_t *parent, unsigned long long *cpu_ns, char *state);

#endif
