/* Texts of labels (hooks/choose.h), put together without libc. */
#ifndef SIMUL_LABEL_TEXT_H
#define SIMUL_LABEL_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* Append to `text`, which has room for SESSION_LABEL_TEXT bytes and `used` characters, as far as there is room. Return the
   number of characters then. label_add: at most `most` characters of `more`. */
size_t label_add(char *text, size_t used, const char *more, size_t most);
size_t label_add_number(char *text, size_t used, uint64_t n);

#endif
