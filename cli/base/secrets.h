/* Which environment variables hold secrets: their values never get into a recording, which people attach to bug reports. */
#ifndef SIMUL_SECRETS_H
#define SIMUL_SECRETS_H

#include <stdbool.h>

/* Whether "NAME=value" looks like a password, a key, a token, or a URL with a password in it: by its name, or by the form of its value. */
bool secret_looks(const char *entry);

#endif
