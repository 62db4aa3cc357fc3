/* simul enforce: becomes the program, together with the library that holds its threads back according to the certificate. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/exit_codes.h"
#include "cli/certify/certify.h"
#include "cli/certify/follow.h"
#include "cli/certify/program.h"
#include "cli/options/cmd.h"
#include "cli/options/options.h"
#include "cli/base/say.h"
#include "enforce/plan_make.h"
#include "recorder/secrets.h"
#include "recorder/symbols/symbols.h"
#include "base/xalloc.h"


struct enforcing {
	bool uncertified, any_arguments, any_value, follow, search;
	bool other_arguments; /* the program has others than the certified ones, and may */
	uint64_t stall_ns;
	const char *path;
	struct certificate *c;
	struct target target;
	struct capture input;
};

#define OPTIONS_INTO struct enforcing

static const struct option_spec specs[] = {
	{"uncertified", NULL, TO_FLAG(uncertified),
		"if the program or its input is not what was certified, report\n"
		"that and run without protection"},
	{"any-arguments", NULL, TO_FLAG(any_arguments),
		"run the program with other arguments than the certified ones: keep\n"
		"the order where threads do the same, leave out accesses of shared\n"
		"memory that they do not make"},
	{"any-value", NULL, TO_FLAG(any_value), "do not compare the values that ordered events read"},
	{"search", NULL, TO_FLAG(search),
		"continue the search while the program runs, and replace\n"
		"CERTIFICATE whenever fewer events need to be ordered"},
	{"follow", NULL, TO_FLAG(follow), "apply a new version of CERTIFICATE while the program runs"},
	{"stall", "TIME", TO_DURATION(stall_ns, NS_PER_S, 86400 * NS_PER_S),
		"end the program if its threads wait and nothing happens for this\n"
		"long (default %)",
		.initial = "60s"},
	{.name = NULL},
};

static const struct option_table option_table = {.command = "enforce", .own = specs};

/* Reads the options, which may come before and after the certificate; those after the program's name are the program's. *first: the index of
   the program. false: the command ends with *code; help or one message was printed. */
static bool read_options(struct enforcing *x, int argc, char **argv, int *first, int *code)
{
	int more;

	options_defaults(&option_table, x);
	if (!options_read(&option_table, x, argc, argv, first, code))
		return false;
	if (*first >= argc) {
		say("enforce: no certificate given; for example: simul enforce queue.cert -- ./queue_test");
		return false;
	}
	x->path = argv[*first];
	if (!options_read(&option_table, x, argc - *first, argv + *first, &more, code))
		return false;
	*first += more;
	if (x->any_arguments && x->search) {
		say("enforce: --search continues the search of %s, whose arguments are fixed: it cannot be given with "
		    "--any-arguments",
			x->path);
		return false;
	}
	if (*first < argc)
		return true;
	say("enforce: no program given; for example: simul enforce %s -- ./queue_test", x->path);
	return false;
}

