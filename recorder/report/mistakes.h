/*
 * Mistakes with a name of their own. Each is in one file: `find` looks for it in the schedule and fills *d, all but
 * `kind`; `put` prints the claim as sentences, without its experiments and without an end of line. What `find` returns
 * is a fact about the steps; that they are the cause is an inference, which questions.c puts to the test.
 */
#ifndef SIMUL_MISTAKES_H
#define SIMUL_MISTAKES_H

#include "recorder/report/diagnosis.h"

/* DIAGNOSIS_ABA (mistake_aba.c) */
bool aba_find(const struct report *p, struct diagnosis *d);
void aba_put(const struct report *p, const struct diagnosis *d);

/* DIAGNOSIS_CONTAINER (mistake_container.c) */
bool container_find(const struct report *p, struct diagnosis *d);
void container_put(const struct report *p, const struct diagnosis *d);
/* DIAGNOSIS_LOOP (mistake_loop.c) */
bool loop_find(const struct report *p, struct diagnosis *d);
void loop_put(const struct report *p, const struct diagnosis *d);
/* DIAGNOSIS_ENDED (mistake_ended.c) */
bool ended_find(const struct report *p, struct diagnosis *d);
void ended_put(const struct report *p, const struct diagnosis *d);
/* DIAGNOSIS_EARLY (mistake_early.c) */
bool early_find(const struct report *p, struct diagnosis *d);
void early_put(const struct report *p, const struct diagnosis *d);

#endif
