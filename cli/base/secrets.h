/* Recognises environment variables that hold secrets. Their values must not get into a recording, since people attach recordings to bug
   reports. */
#ifndef SIMUL_SECRETS_H
#define SIMUL_SECRETS_H

#include <stdbool.h>

/* Returns whether "NAME=value" looks like a password, a key, a token, or a URL with a password, by its name or the form of its value. */
bool secret_looks(const char *entry);

#endif
