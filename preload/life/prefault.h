/*
 * The pages that an execution uses, made ready in the child that stands by: copying a page at its first write
 * costs more than anything else an execution does, and there it happens while another execution runs.
 */
#ifndef SIMUL_PREFAULT_H
#define SIMUL_PREFAULT_H

void prefault_init(void);  /* in the zygote, before the first fork */
void prefault_learn(void); /* in a child, at the end of its execution: which pages were used. Once a session */
void prefault_up(void);    /* in a child that stands by */

#endif
