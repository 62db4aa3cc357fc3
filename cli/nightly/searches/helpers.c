#include "cli/nightly/searches/helpers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "cli/base/say.h"
#include "cli/supervise/process.h"

struct helpers {
	struct process process;
	char output[64]; /* where they put recordings, which the database has too */
};

bool helpers_start(struct helpers **out, const char *url, const char *search, uint32_t n)
{
	struct helpers *h = xcalloc(1, sizeof(*h));
	char jobs[16], *why;
	char *argv[] = {(char *)"/proc/self/exe", (char *)"work", (char *)"--quiet", (char *)"--search", (char *)url, (char *)"--only", (char *)search,
		(char *)"--jobs", jobs, (char *)"--idle", (char *)"1d", (char *)"--output", h->output, NULL};
	struct process_plan plan = {.argv = argv, .processors = n, .is_simul = true};
	const char *step;
	int error;

	text_set(jobs, sizeof(jobs), "%u", n);
	text_set(h->output, sizeof(h->output), "%s/simul-helpers-%d", getenv("TMPDIR") && strlen(getenv("TMPDIR")) < 24 ? getenv("TMPDIR") : "/tmp", (int)getpid());
	error = process_start(&h->process, &plan, &step);
	if (error) {
		why = *step ? xasprintf("%s: %s", step, strerror(error)) : process_why(&plan, error, step);
		say("--jobs: the other workers cannot be started: %s", why);
		free(why);
		free(h);
		return false;
	}
	*out = h;
	return true;
}

/* Prints what they said, each line once: all of them say the same. */
static void print_lines(char *text)
{
	char *rest = NULL;
	const char *last = "";

	for (char *line = text ? strtok_r(text, "\n", &rest) : NULL; line; line = strtok_r(NULL, "\n", &rest)) {
		if (strcmp(line, last))
			fprintf(stderr, "%s\n", line);
		last = line;
	}
}

void helpers_stop(struct helpers *h)
{
	const struct timespec moment = {.tv_nsec = 5000000};

	if (!h)
		return;
	process_stop(&h->process);
	while (!process_look(&h->process))
		nanosleep(&moment, NULL);
	print_lines(h->process.err.size ? h->process.err.text : NULL);
	process_free(&h->process);
	free(h);
}
