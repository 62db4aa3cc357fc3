/*
 * The processes that simul is responsible for. As a child subreaper it inherits every orphan, so
 * killing and reaping its children until none is left leaves nothing behind, whatever the program
 * started and however it detached itself.
 */
#ifndef SIMUL_BROOD_H
#define SIMUL_BROOD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define BROOD_KEEP 256

/* Children that are none of ours: those of the shell that exec'ed simul, or of an outer session. */
struct brood {
	size_t n;
	pid_t keep[BROOD_KEEP];
};

/* Becomes a child subreaper. Once. */
void brood_init(void);

/* Notes the present children as not to be touched. */
void brood_begin(struct brood *b);

/* Kills and reaps every child that has come since, until none is left. */
void brood_end(const struct brood *b);

/* Reaps the zombies among them, except those of `pids`. */
void brood_reap_strays(const struct brood *b, const pid_t *except, size_t n);

/* Kills and reaps all but `except`, until none of those is left: orphans of a target that is gone. */
void brood_end_strays(const struct brood *b, const pid_t *except, size_t n);

/* Is pid a living descendant of `ancestor` (or it itself)? Any pid may be asked for. */
bool brood_is_descendant(pid_t pid, pid_t ancestor);

/* Parent and CPU time (ns) of a process; false when there is no such process. */
bool process_stat(pid_t pid, pid_t *parent, unsigned long long *cpu_ns, char *state);

#endif
