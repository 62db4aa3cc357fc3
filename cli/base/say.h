/* What simul says to the user: one line, on standard error, with the command's name in front. */
#ifndef SIMUL_SAY_H
#define SIMUL_SAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* "simul: <text>" and a newline, after wiping a live progress line if there is one. */
void say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* printf into a buffer that always ends up terminated; what does not fit is cut. */
void text_set(char *buf, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Appends to the text in buf. */
void text_add(char *buf, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Puts '?' for each byte of a character of `s` that a terminal may obey or that turns text around (control characters, those for the direction of
   text, U+2028, U+2029, what is no UTF-8), in place. For text of the program that is shown in one line. */
void make_printable(char *s);
/* The same, but for newlines and tabs. */
void make_printable_lines(char *s);

/* Whether a live progress line stands on the terminal now; progress.c sets it, say() wipes it. */
extern bool say_line_open;

#endif
