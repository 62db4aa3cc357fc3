/* `simul doctor --run`: what a short search shows of a program, by `simul run` in a process of its own. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/units.h"
#include "base/xalloc.h"
#include "cli/base/say.h"
#include "cli/doctor/doctor.h"
#include "cli/supervise/process.h"

#define EXECUTIONS "300"  /* the first 256 show which words behave like locks (docs/locks.md) */
#define TIME "10s"
#define LIMIT_NS (UINT64_C(60) * NS_PER_S) /* for starting it, and for confirming a bug */

static const char *text_of(const json_t *o, const char *key)
{
	return json_string_value(json_object_get(o, key));
}

static long long number_of(const json_t *o, const char *key)
{
	return json_integer_value(json_object_get(o, key));
}

/* ---- running it ---- */

/* Runs the search, whose recordings go to `output`. */
static bool search(struct doctor *d, const char *output)
{
	const char *head[] = {"/proc/self/exe", "run", "--quiet", "--time", TIME, "--executions", EXECUTIONS, "--json", "-", "--output", output};
	size_t n = 0, heads = sizeof(head) / sizeof(*head), programs = 0;
	struct process_plan plan = {.limit_ns = LIMIT_NS, .processors = 1, .is_simul = true, .whole = true};
	struct process p = {.pid = 0};
	char **argv, why[512], how[128];
	bool ran;

	while (d->target.argv[programs])
		programs++;
	argv = xcalloc(heads + 2 * d->opt.patch.n + programs + 2, sizeof(*argv));
	for (size_t i = 0; i < heads; i++)
		argv[n++] = (char *)head[i];
	for (size_t i = 0; i < d->opt.patch.n; i++) {
		argv[n++] = (char *)"--patch";
		argv[n++] = (char *)d->opt.patch.value[i];
	}
	argv[n++] = (char *)"--";
	for (size_t i = 0; i < programs; i++)
		argv[n++] = (char *)d->target.argv[i];
	plan.argv = argv;
	ran = process_run(&p, &plan, why, sizeof(why));
	d->short_run = p.out.text ? json_loads(p.out.text, 0, NULL) : NULL;
	if (!d->short_run) {
		process_describe(&p, how, sizeof(how));
		say("doctor: the short search gave no result: %s%s%s", ran ? how : why, ran && p.err.text && *p.err.text ? ": " : "",
			ran && p.err.text ? p.err.text : "");
	}
	process_free(&p);
	free(argv);
	return d->short_run != NULL;
}

/* Removes the recordings of the bugs that it found. */
static void remove_recordings(const json_t *result)
{
	const json_t *bug;
	size_t i;

	json_array_foreach(json_object_get(result, "bugs"), i, bug) {
		const char *path = text_of(bug, "recording");

		if (path)
			unlink(path);
	}
}

bool doctor_run(struct doctor *d)
{
	const char *tmp = getenv("TMPDIR");
	char *output = xasprintf("%s/simul-doctor-XXXXXX", tmp && *tmp ? tmp : "/tmp");
	bool ok = mkdtemp(output) != NULL;

	if (!ok)
		say("no temporary directory for the short search: %s: %s", output, strerror(errno));
	else {
		ok = search(d, output);
		remove_recordings(d->short_run);
		rmdir(output);
	}
	free(output);
	return ok;
}

/* ---- the report ---- */

static void report_locks(const struct doctor *d)
{
	const json_t *list = json_object_get(d->short_run, "like_locks"), *one;
	const char *assumed = text_of(d->short_run, "assumed_locks");
	size_t i;

	if (assumed)
		fprintf(d->human, "  - %s\n", assumed);
	json_array_foreach(list, i, one) {
		long long others = number_of(one, "other_words");

		fprintf(d->human, "  - %s", text_of(one, "word"));
		if (others)
			fprintf(d->human, " and %lld more", others);
		fprintf(d->human, " (taken %s) behave%s like a lock; if it is one, add %s\n", text_of(one, "taken"), others ? "" : "s", text_of(one, "option"));
	}
	if (!json_array_size(list) && strcmp(text_of(d->short_run, "verdict"), "complete") == 0)
		fprintf(d->human, "  - complete: there is no need to declare a lock\n");
	else if (!json_array_size(list))
		fprintf(d->human, "  - no word that a function with a name takes like a lock was noticed\n");
}

void doctor_run_report(const struct doctor *d)
{
	const json_t *bugs = json_object_get(d->short_run, "bugs"), *o = d->short_run;
	const char *reason = text_of(o, "reason"), *isolation = text_of(o, "isolation"), *why = text_of(o, "isolation_reason");

	fprintf(d->human, "\na short search\n");
	fprintf(d->human, "  - %lld executions, %lld events, %.1f s\n", number_of(o, "executions"), number_of(o, "events"),
		json_real_value(json_object_get(o, "seconds")));
	if (isolation && number_of(o, "executions"))
		fprintf(d->human, "  - isolation: %s%s%s\n", isolation, why ? ": " : "", why ? why : "");
	if (json_array_size(bugs))
		fprintf(d->human, "  - it found a bug; simul run shows it\n");
	else if (reason && *reason)
		fprintf(d->human, "  - %s\n", reason);
	if (number_of(o, "executions"))
		report_locks(d);
}
