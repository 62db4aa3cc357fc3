/* Determines what is known before anything runs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/exit_codes.h"
#include "cli/target/environment.h"
#include "cli/base/say.h"
#include "cli/nightly/stress/bugs.h"
#include "cli/nightly/stress/last_line.h"
#include "cli/nightly/stress/state.h"
#include "cli/nightly/stress/steps.h"
#include "cli/nightly/stress/string_list.h"
#include "cli/target/target.h"
#include "base/xalloc.h"

/* Returns the path of the program as simul run in the directory of the test makes it, which is compared with that of
   the last night; for a bare name, the name. malloc()ed. */
static char *program_of(const struct stress_test *t)
{
	const char *name = t->listed.argv[0];
	char *dir, *path;

	if (!t->listed.cwd || name[0] == '/' || !strchr(name, '/'))
		return xstrdup(name);
	dir = realpath(t->listed.cwd, NULL);
	path = xasprintf("%s/%s", dir ? dir : t->listed.cwd, name + (strncmp(name, "./", 2) ? 0 : 2));
	free(dir);
	return path;
}

static bool is_simul(const struct stress *s, const struct stat *st)
{
	struct stat self;

	return !stat(s->self, &self) && self.st_dev == st->st_dev && self.st_ino == st->st_ino;
}

static bool open_program(struct stress *s, struct stress_test *t)
{
	struct target target;
	char why[SESSION_MESSAGE], *program = program_of(t), *argv[] = {program, NULL};
	bool ok = target_open(&target, argv, environ, why, sizeof(why));

	if (!ok) {
		stress_settle(t, STRESS_UNUSABLE, xstrdup(why));
	} else {
		t->files.path = xstrdup(target.path);
		t->files.build_id = xstrdup(target.build_id);
		target_close(&target);
		ok = !stat(t->files.path, &t->files.file_was);
		if (!ok)
			stress_settle(t, STRESS_UNUSABLE, xasprintf("%s: %s", t->files.path, strerror(errno)));
	}
	if (ok && is_simul(s, &t->files.file_was)) {
		ok = false;
		stress_settle(t, STRESS_UNUSABLE, xstrdup("its command already runs simul (possibly as a launcher); stress needs the command without simul"));
	}
	free(program);
	return ok;
}

void steps_prepare(struct stress *s, struct stress_test *t)
{
	if (t->settled || stress_is_fixture(t) || !open_program(s, t) || s->passing)
		return;
	bugs_load(t);
	state_recall(s, t);
}

/* Lets simul run check the options, with a program that does nothing. */
bool steps_check_options(struct stress *s)
{
	struct string_list w = {.n = 0};
	struct process p = {.pid = 0};
	struct process_plan plan = {.is_simul = true, .limit_ns = 60 * NS_PER_S};
	json_t *result = NULL;
	char why[512], how[128], *said;
	bool ok = false;

	if (!*s->passed)
		return true;
	strings_copy(&w, (char *[]){s->self, "run", "--quiet", "--json", "-", "--output", s->output, NULL});
	strings_copy(&w, s->passed);
	strings_copy(&w, (char *[]){"--", "true", NULL});
	plan.argv = w.word;
	if (!process_run(&p, &plan, why, sizeof(why))) {
		say("stress: %s", why);
	} else {
		result = p.out.text ? json_loads(p.out.text, 0, NULL) : NULL;
		ok = result != NULL;
		said = last_line(p.err.text);
		process_describe(&p, how, sizeof(how));
		if (!ok)
			say("%s%s", *said ? "" : "stress: simul run ended without a result: ", *said ? said : how);
		free(said);
	}
	json_decref(result);
	process_free(&p);
	environment_free(w.word);
	return ok;
}
