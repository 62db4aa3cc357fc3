#include "cli/supervise/jobs.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "cli/target/environment.h"
#include "cli/base/say.h"
#include "explore/shared/common.h"

#define MIN_COMMON (UINT64_C(1) << 20)
#define COMMON_PART 4 /* the workers share this fraction of --memory */

/* Returns the limit on processors of the control group, rounded up; 0: none is known. The file has the CPU time and the period in
   microseconds, "200000 100000", or "max 100000". */
static unsigned quota(void)
{
	FILE *f = fopen("/sys/fs/cgroup/cpu.max", "re");
	unsigned long long most, period;
	unsigned n = 0;

	if (!f)
		return 0;
	if (fscanf(f, "%llu %llu", &most, &period) == 2 && period)
		n = (unsigned)((most + period - 1) / period);
	fclose(f);
	return n;
}

unsigned jobs_default(void)
{
	cpu_set_t set;
	unsigned n = sched_getaffinity(0, sizeof(set), &set) ? 1 : (unsigned)CPU_COUNT(&set), limit = quota();

	if (limit && limit < n)
		n = limit;
	return n < 1 ? 1 : n > WORKERS_MOST ? WORKERS_MOST : n;
}

/* Returns why these options allow only one worker; NULL: they allow several. */
static const char *only_one(uint32_t strategy, uint32_t isolation)
{
	if (strategy != STRATEGY_OPTIMAL && strategy != STRATEGY_AUTO && strategy != STRATEGY_WINDOWS &&
		strategy != STRATEGY_GRAPHS)
		return "only the strategies auto, optimal, windows and graphs can be shared";
	if (isolation == ISOLATION_EXEC)
		return "with --isolation exec executions are not shared";
	return NULL;
}

bool jobs_open(struct search *search)
{
	struct workers *ws = &search->workers;
	const struct run_options *o = &search->opt;
	const char *obstacle = only_one(search->config.strategy, o->isolation);
	uint64_t size = o->memory / COMMON_PART;
	char why[256];

	search->common.fd = -1;
	search->jobs = o->search ? 1 : o->jobs ? o->jobs : jobs_default();
	search->config.jobs = 1;
	search->config.common_fd = -1;
	if (search->jobs == 1 && !o->resume_dir && !o->search) /* a saved search may be shared later, and memory addresses must not change then */
		return true;
	if (obstacle) {
		if (o->jobs > 1)
			text_set(ws->why, sizeof(ws->why), "%s", obstacle);
		return true;
	}
	if (size < MIN_COMMON)
		size = MIN_COMMON;
	if (size < explore_common_min_memory())
		size = explore_common_min_memory();
	if (!common_memory_open(&search->common, size, why, sizeof(why))) {
		say("%s", why);
		return false;
	}
	search->config.jobs = search->jobs;
	search->config.common_fd = ENVIRONMENT_COMMON_FD;
	ws->jobs = o->search ? 2 : search->jobs; /* the others run on other machines */
	ws->common = &search->common;
	ws->patterns = search->opt.patch.value;
	ws->memory = o->memory;
	ws->at_once = getenv("SIMUL_TEST_SHARE_AT_ONCE") != NULL;
	return true;
}

void jobs_close(struct search *search)
{
	if (search->common.fd >= 0)
		common_memory_close(&search->common);
}

void jobs_why(const struct search *search, char *why, size_t size)
{
	text_set(why, size, "%s", search->workers.most < search->jobs ? search->workers.why : "");
}
