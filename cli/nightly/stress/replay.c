/* Replays the recordings of earlier runs before everything else, and those of this run at the end, one at a time. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/exit_codes.h"
#include "cli/collect/kept_env.h"
#include "cli/target/environment.h"
#include "cli/nightly/stress/bugs.h"
#include "cli/nightly/stress/last_line.h"
#include "cli/nightly/stress/state.h"
#include "cli/nightly/stress/steps.h"
#include "cli/nightly/stress/string_list.h"
#include "base/xalloc.h"
#include "replay/confirm.h"

#define LIMIT_NS (600 * NS_PER_S)

/* Plans the replay of the next bug that has a recording and was found earlier, or in this run. false: there is no other one. */
static bool next_of(struct stress *s, struct stress_test *t, bool earlier, struct process_plan *plan)
{
	struct string_list w = {.n = 0};

	while (t->replayed < t->n_bugs && (!t->bug[t->replayed].recording || t->bug[t->replayed].earlier != earlier))
		t->replayed++;
	if (t->replayed == t->n_bugs)
		return false;
	if (t->command)
		environment_free(t->command);
	if (!t->arguments)
		t->arguments = kept_argument_variables(t->listed.argv);
	strings_copy(&w, (char *[]){s->self, "replay", "--quiet", "--trust", t->bug[t->replayed].recording, NULL});
	*plan = (struct process_plan){.argv = t->command = w.word, .env = t->arguments, .is_simul = true, .limit_ns = LIMIT_NS};
	return true;
}

static bool next(struct stress *s, struct stress_test *t, size_t after, struct process_plan *plan)
{
	return next_of(s, t, true, plan);
}

/* The recording is of this build and no longer replays, so something else must have changed. The search may not continue with that. */
static void gone(struct stress_test *t, const struct process *p)
{
	struct stress_bug *b = &t->bug[t->replayed];
	char *said = last_line(p->out.size ? p->out.text : p->err.text);

	stress_note(t, "%s no longer replays and was moved to former/ (%s)", strrchr(b->recording, '/') + 1, said);
	t->diverged |= b->confirmed;
	bugs_drop(t, t->replayed);
	t->over = t->unchanged = false;
	json_decref(t->run);
	t->run = NULL;
	state_restart(t, "one of its recordings no longer replays");
	free(said);
}

static void ended(struct stress *s, struct stress_test *t, const struct process *p)
{
	int code = WIFEXITED(p->status) ? WEXITSTATUS(p->status) : -1;
	bool not_run = p->out.text && strstr(p->out.text, CONFIRM_NOT_RUN_SAYS); /* for example for lack of memory; this says nothing about the bug */

	if (p->stopped_ns && !p->timed_out)
		return;
	if ((code == SIMUL_EXIT_DIVERGED && !not_run) || code == SIMUL_EXIT_USAGE) {
		gone(t, p);
		return;
	}
	t->bug[t->replayed].replayed = code == SIMUL_EXIT_BUG;
	if (code != SIMUL_EXIT_BUG) {
		char how[128];

		char *said = last_line(p->out.text);
		const char *why = not_run ? strstr(said, CONFIRM_NOT_RUN_SAYS) : NULL;

		process_describe(p, how, sizeof(how));
		stress_note(t, "the replay of %s failed: %s%s", t->bug[t->replayed].recording, why ? why : how,
			p->timed_out ? " (it took too long)" : "");
		free(said);
	}
	t->replayed++;
}

const struct pool_ops steps_replay = {.doing = "replaying", .next = next, .ended = ended};

/* ---- replays with no other test in parallel ---- */

static bool next_alone(struct stress *s, struct stress_test *t, size_t after, struct process_plan *plan)
{
	uint64_t left = stress_left_ns(s);
	bool more = next_of(s, t, false, plan);

	plan->limit_ns = left < LIMIT_NS ? left : LIMIT_NS;
	return more;
}

static void ended_alone(struct stress *s, struct stress_test *t, const struct process *p)
{
	struct stress_bug *b = &t->bug[t->replayed];

	if (!p->stopped_ns && b->confirmed && WIFEXITED(p->status) && WEXITSTATUS(p->status) == SIMUL_EXIT_DIVERGED &&
		!(p->out.text && strstr(p->out.text, CONFIRM_NOT_RUN_SAYS))) {
		b->confirmed = false;
		stress_note(t, "it happened only while other tests ran in parallel; if they use the same files or ports, use --jobs 1, RUN_SERIAL "
			"(CMake) or is_parallel (Meson)");
	}
	t->replayed++;
}

const struct pool_ops steps_alone = {.doing = "replaying", .next = next_alone, .ended = ended_alone};
