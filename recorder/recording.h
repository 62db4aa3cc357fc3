/*
 * A recording: one failing schedule, everything needed to run it again and to read it.
 *
 * The `.simul` file is text (docs/format.md is its specification, recorder/format.c writes and reads
 * it). In memory it is this structure; every string is owned by it and freed by recording_free.
 */
#ifndef SIMUL_RECORDING_H
#define SIMUL_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/session.h"
#include "sched/event.h"

#define RECORDING_VERSION 1

struct rec_frame {
	char *function; /* demangled; NULL when unknown */
	char *file;     /* NULL when unknown */
	int line;       /* 0 when unknown */
	char *module;   /* base name of the object file */
	uint64_t offset; /* of the return address in it */
};

struct rec_stack {
	size_t n;
	struct rec_frame *frame; /* innermost first */
};

/* One step of the schedule = one event. */
struct rec_step {
	thread_id thread; /* index into recording.threads */
	uint8_t alt, kind, flags;
	object_id obj[2]; /* ids: index + 1 into recording.objects */
	int32_t result;
	struct rec_stack stack; /* where the program did it, our own frames left out; may be empty */
};

struct rec_object {
	uint8_t kind;    /* enum object_kind */
	uint32_t number; /* "mutex#3" */
	char *name;      /* "queue.lock", "pool[2].m", "created at pool.c:41"; NULL when unknown */
};

struct rec_thread {
	char *path;      /* "T0.1" */
	char *start;     /* start routine's name, or NULL */
	uint8_t pending_kind; /* what it was about to do when the execution ended; EV_NONE: it had ended */
	object_id pending_obj[2];
	thread_id waits_for; /* NO_THREAD, or who holds what it waits for */
	struct rec_stack stack; /* where it was at the end */
};

struct recording {
	uint32_t version;
	/* what was run */
	char *program;   /* path as started, absolute */
	char *build_id;  /* hex, or "" */
	char **argv;     /* NULL-terminated, argv[0] included */
	char **env;      /* NULL-terminated "NAME=value": the environment that matters */
	char *cwd;
	char *stdin_file; /* NULL: /dev/null or terminal */
	/* options that change what a schedule means */
	uint32_t threads_backend; /* enum session_threads */
	uint32_t spurious, max_steps;
	uint64_t start_time, seed;
	struct session_pool pool;
	char *model;     /* "sc" */
	char *strategy;  /* which found it */
	uint64_t execution; /* which execution of the search it was, from 1 */
	/* the schedule */
	size_t n_threads;
	struct rec_thread *threads;
	size_t n_objects;
	struct rec_object *objects;
	size_t n_steps;
	struct rec_step *steps;
	/* the failure */
	uint32_t bug_kind; /* enum bug_kind */
	thread_id bug_thread;
	int signal, status;
	uint64_t signature;
	char *message;   /* one line */
	char *where;     /* "pool.c:88", or NULL */
	struct rec_stack stack;
	char *output;    /* what the failing execution wrote to stdout and stderr (tail), or NULL */
	unsigned preemptions;
	unsigned confirmed, confirm_tries; /* n of m replays gave the same failure */
};

struct recording *recording_new(void);
void recording_free(struct recording *r);

/* Writes to a temporary name in the same directory and renames when complete and synced.
   0, or -errno; *why (if not NULL) points to a static or thread-local text. */
int recording_write(const struct recording *r, const char *path, const char **why);

enum recording_error {
	RECORDING_OK = 0,
	RECORDING_MISSING,   /* no such file, unreadable */
	RECORDING_NOT_ONE,   /* not a recording at all */
	RECORDING_INCOMPLETE, /* truncated: written only in part */
	RECORDING_TOO_NEW,   /* a later version of the format */
	RECORDING_CORRECT_BUT_FOREIGN, /* (callers) other build-id */
	RECORDING_CORRUPT,   /* checksum or syntax */
};
/* Reads and checks. On failure returns NULL, *err says which kind, and message (size bytes) is filled with one
   sentence for the user that names the file, the line and what to do. */
struct recording *recording_read(const char *path, enum recording_error *err, char *message, size_t size);

const char *bug_kind_text(unsigned kind); /* "deadlock", "assert", ... as in --json */
int bug_kind_parse(const char *text);

/* Counts preemptions: switches away from a thread that could have gone on and has further events. */
unsigned recording_preemptions(const struct recording *r);

#endif
