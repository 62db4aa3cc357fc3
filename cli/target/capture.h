/*
 * The standard streams of the target. Its standard output and error go to two files in memory. Its standard input is a regular file, a copy
 * of the data from a pipe, or empty.
 */
#ifndef SIMUL_CAPTURE_H
#define SIMUL_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct capture {
	int out_fd, err_fd; /* O_APPEND memory files shared with the target */
	int in_fd;          /* -1: /dev/null */
	int64_t in_offset;  /* offset at which the target starts to read */
	bool in_is_file;    /* a regular file of the user's, whose name is in_path */
	char *in_path;      /* NULL when it is no regular file with a name */
	uint64_t keep;      /* bytes of each output that are kept at least, see capture_bound */
};

/* Bytes of each output that are kept by default. */
#define CAPTURE_KEEP (UINT64_C(32) << 20)

/* Takes over simul's own standard input; reads a pipe to its end. false: one message was printed. */
bool capture_open(struct capture *c);
/* Like capture_open, with standard input from the file (NULL: empty). */
bool capture_open_file(struct capture *c, const char *stdin_file);
/* Creates new empty output files, with the same standard input as `other`. false: one message was printed. */
bool capture_open_like(struct capture *c, const struct capture *other);
void capture_close(struct capture *c);

/* Call it in the forked child: installs descriptors 0, 1 and 2. Returns false with errno. */
bool capture_install(const struct capture *c);

/* Frees the memory of output before the last `keep` bytes of each file. May be called repeatedly while the target writes. Returns whether
   anything was freed. */
bool capture_bound(const struct capture *c);

/* Empties both output files. */
void capture_reset(struct capture *c);

/* Returns the last `max` bytes of both as a new string, standard output first; NULL if there was no output. NUL bytes become '?'. */
char *capture_tail(const struct capture *c, size_t max);

/* Copies the kept part of both outputs to simul's own standard output and standard error. If that is a terminal, the text is made
   printable. */
void capture_show(const struct capture *c);

/* Reads the standard input from where the target starts to read. Returns a hash of it, and its size. */
uint64_t capture_input_hash(const struct capture *c, uint64_t *bytes);

/* Returns whether standard input was a pipe, so that only the copy remains. */
bool capture_stdin_is_pipe(const struct capture *c);
/* Writes that copy to a file. false: one message was printed. */
bool capture_save_stdin(const struct capture *c, const char *path);

#endif
