/* Starts, monitors and ends a process: a test without simul, or simul. */
#ifndef SIMUL_STRESS_PROCESS_H
#define SIMUL_STRESS_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct process_plan {
	char *const *argv;   /* argv[0] is found as execvp does */
	char *const *env;    /* "NAME=value" to add to our environment; NULL: none */
	const char *cwd;     /* NULL: ours */
	uint64_t limit_ns;   /* time until it is stopped; 0: none */
	unsigned processors; /* number of processors that it may use, at least 1 */
	bool is_simul;       /* SIGTERM stops it soon */
	bool whole;          /* keep all of its standard output, separate from standard error, since it is a result. Always for simul */
	bool searched;       /* keep all of its output, since a pattern may match anywhere in it */
	bool own_status;     /* reports of ThreadSanitizer leave the exit status as the program sets it */
	bool leaves;         /* its background processes keep running: a server set up for tests */
	int patience;        /* process_run: number of interruptions that do not stop it */
};

/* Its output: all of it up to a limit, then only the end. */
struct process_text {
	int fd;
	char *text;          /* terminated; zero bytes became spaces */
	size_t size, most;
};

struct process {
	pid_t pid;           /* 0: none; it leads its own session, without a terminal */
	int pidfd;
	struct process_text out, err; /* err.fd -1 when it writes both to `out` */
	uint64_t started_ns, limit_ns, stopped_ns;
	bool is_simul, leaves, timed_out, killed;
	int status;          /* of waitpid */
};

/* Starts it with /dev/null as standard input. Returns 0, or the errno of the failed step, named by *step. */
int process_start(struct process *p, const struct process_plan *plan, const char **step);
/* Returns the reason why it could not be started, in words. malloc()ed. */
char *process_why(const struct process_plan *plan, int error, const char *step);
/*
 * Reads its new output, and stops it when its time is over. true: it has ended, and so has its process group unless the plan lets it
 * continue.
 */
bool process_look(struct process *p);
/* Asks it to end. */
void process_stop(struct process *p);
/* Kills it and its process group immediately. */
void process_kill(struct process *p);
void process_free(struct process *p);

/* Runs it to its end. false: it could not be started, did not end in time, or the user stopped it: `why` gives the reason. */
bool process_run(struct process *p, const struct process_plan *plan, char *why, size_t size);

/* Writes "exit status 3" or "killed by signal 11 (Segmentation fault)". */
void process_describe(const struct process *p, char *buf, size_t size);

#endif
