/* Declarations shared by the two parts of the reader: format_read_head.c (program, options, failure) and format_read.c (the rest). */
#ifndef SIMUL_FORMAT_READ_H
#define SIMUL_FORMAT_READ_H

#include "recorder/format/format.h"

/* A recording while it is read. References to later lines are stored here until all lines are read. */
struct reader {
	struct scan s;
	struct recording *r;
	unsigned version;
	size_t n_args, n_env, n_hidden, n_patterns;
	size_t n_stacks;
	struct rec_stack *stacks;
	size_t failure_stack, block_stack[2]; /* numbers of stacks, 0 = none */
	size_t *step_stack, *thread_stack;
	object_id typed;         /* the object of the last `type` line */
	char *failure_thread, *block_owner[2]; /* paths */
	char **waits_for;
	size_t copied;           /* frames copied into steps so far */
	bool has_output;
	char *output;
	size_t output_size;
};

/* One kind of line. `read` starts with the cursor after the key. */
struct line {
	const char *key;
	bool (*read)(struct reader *rd);
};

/* Reads a reference to a stack ("s3"); `-` gives 0. */
bool format_read_stack_ref(struct scan *s, size_t *out);
/* Reads a thread's path, and frees the previous *out. */
bool format_read_path(struct scan *s, char **out);

/* The lines of [program], [options] and [failure]; ended by a NULL key. */
extern const struct line format_program_lines[], format_option_lines[], format_failure_lines[];

#endif
