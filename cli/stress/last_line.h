/* Program output as text for one line. */
#ifndef SIMUL_STRESS_LAST_LINE_H
#define SIMUL_STRESS_LAST_LINE_H

/* The last line with something in it, without "simul: " in front and without control characters; "" for NULL. malloc()ed. */
char *last_line(const char *text);

#endif
