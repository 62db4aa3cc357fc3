/* Program output reduced to one line. */
#ifndef SIMUL_STRESS_LAST_LINE_H
#define SIMUL_STRESS_LAST_LINE_H

/* Returns the last non-empty line, without the prefix "simul: " and control characters; "" for NULL. malloc()ed. */
char *last_line(const char *text);
/* Returns the first line with "error:", as compilers print it, in the same form; without one, the last line.
   malloc()ed. */
char *error_line(const char *text);

#endif
