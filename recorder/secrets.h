/* Recognises passwords, keys and tokens in environment variables and in arguments. They must not get into a recording, a saved state or a
   result, since people attach these to bug reports. */
#ifndef SIMUL_SECRETS_H
#define SIMUL_SECRETS_H

#include <stdbool.h>
#include <stddef.h>

/* Returns whether "NAME=value" looks like a secret, by its name or by the form of its value: see secret_find. */
bool secret_looks(const char *entry);

/*
 * Returns the first secret in the text, which has *length bytes, or NULL:
 * the value of a key such as password, token or api_key ("password=x", "Pwd=x;", "?token=x", "{\"password\": \"x\"}", "Authorization: x");
 * "Bearer x"; "user:x@host", with or without a scheme; "scheme://x@host"; a token or private key in a documented form.
 * Text that consists of asterisks is no secret.
 */
const char *secret_find(const char *text, size_t *length);

/* Returns a malloc()ed copy in which each byte of a secret is an asterisk. */
char *secret_masked(const char *text);

/* Returns copies of the arguments of a program, masked as above, and likewise the argument after an option such as "--password". The list is
   NULL-terminated and malloc()ed, and so are its elements. argv[0] is left as it is. */
char **secret_masked_arguments(char *const *argv);

void secret_free_list(char **list);

/* Returns copies of "NAME=value" entries. The value is masked if secret_looks(entry). */
char **secret_masked_variables(char *const *env);

/* Returns whether the arguments are the same after masking. Either list may be masked already. argv[0] is not compared. On a difference
   *index (if not NULL) is the index of the first one that differs. */
bool secret_same_arguments(char *const *a, char *const *b, size_t *index);

#endif
