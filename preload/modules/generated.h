/* Code that the program generates or changes: memory that it makes executable. Its accesses are not seen. */
#ifndef SIMUL_GENERATED_H
#define SIMUL_GENERATED_H

/* Call it when the program has mapped or protected memory in this way (PROT_*). Legal at any time. */
void generated_protected(int protection);
/* Called at the checkpoint. */
void generated_begin(void);

#endif
