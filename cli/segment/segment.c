#define SESSION_NO_TARGET_RUNS /* a segment is made before its target starts */
/* Creates, lays out and fills a session segment; segment_read.c reads it. */
#include "cli/segment/segment.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/segment/common_memory.h"
#include "cli/base/limits.h"
#include "cli/base/say.h"
#include "explore/config.h"
#include "replay/confirm.h"
#include "sched/await.h"
#include "sched/memory.h"
#include "sched/section.h"
#include "sched/step.h"

#define PAGE 4096
#define EVENTS_SPARE 256
#define PATCH_BYTES 16384 /* all --patch patterns together */
#define MIN_EXPLORE (UINT64_C(4) << 20)

static uint64_t place(uint64_t *at, uint64_t bytes)
{
	uint64_t off = *at;

	*at = (off + bytes + PAGE - 1) / PAGE * PAGE;
	return off;
}

/* Lays out everything but the search's memory; returns the size so far. */
static uint64_t lay_out(struct session_layout *l, const struct session_config *config,
	uint32_t forced_cap)
{
	uint64_t at = 0;

	memset(l, 0, sizeof(*l));
	place(&at, sizeof(struct session));
	l->events_cap = (uint64_t)config->settings.max_steps + EVENTS_SPARE;
	l->events_off = place(&at, l->events_cap * sizeof(struct event));
	l->pending_off = place(&at, MAX_IDS * sizeof(struct event));
	l->alts_off = place(&at, MAX_IDS);
	l->names_off = place(&at, sizeof(struct thread_names));
	l->forced_cap = forced_cap;
	l->forced_off = place(&at, (uint64_t)forced_cap * sizeof(struct forced_step));
	l->stacks_cap = config->keep_stacks ? l->events_cap : 0;
	l->stacks_off = place(&at, l->stacks_cap * sizeof(struct session_frames));
	l->values_cap = l->stacks_cap;
	l->values_off = place(&at, l->values_cap * sizeof(struct session_value));
	l->objects_cap = SEGMENT_OBJECTS;
	l->objects_off = place(&at, l->objects_cap * sizeof(struct session_object));
	l->threads_cap = MAX_THREADS;
	l->threads_off = place(&at, l->threads_cap * sizeof(struct session_thread));
	l->explore_off = at;
	return at;
}

/* Only certifying needs the budget from the start. */
static struct explore_config search_config(const struct session_config *config)
{
	struct explore_config search = explore_config_of(config);

	search.budgeted = config->certify && config->budgeted;
	return search;
}

uint64_t segment_min_memory(const struct session_config *config)
{
	struct session_layout l;
	struct explore_config search = search_config(config);
	uint64_t need;

	need = explore_min_memory(&search);
	return lay_out(&l, config, 0) + (need > MIN_EXPLORE ? need : MIN_EXPLORE);
}

static bool map_segment(struct segment *seg, const struct common_memory *common, char *why, size_t size)
{
	seg->fd = memory_of_size("simul-session", seg->layout.size);
	if (seg->fd < 0) {
		text_set(why, size, "cannot create the session memory: %s%s", strerror(errno), limit_hint(errno));
		return false;
	}
	if (common)
		seg->session = common_memory_map(common, seg->fd, &seg->layout);
	else
		seg->session = mmap(NULL, seg->layout.size, PROT_READ | PROT_WRITE, MAP_SHARED, seg->fd, 0);
	if (!seg->session || seg->session == MAP_FAILED) {
		seg->session = NULL;
		text_set(why, size, "cannot map %llu MiB of session memory: %s%s; try a smaller --memory",
			(unsigned long long)(seg->layout.size >> 20), strerror(errno), limit_hint(errno));
		return false;
	}
	return true;
}

/* These come after the rest and are not counted against --memory: only the pages that the program needs are ever allocated. */
static void lay_out_sensors(struct session_layout *l, uint64_t at)
{
	l->memory_off = place(&at, sizeof(struct memory_table));
	l->await_off = place(&at, sizeof(struct await_table));
	l->sections_off = place(&at, sizeof(struct section_table));
	l->steps_off = place(&at, sizeof(struct step_table));
	l->sensors_off = place(&at, sizeof(struct session_sensors));
	l->races_off = place(&at, sizeof(struct session_races));
	l->patch_size = PATCH_BYTES;
	l->patch_off = place(&at, l->patch_size);
	l->size = at;
}

static bool put_patterns(struct segment *seg, char *const *patterns)
{
	char *to = (char *)seg->session + seg->layout.patch_off;
	size_t room = PATCH_BYTES - 1; /* an empty pattern ends the list */

	for (; patterns && *patterns; patterns++) {
		size_t n = strlen(*patterns) + 1;

		if (n > room)
			return false;
		memcpy(to, *patterns, n);
		to += n;
		room -= n;
	}
	return true;
}

