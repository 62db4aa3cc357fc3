/*
 * For programs that make calls in threads, or the same calls without threads in every order (tests/shared/calls.c, tests/mappings/calls.c):
 *
 *   calls FD DIRECTORY OPERATIONS...    a thread for each argument, in which each letter is a call; writes the outcome to FD
 *   calls -FD DIRECTORY OPERATIONS...   without threads: the outcome of each order of the calls, in a process and a new directory of its own
 *
 * With ORDERS_DELAYS=SEED in the environment, threads wait for a random time before each call.
 *
 * An outcome is a line that `finish` writes, or the signal that ended the process. The program defines the three functions declared here.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST 4

static const char *ops[MOST], *directory;
static char results[MOST][64];
static int n;
static unsigned delays; /* the seed of random delays before the calls of threads; 0: none */

/* Makes the call of this letter in thread t. Returns its result as a character; 0: the letter is a part of a call, which has no result. */
static char perform(int t, char op);
/* Makes what the calls need. */
static void prepare(void);
/* Writes the outcome. */
static void finish(int fd);

static void must(int ok, const char *what)
{
	if (!ok) {
		perror(what);
		exit(99);
	}
}

static void *run(void *which)
{
	int t = (int)(long)which;

	for (int i = 0; ops[t][i]; i++) {
		if (delays)
			usleep((unsigned)rand_r(&delays) % 200);
		results[t][i] = perform(t, ops[t][i]);
	}
	return NULL;
}

static void order(int fd, const char *schedule)
{
	char command[5000];
	int at[MOST] = {0}, s;
	pid_t child = fork();

	if (!child) {
		setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
		snprintf(command, sizeof(command), "rm -rf '%s' && mkdir '%s'", directory, directory);
		must(system(command) == 0, command);
		prepare();
		for (const char *c = schedule; *c; c++) {
			int t = *c - '0';

			char result = perform(t, ops[t][at[t]++]);

			if (result)
				results[t][strlen(results[t])] = result;
		}
		finish(fd);
		_exit(0);
	}
	must(waitpid(child, &s, 0) == child, "waitpid");
	if (WIFSIGNALED(s))
		dprintf(fd, "SIG%s\n", sigabbrev_np(WTERMSIG(s)));
	else
		must(s == 0, "an order");
}

static void orders(int fd, char *schedule, int length, int at[MOST])
{
	int more = 0;

	for (int t = 0; t < n; t++) {
		if (!ops[t][at[t]])
			continue;
		more = 1;
		schedule[length] = (char)('0' + t);
		at[t]++;
		orders(fd, schedule, length + 1, at);
		at[t]--;
	}
	if (!more) {
		schedule[length] = 0;
		order(fd, schedule);
	}
}

int main(int argc, char **argv)
{
	pthread_t t[MOST];
	char schedule[64];
	int fd = argc > 3 ? atoi(argv[1]) : 0, at[MOST] = {0};

	delays = getenv("ORDERS_DELAYS") ? (unsigned)atoi(getenv("ORDERS_DELAYS")) : 0;
	n = argc - 3;
	must(n >= 1 && n <= MOST, "arguments");
	directory = argv[2];
	for (int i = 0; i < n; i++)
		ops[i] = argv[3 + i];
	if (fd < 0) {
		orders(-fd, schedule, 0, at);
		return 0;
	}
	prepare();
	for (long i = 1; i < n; i++)
		pthread_create(&t[i], NULL, run, (void *)i);
	run((void *)0);
	for (int i = 1; i < n; i++)
		pthread_join(t[i], NULL);
	finish(fd);
	return 0;
}
