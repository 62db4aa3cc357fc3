/*
 * The program under test: finding it, checking it, and starting it.
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
	char **spare;   /* more variables, used as far as `size` has room; NULL: none; not owned */
	struct environment_size size; /* required size of its whole environment */
	uint64_t stack_limit; /* its RLIMIT_STACK; 0: ours */
	char *inherited; /* the descriptors that it inherits, see inherited.h */
	char *cwd;      /* where it runs; NULL: where we are */
	char *library;  /* libsimul.so */
	char *first;    /* library preloaded before it, or NULL */
	unsigned standins; /* libraries preloaded in addition, see sanitizer.h */
	bool sanitized; /* a sanitizer's runtime is linked in: patching it would explore that runtime too */
	bool script;    /* starts with #!: runs as it is, the interpreter execs or is the real test */
	char *build_id; /* identity of the file, see elf_build_id; "" for a script */
};

/*
 * Finds `argv[0]` as execvp does (in PATH if it has no slash) and checks that simul can control it. false: `why` gives the problem and the
 * remedy, in one sentence without the "simul:".
 */
bool target_open(struct target *t, char **argv, char **env, char *why, size_t size);
/* Like target_open, for a program that is to run without libsimul.so. Its libraries are not looked at: if one is missing, the dynamic linker says so
   when the program starts. */
bool target_open_plain(struct target *t, char **argv, char **env, char *why, size_t size);
/* Like target_open, for a recorded program whose absolute path is known. */
bool target_open_path(struct target *t, const char *path, char **argv, char **env, char *why,
	size_t size);
void target_close(struct target *t);
/* Finds libsimul.so only: t->library, malloc()ed. false: `why` says where it should be, or that it is of another
   version. */
bool target_library(struct target *t, char *why, size_t size);

/* Returns the size of the environment that target_spawn gives the program. */
struct environment_size target_environment(const struct target *t);

/*
 * Starts the program in its own process group, with its memory at fixed addresses (place.h), libsimul.so preloaded and the segment as
 * SIMUL_SESSION. It dies with simul. ctl.requests.main_pid is set before its first instruction. Returns the pid, or -1 with `why` filled.
 */
pid_t target_spawn(const struct target *t, const struct segment *seg, const struct capture *c, char *why, size_t size);

/* Handles a stop of the main process, a child of ours: at an exec announced by ctl.handshake.exec_stops, or at a signal while it is traced for that.
   Continues the process. `status` is from waitpid. */
void target_stopped(const struct segment *seg, pid_t pid, int status);

/* Executes the program in the calling process, in the same way but keeping its process group and parent: for a process created by a
   debugger. ctl.requests.main_pid must be set. Returns only on failure, after printing a message. */
void target_become(const struct target *t, const struct segment *seg, const struct capture *c);

#endif
