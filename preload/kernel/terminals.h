/*
 * Settings of terminals (tcsetattr) that were open before the first thread. A terminal that was open before the program
 * started is left alone.
 */
#ifndef SIMUL_TERMINALS_H
#define SIMUL_TERMINALS_H

/* Saves the settings of fd at the checkpoint, if it is a terminal. */
void terminals_remember(int fd);
/* Call it before each execution. Puts the settings back that differ. */
void terminals_restore(void);

#endif
