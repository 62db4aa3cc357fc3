/*
 * Races of the execution that just ended, and how they are reversed.
 *
 * JACM 2017: races e <_E e' (definition 3.3), the reversing sequence v = notdep(e, E).e' (Algorithm 2, lines 4 to 7). explore/README.md
 * explains blocking operations, alternatives and the end of the execution, and why nothing is lost.
 */
#ifndef SIMUL_RACE_H
#define SIMUL_RACE_H

#include "explore/search.h"

/* Finds the reversible races among nodes [0, s->trace.analysed), of operations still pending in `trace`, and among the alternatives of each
   node, and plans (dpor_insert) the sequences that reverse them. */
void races_analyse(struct search *s, const struct trace *trace);

#endif
