/*
 * Page faults ahead of time. After a fork, copying a page at its first write is the largest cost of an execution. A child that stands by
 * takes these faults while another execution runs.
 */
#ifndef SIMUL_PREFAULT_H
#define SIMUL_PREFAULT_H

/* In the zygote, before the first fork. */
void prefault_init(void);
/* In a child, at the end of its execution: records the pages that it used. Only the first call of a session does anything. */
void prefault_record(void);
/* In a child that stands by: brings the recorded pages into memory. */
void prefault_up(void);

#endif
