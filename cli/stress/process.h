/* A process that is started, watched and ended: the test by itself, or simul. */
#ifndef SIMUL_STRESS_PROCESS_H
#define SIMUL_STRESS_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct process_plan {
	char *const *argv;   /* argv[0] is looked for as execvp does */
	char *const *env;    /* "NAME=value" to set beside what we have; NULL: none */
	const char *cwd;     /* NULL: ours */
	uint64_t limit_ns;   /* then it is stopped; 0: never */
	unsigned processors; /* that it may keep busy, at least 1 */
	bool is_simul;       /* it can be stopped by SIGTERM, and ends soon */
	bool whole;          /* its standard output is a result: kept whole, apart from standard error. Of simul always */
	bool searched;       /* what is looked for may stand anywhere in its output: kept whole, too */
	bool leaves;         /* what it leaves running goes on: a server that was set up for tests */
	int patience;        /* process_run: that many interruptions do not stop it */
};

/* What it writes: all of it up to a limit, of more the end. */
struct process_text {
	int fd;
	char *text;          /* terminated; zero bytes became spaces */
	size_t size, most;
};

struct process {
	pid_t pid;           /* 0: none; it leads a session of its own, without a terminal */
	int pidfd;
	struct process_text out, err; /* err.fd -1 when it writes both to `out` */
	uint64_t started_ns, limit_ns, stopped_ns;
	bool is_simul, leaves, timed_out, killed;
	int status;          /* of waitpid */
};

/* Starts it, with /dev/null as standard input. 0, or the errno of what failed; *step names that. */
int process_start(struct process *p, const struct process_plan *plan, const char **step);
/* Why it could not be started, in words. malloc()ed. */
char *process_why(const struct process_plan *plan, int error, const char *step);
/*
 * Takes in what it has written, and stops it when its time is over. true: it has ended; the group that it led is gone too, unless the plan
 * says that it goes on.
 */
bool process_look(struct process *p);
/* The user wants it to end. */
void process_stop(struct process *p);
/* At once, and all it has started in its group. */
void process_kill(struct process *p);
void process_free(struct process *p);

/* Runs it to its end. false: could not be started, or did not end in time, or the user stopped it: `why` says so. */
bool process_run(struct process *p, const struct process_plan *plan, char *why, size_t size);

/* "exit status 3", "killed by signal 11 (Segmentation fault)" */
void process_describe(const struct process *p, char *buf, size_t size);

#endif
