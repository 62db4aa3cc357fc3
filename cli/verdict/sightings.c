/* What the search saw besides bugs: covered code and data races. They get names after the processes have ended. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/lock_owners.h"
#include "cli/base/proc_text.h"
#include "cli/bugs/findings.h"
#include "cli/collect/collect.h"
#include "cli/collect/collect_heap.h"
#include "cli/collect/collect_memory.h"
#include "cli/supervise/search.h"
#include "cli/base/say.h"
#include "explore/explore.h"
#include "sched/policy.h"
#include "base/xalloc.h"
#include "cli/verdict/sightings.h"

void sightings_look(struct search *search)
{
	const struct session_control *ctl = &search->seg.session->ctl;
	uint32_t state = shared_load(&ctl->handshake.state);

	if (search->maps || (state != STATE_RUNNING && state != STATE_PAUSED))
		return;
	search->maps = proc_text_maps(ctl->requests.main_pid);
	if (search->maps[0])
		return;
	free(search->maps); /* the process has just ended */
	search->maps = NULL;
}

/* Returns substitute maps if no process could be examined in time: each patched module as if mapped in one piece. */
static char *maps_of_modules(const struct session_sensors *s)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	INVARIANT(f, "out of memory");
	for (uint32_t i = 0; i < s->modules && i < SESSION_MODULES; i++) {
		const struct session_module *m = &s->module[i];
		struct stat st;

		if (m->base && m->path[0] == '/' && stat(m->path, &st) == 0 && st.st_size)
			fprintf(f, "%" PRIx64 "-%" PRIx64 " r-xp 00000000 08:01 1 %s\n", m->base,
				m->base + ((uint64_t)st.st_size + 4095) / 4096 * 4096, m->path);
	}
	INVARIANT(fclose(f) == 0, "out of memory");
	return text;
}

/* Returns whether the verdict will name functions or lines. */
static bool names_code(const struct session_sensors *s, const struct session_control *ctl)
{
	for (unsigned i = 0; i < EXCEPTIONS; i++)
		if (ctl->facts.exception[i].n)
			return true;
	if (ctl->facts.unseen.n || ctl->facts.circles.executions || s->holes)
		return true;
	for (uint32_t i = 0; i < s->modules && i < SESSION_MODULES; i++)
		if (s->module[i].executed)
			return true;
	return false;
}

/* Returns whether the pattern is one of --lock or --leave-out. */
static bool names_functions(const char *pattern)
{
	return !strncmp(pattern, LOCK_PATTERN, strlen(LOCK_PATTERN)) || !strncmp(pattern, LEAVE_PATTERN, strlen(LEAVE_PATTERN));
}

/* Says which patterns of --lock and --leave-out name no function. */
static void note_unnamed(const struct search *search)
{
	const struct option_list *lock = &search->opt.lock, *leave = &search->opt.leave_out;
	uint32_t named = shared_load(&search->seg.session->ctl.facts.named_functions);

	for (size_t i = 0; i < lock->n + leave->n && i < 32; i++)
		if (!(named >> i & 1))
			say("note: %s %s had no effect: the program has no function with such a name (nm prints the names that count)",
				i < lock->n ? "--lock" : "--leave-out", i < lock->n ? lock->value[i] : leave->value[i - lock->n]);
}

/* Returns RACES_UNSOUGHT if SystemC processes ran, and this strategy does not look for their races. */
static uint32_t unsought(const struct search *search)
{
	bool ran = shared_load(&search->seg.session->ctl.facts.policies.ran) & POLICY_BIT(POLICY_SYSTEMC);

	return ran && search->config.strategy != STRATEGY_STEPS ? RACES_UNSOUGHT : 0;
}

void sightings_decide(struct sightings *out, struct search *search, const struct findings *findings)
{
	struct session_sensors *sensors = segment_sensors(&search->seg);
	struct session_races *races = segment_races(&search->seg);
	struct symbols *symbols = NULL;
	struct thread_names *names = xcalloc(1, sizeof(*names));

	if (!search->maps)
		search->maps = maps_of_modules(sensors);
	if (races->n || names_code(sensors, &search->seg.session->ctl)) {
		symbols = symbols_open(search->maps);
		if (symbols) {
			collect_add_heap(symbols, &search->seg);
			memory_names_add(symbols, &search->seg);
		}
	}
	coverage_decide(&out->coverage, sensors, &search->seg.session->ctl, &search->config, symbols);
	coverage_locks(&out->coverage, &search->seg);
	for (size_t i = 0; sensors->modules && i < search->opt.patch.n; i++)
		if (!names_functions(search->opt.patch.value[i]) && !coverage_matches(sensors, search->opt.patch.value[i]))
			say("note: --patch %s had no effect: the program loaded no library whose whole file name matches (as 'libapr-1.so*' does), or "
				"only part of the C library", search->opt.patch.value[i]);
	if (sensors->modules)
		note_unnamed(search);
	if (segment_names(&search->seg, names)) {
		circle_describe(&out->circle, &search->seg.session->ctl.facts.circles, names, symbols);
		races->missed |= unsought(search);
		races_describe(&out->races, races, names, symbols, findings->n ? findings->list[0].recording : NULL);
	}
	symbols_close(symbols);
	free(names);
	free(races);
	free(sensors);
}

void sightings_free(struct sightings *s)
{
	races_free(&s->races);
	circle_free(&s->circle);
}
