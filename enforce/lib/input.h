/* The input that the program asks for by name. */
#ifndef SIMUL_ENFORCE_INPUT_H
#define SIMUL_ENFORCE_INPUT_H

/* Call it before the program's own code runs, when the environment is that of the program. Remembers the variables. */
void input_init(void);

#endif
