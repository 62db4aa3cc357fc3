/* What was run, and how it was searched. See program.h. */
#include "cli/certify/program.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/supervise/search.h"
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

void certify_program(const struct search *search, const struct explore_stats *stats, struct certificate *c)
{
	c->argv = secret_masked_arguments(search->target.argv);
	c->written_by = xstrdup(SIMUL_VERSION);
	c->program = xstrdup(search->target.path);
	c->build_id = xstrdup(search->target.build_id);
	c->input = certify_input(&search->capture);
	c->processors = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
	c->strategy = xstrdup(explore_strategy_name(search->config.strategy));
	c->executions = stats->executions;
	c->estimate = explore_estimate_known(stats) ? stats->estimate : 0;
	c->settings = search->config.settings;
	c->from = search->opt.from ? realpath(search->opt.from, NULL) : NULL;
	c->fail_on_race = search->config.settings.fail_on_race;
	c->robustness = search->config.settings.robustness;
	c->freed_waits = search->config.settings.memory_check;
	describe_env(c, search->target.env, false);
	describe_env(c, search->target.spare, true); /* the program has had only some of these */
}
