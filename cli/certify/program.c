/* What was run, and how it was searched. See program.h. */
#include "cli/certify/program.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recorder/secrets.h"
#include "explore/explore.h"
#include "base/xalloc.h"

char *certify_input(const struct capture *c)
{
	uint64_t size, h = capture_input_hash(c, &size);

	return size ? xasprintf("%" PRIu64 "-%016" PRIx64, size, h) : xstrdup(NO_INPUT);
}

/* With `hide`, the values are left out. */
static void describe_env(struct certificate *c, char *const *env, bool hide)
{
	for (; env && *env; env++) {
		const char *value = strchr(*env, '=');
		bool hidden = hide || secret_looks(*env);

		if (!value || !strncmp(*env, "SIMUL_", 6))
			continue;
		c->env = xgrow(c->env, c->n_env, sizeof(*c->env));
		c->env[c->n_env++] = (struct cert_env){xasprintf("%.*s", (int)(value - *env), *env),
			hidden ? 0 : certificate_digest(value + 1, strlen(value + 1)), hidden};
	}
}

void certify_program(const struct run *run, struct certificate *c)
{
	c->argv = secret_masked_arguments(run->search.target.argv);
	c->written_by = xstrdup(SIMUL_VERSION);
	c->program = xstrdup(run->search.target.path);
	c->build_id = xstrdup(run->search.target.build_id);
	c->input = certify_input(&run->search.capture);
	c->processors = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
	c->model = xstrdup(memory_model_text(run->search.config.settings.model));
	c->strategy = xstrdup(explore_strategy_name(run->search.config.strategy));
	c->executions = run->stats.executions;
	c->estimate = explore_estimate_known(&run->stats) ? run->stats.estimate : 0;
	c->spurious = run->search.config.settings.spurious;
	c->exit_any = !run->search.config.settings.late_exit;
	c->from = run->search.opt.from ? realpath(run->search.opt.from, NULL) : NULL;
	c->fail_on_race = run->search.config.settings.fail_on_race;
	c->robustness = run->search.config.settings.robustness;
	c->freed_waits = run->search.config.settings.memory_check;
	describe_env(c, run->search.target.env, false);
	describe_env(c, run->search.target.spare, true); /* the program has had only some of these */
}
