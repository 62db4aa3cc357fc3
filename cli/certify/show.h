#ifndef SIMUL_SHOW_CERTIFICATE_H
#define SIMUL_SHOW_CERTIFICATE_H

/* Prints a certificate for people. Returns an exit status. */
int show_certificate(const char *path);

#endif
