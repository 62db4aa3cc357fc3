/*
 * What the target reads and writes: its standard output and error go to two files in memory, its
 * standard input is a regular file, a copy of what a pipe had to offer, or nothing.
 */
#ifndef SIMUL_CAPTURE_H
#define SIMUL_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct capture {
	int out_fd, err_fd; /* O_APPEND memory files shared with the target */
	int in_fd;          /* -1: /dev/null */
	int64_t in_offset;  /* where the target starts to read */
	bool in_is_file;    /* a regular file of the user's, whose name is in_path */
	char *in_path;      /* NULL when it is no regular file with a name */
};

/* Captures what our own standard input offers. Waits for the end of a pipe. false: one message was printed. */
bool capture_open(struct capture *c);
/* As above, with standard input from the file (NULL: nothing). */
bool capture_open_file(struct capture *c, const char *stdin_file);
/* New empty output files, with the same standard input as `other` (which stays the owner of it). */
bool capture_open_like(struct capture *c, const struct capture *other);
void capture_close(struct capture *c);

/* In the forked child: descriptors 0, 1 and 2. False with errno. */
bool capture_install(const struct capture *c);

/* Empties both output files. */
void capture_reset(struct capture *c);

/* The last `max` bytes of both, standard output first, as a new string; NULL when there was none.
   NUL bytes become '?'. */
char *capture_tail(const struct capture *c, size_t max);

/* Copies all of both to our own standard output and standard error. */
void capture_show(const struct capture *c);

/* Was standard input a pipe, so that only our copy of it is left? */
bool capture_stdin_is_pipe(const struct capture *c);
/* Writes that copy to a file. false: one message was printed. */
bool capture_save_stdin(const struct capture *c, const char *path);

#endif
