/* What the two halves of the reader share: format_read_head.c (program, options, failure) and format_read.c (the rest). */
#ifndef SIMUL_FORMAT_READ_H
#define SIMUL_FORMAT_READ_H

#include "recorder/format.h"

/* A recording being read. What refers to later lines is kept here until the end. */
struct reader {
	struct scan s;
	struct recording *r;
	unsigned version;
	size_t n_args, n_env, n_hidden, n_patterns;
	size_t n_stacks;
	struct rec_stack *stacks;
	size_t failure_stack;    /* numbers of stacks, 0 = none */
	size_t *step_stack, *thread_stack;
	object_id typed;         /* whose type was read last */
	char *failure_thread;    /* paths */
	char **waits_for;
	size_t copied;           /* frames copied into steps so far */
	bool has_output;
	char *output;
	size_t output_size;
};

/* One kind of line: `read` gets the cursor behind the key. */
struct line {
	const char *key;
	bool (*read)(struct reader *rd);
};

/* A reference to a stack ("s3"), 0 for `-`. */
bool format_read_stack_ref(struct scan *s, size_t *out);
/* A thread's path; what *out held is freed. */
bool format_read_path(struct scan *s, char **out);

/* The lines of [program], [options] and [failure]; ended by a NULL key. */
extern const struct line format_program_lines[], format_option_lines[], format_failure_lines[];

#endif
