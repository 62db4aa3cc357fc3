/*
 * The pages that an execution uses, made ready in the child that stands by: copying a page at its first write
 * costs more than anything else an execution does, and there it happens while another execution runs.
 */
#ifndef SIMUL_WARM_H
#define SIMUL_WARM_H

void warm_init(void);  /* in the zygote, before the first fork */
void warm_learn(void); /* in a child, at the end of its execution: which pages were used. Once a session */
void warm_up(void);    /* in a child that stands by */

#endif
