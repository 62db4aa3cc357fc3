/*
 * Descriptors above 2 that the program inherits, from a shell or from make. Its own files get other numbers if there
 * are more or fewer of them, and where it looks at numbers the schedule of a recording does not fit any more.
 */
#ifndef SIMUL_INHERITED_H
#define SIMUL_INHERITED_H

#include <stdbool.h>

/* Returns the numbers of the descriptors that a process started now would inherit, in rising order: "3 10". "": there
   are none. Numbers that simul needs are left out. malloc()ed. */
char *inherited_list(void);

/* For a process that is about to execute the program: opens /dev/null where a descriptor of `list` is missing, and
   closes those that are not in it. Returns false with errno set. */
bool inherited_make(const char *list);

#endif
