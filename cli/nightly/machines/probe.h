/*
 * The probe of a machine that joins: it repeats executions of the machines that explore the search, each in a fresh process. A program that does something
 * else here (other files, another kernel, another number of processors) would have another tree, and the counts of the whole search would be wrong.
 */
#ifndef SIMUL_MACHINES_PROBE_H
#define SIMUL_MACHINES_PROBE_H

#include <stdbool.h>
#include <stddef.h>

struct machines;

/* Stores the execution that the worker has just ended, unless it failed or enough are stored. The worker stands between two executions. false: the
   database failed. */
bool probe_store(struct machines *m);

/* Repeats the stored executions. false: one of them differs here, or they could not be read; one message was printed. */
bool probe_pass(struct machines *m);

#endif
