/*
 * The program under test as something to start: found, checked, described, spawned.
 */
#ifndef SIMUL_TARGET_H
#define SIMUL_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "cli/target/capture.h"
#include "cli/target/environment.h"
#include "cli/segment/segment.h"

struct target {
	char *path;     /* absolute, what is passed to execve */
	char **argv;    /* NULL-terminated, argv[0] as the user wrote it; not owned */
	char **env;     /* NULL-terminated environment of the program without simul's additions; not owned */
	char **spare;   /* more variables, as far as `size` leaves room; NULL: none; not owned */
	struct environment_size size; /* that its whole environment must have */
	uint64_t stack_limit; /* RLIMIT_STACK that it gets, 0: ours */
	char *cwd;      /* where it runs; NULL: where we are */
	char *library;  /* libsimul.so */
	unsigned standins; /* what is preloaded beside it, see sanitizer.h */
	bool sanitized; /* a sanitizer's runtime is linked in: patching it would explore that runtime too */
	bool script;    /* starts with #!: runs as it is, the interpreter execs or is the real test */
	char *build_id; /* identity of the file, see elf_build_id; "" for a script */
};

/*
 * Finds `argv[0]` as execvp does (in PATH when it has no slash) and checks that simul can control
 * it. false: `why` says what is wrong and what to do, in one sentence without the "simul:".
 */
bool target_open(struct target *t, char **argv, char **env, char *why, size_t size);
/* The same for a recorded program whose absolute path is known. */
bool target_open_path(struct target *t, const char *path, char **argv, char **env, char *why,
	size_t size);
void target_close(struct target *t);
/* Finds libsimul.so only: t->library, malloc()ed. false: `why` says where it should be. */
bool target_library(struct target *t, char *why, size_t size);

/* The size of the environment that target_spawn gives it. */
struct environment_size target_environment(const struct target *t);

/*
 * Starts the program: own process group, dies with us, its memory at fixed addresses (place.h), libsimul.so in front, the segment as
 * SIMUL_SESSION. ctl.main_pid is set before its first instruction runs.
 * Returns the pid, or -1 with `why` filled.
 */
pid_t target_spawn(const struct target *t, const struct segment *seg, const struct capture *c, char *why, size_t size);

/* Has the main process, a child of ours, stopped at an exec, as ctl.exec_stops announced, or at a signal since it is traced for that? It goes
   on. `status` is of waitpid. */
void target_stopped(const struct segment *seg, pid_t pid, int status);

/* The calling process becomes the program, in the same way but with its own process group and parent: for a process that a debugger
   has made. ctl.main_pid must be set. Returns only when that fails, and has printed a message. */
void target_become(const struct target *t, const struct segment *seg, const struct capture *c);

#endif