bool segment_create(struct segment *seg, const struct session_config *config, uint64_t memory,
	uint32_t forced_cap, char *const *patterns, const struct common_memory *common, char *why, size_t size)
{
	uint64_t used;

	memset(seg, 0, sizeof(*seg));
	seg->fd = -1;
	seg->common_fd = common ? common->fd : -1;
	used = lay_out(&seg->layout, config, forced_cap);
	if (config->mode == MODE_EXPLORE)
		seg->layout.explore_size = memory > used ? (memory - used) / PAGE * PAGE : 0;
	seg->layout.files_off = used + seg->layout.explore_size;
	lay_out_sensors(&seg->layout, seg->layout.files_off + JOURNAL_SIZE);
	if (common)
		common_memory_place(common, &seg->layout);
	if (config->mode == MODE_EXPLORE && memory < segment_min_memory(config)) {
		text_set(why, size, "--memory is too small for these options: at least %llu MiB are needed",
			(unsigned long long)((segment_min_memory(config) >> 20) + 1));
		return false;
	}
	if (!map_segment(seg, common, why, size)) {
		segment_close(seg);
		return false;
	}
	seg->session->magic = SESSION_MAGIC;
	seg->session->version = SESSION_VERSION;
	seg->session->header_size = sizeof(struct session);
	seg->session->layout = seg->layout;
	seg->session->config = *config;
	if (config->sections) /* see start_search in preload/life/warm_up.c */
		seg->session->ctl.discoveries.regions = seg->session->ctl.discoveries.applied_regions = REGION_SECTIONS;
	if (!common) /* shared names may already have entries of other workers */
		thread_names_init((void *)((char *)seg->session + seg->layout.names_off));
	journal_clear(segment_journal(seg));
	if (!put_patterns(seg, patterns)) {
		text_set(why, size, "the --patch patterns are too long: at most %u bytes together", PATCH_BYTES);
		segment_close(seg);
		return false;
	}
	if (config->mode == MODE_EXPLORE && !segment_new_search(seg)) {
		text_set(why, size, "--memory is too small for the search");
		segment_close(seg);
		return false;
	}
	return true;
}

bool segment_new_search(struct segment *seg)
{
	struct explore_config search;

	search = search_config(&seg->session->config);
	search.regions = seg->session->ctl.discoveries.applied_regions;
	if (fallocate(seg->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)seg->layout.explore_off, (off_t)seg->layout.explore_size))
		seg->session->ctl.warm_up.unswept = 1;
	search.zeroed = !seg->session->ctl.warm_up.unswept;
	return explore_create(&search, (char *)seg->session + seg->layout.explore_off, seg->layout.explore_size);
}

struct session_common *segment_common(const struct segment *seg)
{
	return seg->layout.common_size ? (struct session_common *)((char *)seg->session + seg->layout.common_off) : NULL;
}

void *segment_common_search(const struct segment *seg)
{
	return seg->layout.common_size ? (char *)seg->session + seg->layout.common_search_off : NULL;
}

struct journal *segment_journal(const struct segment *seg)
{
	return (struct journal *)((char *)seg->session + seg->layout.files_off);
}

void segment_close(struct segment *seg)
{
	if (seg->session)
		munmap(seg->session, seg->layout.size + seg->layout.common_size);
	if (seg->fd >= 0)
		close(seg->fd);
	seg->session = NULL;
	seg->fd = -1;
}

bool segment_set_memory(struct segment *seg, const struct rec_memory *m)
{
	char *base = (char *)seg->session;

	if (m->raced)
		session_watch((struct session_races *)(base + seg->layout.races_off), m->raced);
	return schedule_install_memory(m, (struct memory_table *)(base + seg->layout.memory_off),
		(struct await_table *)(base + seg->layout.await_off));
}

void segment_set_forced(struct segment *seg, const struct forced_step *steps, uint32_t n)
{
	memcpy((char *)seg->session + seg->layout.forced_off, steps, n * sizeof(*steps));
}

bool segment_set_guide(struct segment *seg, const struct schedule *s, char *why, size_t size)
{
	segment_set_names(seg, &s->names);
	segment_set_forced(seg, s->step, s->n);
	seg->session->pool = s->pool;
	if (!segment_set_memory(seg, &s->memory))
		text_set(why, size, "its memory cannot be placed as the recording requires");
	else if (!explore_guide((char *)seg->session + seg->layout.explore_off, s->step, s->n))
		text_set(why, size, "--memory is too small for the schedule of the recording");
	else
		return true;
	return false;
}

uint32_t segment_guided_steps(uint32_t turns, uint32_t notes)
{
	return (uint32_t)(guided_area_size(turns, notes) / sizeof(struct forced_step) + 1);
}

static struct guided_area *guided_area(const struct segment *seg)
{
	return (struct guided_area *)((char *)seg->session + seg->layout.forced_off);
}

void segment_set_guided(struct segment *seg, const struct guided_turn *turn, uint32_t turns, uint32_t notes)
{
	struct guided_area *area = guided_area(seg);

	*area = (struct guided_area){ turns, notes };
	memcpy(guided_turns(area), turn, turns * sizeof(*turn));
}

void segment_notes(const struct segment *seg, uint32_t turns, struct guided_note *out, uint32_t n)
{
	const char *turn = (const char *)guided_turns(guided_area(seg));

	memcpy(out, turn + turns * sizeof(struct guided_turn), n * sizeof(*out));
}

void segment_set_names(struct segment *seg, const struct thread_names *names)
{
	memcpy((char *)seg->session + seg->layout.names_off, names, sizeof(*names));
}
