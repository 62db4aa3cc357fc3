/*
 * Settings of terminals (tcsetattr) and sockets (setsockopt) that were open before the first thread. Executions share
 * these files. What was open before the program started is left alone. fd_restore makes socket pairs again.
 */
#ifndef SIMUL_OLDER_SETTINGS_H
#define SIMUL_OLDER_SETTINGS_H

/* Saves the settings of fd at the checkpoint, if it is a terminal or a socket. */
void older_settings_remember(int fd);
/* Call it before each execution. Puts the settings back that differ. */
void older_settings_restore(void);

#endif
