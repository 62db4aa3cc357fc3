/*
 * Takes page faults ahead of time. After a fork, copying each page at its first write is the largest cost of an execution. A child that
 * stands by takes these faults while another execution runs.
 */
#ifndef SIMUL_PREFAULT_H
#define SIMUL_PREFAULT_H

/* Call it in the zygote, before the first fork. */
void prefault_init(void);
/* Call it in a child, at the end of its execution. Records the pages that the execution used. Only the first call of a session does
   anything. */
void prefault_record(void);
/* Call it in a child that stands by. Brings the recorded pages into memory. */
void prefault_up(void);

#endif
