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
static const char *only_one(const struct run *run, const struct run_options *o)
{
	if (run->config.strategy != STRATEGY_OPTIMAL && run->config.strategy != STRATEGY_AUTO)
		return "only the optimal strategy can be shared";
	if (o->isolation == ISOLATION_EXEC)
		return "with --isolation exec executions are not shared";
	return NULL;
}

bool jobs_open(struct run *run)
{
	struct workers *ws = &run->workers;
	const struct run_options *o = &run->opt;
	const char *obstacle = only_one(run, o);
	uint64_t size = o->memory / COMMON_PART;
	char why[256];

	run->common.fd = -1;
	run->jobs = o->search ? 1 : o->jobs ? o->jobs : jobs_default();
	run->config.jobs = 1;
	run->config.common_fd = -1;
	if (run->jobs == 1 && !o->resume_dir && !o->search) /* a saved search may be shared later, and memory addresses must not change then */
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
	if (!common_memory_open(&run->common, size, why, sizeof(why))) {
		say("%s", why);
		return false;
	}
	run->config.jobs = run->jobs;
	run->config.common_fd = ENVIRONMENT_COMMON_FD;
	ws->jobs = o->search ? 2 : run->jobs; /* the others run on other machines */
	ws->common = &run->common;
	ws->patterns = run->opt.patch.value;
	ws->memory = o->memory;
	ws->at_once = getenv("SIMUL_TEST_SHARE_AT_ONCE") != NULL;
	return true;
}

void jobs_close(struct run *run)
{
	if (run->common.fd >= 0)
		common_memory_close(&run->common);
}

void jobs_why(const struct run *run, char *why, size_t size)
{
	text_set(why, size, "%s", run->workers.most < run->jobs ? run->workers.why : "");
}
