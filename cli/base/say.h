/* Messages to the user: one line on standard error, prefixed with the command's name. */
#ifndef SIMUL_SAY_H
#define SIMUL_SAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Prints "simul: <text>" and a newline, after erasing a live progress line if there is one. The text is made printable. */
void say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* printf into a buffer. The result is always terminated, and truncated if it does not fit. */
void text_set(char *buf, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Copies the reason of a failure into a buffer in the same way. Returns false, for `return text_fail(...)`. */
bool text_fail(char *buf, size_t size, const char *why);

/* Appends to the text in buf. */
void text_add(char *buf, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Whether a live progress line is on the terminal now. progress.c sets it, say() erases the line. */
extern bool say_line_open;

#endif