/* Reports that the certificate does not hold for this run. With --uncertified the program runs without protection. Returns false. */
static bool mismatch(struct enforcing *x, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static bool mismatch(struct enforcing *x, const char *fmt, ...)
{
	char text[2048];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (x->uncertified)
		say("%s: %s: the program runs WITHOUT protection (--uncertified)", x->path, text);
	else
		say("%s: %s (--uncertified runs it without protection)", x->path, text);
	return false;
}

/* Returns whether the file of a module without a build-id is the certified one. The library compares the others when they are loaded. */
static bool same_content(const struct cert_module *m)
{
	char *id = strncmp(m->build_id, "hash-", 5) ? NULL : elf_build_id(m->path);
	bool same = !id || !strcmp(id, m->build_id);

	free(id);
	return same;
}

#define OTHERS "; --any-arguments keeps its order where the threads do the same"

/* Returns whether the arguments are the certified ones, or may be others. */
static bool same_arguments(struct enforcing *x)
{
	char **was = x->c->argv, **now = x->target.argv;
	size_t i;

	if (!was[0] || secret_same_arguments(was, now, &i))
		return true;
	x->other_arguments = x->any_arguments;
	if (x->any_arguments) {
		say("note: %s was made with other arguments: no schedule of this run was verified. Its order is kept "
		    "where the threads do the same",
			x->path);
		return true;
	}
	if (!was[i] || !now[i])
		return mismatch(x, "it was made with %s arguments" OTHERS, was[i] ? "more" : "fewer");
	return mismatch(x, "argument %zu was \"%s\" when it was made, and is now \"%s\"" OTHERS, i, was[i], now[i]);
}

/* Returns whether this program, its arguments and its input are the certified ones. */
static bool same_run(struct enforcing *x)
{
	const struct certificate *c = x->c;
	char *input;
	bool same;

	if (x->target.script)
		return mismatch(x, "%s is a script, and programs that it starts would run without protection", x->target.argv[0]);
	if (strcmp(c->build_id, x->target.build_id))
		return mismatch(x, "it was made with another build of %s (build-id %.12s..., now %.12s...); make a new one with simul certify",
			x->target.argv[0], c->build_id, x->target.build_id);
	if (!same_arguments(x))
		return false;
	for (size_t m = 1; m < c->n_modules; m++)
		if (!same_content(&c->modules[m]))
			return mismatch(x, "it was made with another build of %s; make a new one with simul certify", c->modules[m].path);
	input = certify_input(&x->input);
	same = !strcmp(input, c->input);
	free(input);
	if (!same)
		return mismatch(x, "it was made with %s standard input", strcmp(c->input, NO_INPUT) ? "a different" : "an empty");
	return true;
}

/* Makes descriptor 0 the input that was compared. */
static bool install_input(const struct enforcing *x)
{
	int fd = x->input.in_fd >= 0 ? x->input.in_fd : open("/dev/null", O_RDONLY | O_CLOEXEC);
	bool ok = fd >= 0 && dup2(fd, STDIN_FILENO) == STDIN_FILENO;

	if (x->input.in_fd >= 0)
		ok = ok && lseek(STDIN_FILENO, (off_t)x->input.in_offset, SEEK_SET) >= 0;
	return ok;
}

static char *library_of(const struct target *t)
{
	const char *slash = strrchr(t->library, '/');

	return xasprintf("%.*s/libsimul_enforce.so", (int)(slash - t->library), t->library);
}

/* For tests: waits for the program in this process, and writes to a file which events of the prefix it performed, in that order. Returns
   only in the child, which becomes the program. */
static void wait_and_tell(const char *path, int plan_fd)
{
	pid_t pid = fork();
	const struct plan_event *events;
	const struct plan *plan;
	struct stat st;
	FILE *f;
	int status = 0;

	if (!pid)
		return;
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	f = fopen(path, "we");
	if (pid < 0 || !f || fstat(plan_fd, &st) || (plan = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, plan_fd, 0)) == MAP_FAILED) {
		say("what was performed cannot be written to %s: %s", path, strerror(errno));
		exit(SIMUL_EXIT_USAGE);
	}
	events = (const struct plan_event *)((const char *)plan + plan->events);
	for (uint32_t i = 0; i < plan->n_performed && i < plan->n_events; i++)
		fprintf(f, "%" PRIu32 "\n", events[((const uint32_t *)((const char *)plan + plan->performed))[i]].number);
	if (fclose(f))
		exit(SIMUL_EXIT_USAGE);
	exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

/* Starts the process that relaxes the constraints while the program runs. false: one message was printed. */
static bool follows(const struct enforcing *x, int plan)
{
	const struct follow f = {.path = x->path, .c = x->c, .target = &x->target, .input = &x->input, .plan_fd = plan,
		.search = x->search && !x->c->frozen};

	if ((!x->follow && !x->search) || !x->c->certified)
		return true;
	if (x->search && x->c->frozen)
		say("note: --search cannot shorten %s: %s", x->path, x->c->frozen);
	return follow_start(&f);
}

/* Becomes the program. Returns only on failure. */
static void become(struct enforcing *x, bool protect)
{
	const char *trace = getenv("SIMUL_TEST_ENFORCE_TRACE");
	struct plan_options options = {.uncertified = x->uncertified,
		.trace = trace != NULL,
		.relaxed = x->follow || x->search,
		.any_arguments = x->other_arguments,
		.any_value = x->any_value || x->other_arguments,
		.stall_ms = (uint32_t)(x->stall_ns / 1000000)};
	char *library = library_of(&x->target), *preload, *number;
	const char *others = getenv("LD_PRELOAD");
	int plan;

	if (protect) {
		if (access(library, R_OK)) {
			say("%s cannot be read: %s; build or install simul again", library, strerror(errno));
			return;
		}
		if (strpbrk(library, " :")) {
			say("%s cannot be preloaded, since its path has a blank or a colon: install simul elsewhere", library);
			return;
		}
		plan = plan_make(x->c, &options);
		if (plan < 0) {
			say("the certificate cannot be handed to the program: %s", strerror(errno));
			return;
		}
		if (trace)
			wait_and_tell(trace, plan);
		if (!follows(x, plan))
			return;
		number = xasprintf("%d", plan);
		preload = xasprintf("%s%s%s", library, others && *others ? ":" : "", others ? others : "");
		setenv(PLAN_ENV, number, 1);
		setenv("LD_PRELOAD", preload, 1);
	}
	if (!install_input(x)) {
		say("the program's standard input cannot be set up: %s", strerror(errno));
		return;
	}
	execve(x->target.path, x->target.argv, environ);
	say("%s cannot be run: %s", x->target.argv[0], strerror(errno));
}

static int enforce(struct enforcing *x, char **argv)
{
	char text[2048];
	bool same;

	x->c = certificate_read(x->path, text, sizeof(text));
	if (!x->c) {
		say("%s", text);
		return SIMUL_EXIT_USAGE;
	}
	/* a search beside it runs the program with libsimul.so */
	if (!(x->search ? target_open : target_open_plain)(&x->target, argv, environ, text, sizeof(text))) {
		say("%s", text);
		return SIMUL_EXIT_USAGE;
	}
	if (!capture_open(&x->input))
		return SIMUL_EXIT_USAGE;
	same = same_run(x);
	if (!same && !x->uncertified)
		return SIMUL_EXIT_USAGE;
	if (x->c->but)
		say("note: %s is weaker, since the search did not see everything: %s", x->path, x->c->but);
	become(x, same);
	return SIMUL_EXIT_USAGE;
}

int cmd_enforce(int argc, char **argv)
{
	struct enforcing x = {.path = NULL};
	int first, code;

	if (!read_options(&x, argc, argv, &first, &code))
		return code;
	code = enforce(&x, argv + first);
	certificate_free(x.c);
	target_close(&x.target);
	return code;
}
