#define SESSION_NO_TARGET_RUNS /* saved state is put into new segments; workers are merged while they wait or after they ended */
#include "cli/segment/segment_keep.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/callers.h"
#include "cli/base/say.h"
#include "explore/shared/common.h"
#include "sched/await.h"
#include "sched/endless.h"
#include "sched/memory.h"
#include "sched/rounds.h"
#include "sched/section.h"

#define PARTS 11
#define COMMON_PARTS 4

static char *at_offset(const struct segment *seg, uint64_t off)
{
	return (char *)seg->session + off;
}

/* ---- saving ---- */

static uint64_t at_most(uint64_t n, uint64_t limit)
{
	return n < limit ? n : limit;
}

/* Lists the parts in the order of their offsets. The trace is saved only while its execution has not been accounted for. */
static void find_parts(const struct segment *seg, struct segment_range part[PARTS])
{
	const struct session_layout *l = &seg->layout;
	const struct session_control *ctl = &seg->session->ctl;
	bool flight = ctl->execution.flight != FLIGHT_NONE, sections = seg->session->config.sections && !l->common_size;
	uint64_t events = flight ? at_most(ctl->execution.trace_n, l->events_cap) * sizeof(struct event) : 0;
	const struct segment_range all[PARTS] = {
		{0, sizeof(struct session)},
		{l->events_off, events},
		{l->pending_off, flight ? MAX_IDS * sizeof(struct event) : 0},
		{l->alts_off, flight ? MAX_IDS : 0},
		{l->names_off, sizeof(struct thread_names)},
		{l->explore_off, at_most(explore_used(at_offset(seg, l->explore_off)), l->explore_size)},
		{l->files_off, at_most(segment_journal(seg)->end.used, JOURNAL_SIZE)},
		{l->memory_off, sizeof(struct memory_table)},
		{l->await_off, sizeof(struct await_table)},
		{l->sections_off, sections ? sizeof(struct section_table) : 0},
		/* the sensors' coverage and the races after it */
		{l->sensors_off, l->races_off - l->sensors_off + sizeof(struct session_races)},
	};

	memcpy(part, all, sizeof(all));
}

/* Lists the parts of the memory shared by several workers, with offsets in that memory. */
static void find_common_parts(const struct segment *seg, struct segment_range part[COMMON_PARTS])
{
	const struct session_layout *l = &seg->layout;
	uint64_t search = seg->session->ctl.requests.shared_search ? explore_common_used(segment_common_search(seg)) : 0;
	const struct segment_range all[COMMON_PARTS] = {
		{0, sizeof(struct session_common)},
		{l->common_names, sizeof(struct thread_names)},
		{l->sections_off - l->common_off, seg->session->config.sections ? sizeof(struct section_table) : 0},
		{l->common_search_off - l->common_off, at_most(search, l->common_search_size)},
	};

	memcpy(part, all, sizeof(all));
}

/* Finds the first range in [from, end) that was ever written. The kernel tracks this by pages. */
static bool written(int fd, uint64_t from, uint64_t end, struct segment_range *out)
{
	off_t data = lseek(fd, (off_t)from, SEEK_DATA), hole;

	if (data < 0 || (uint64_t)data >= end)
		return false;
	hole = lseek(fd, data, SEEK_HOLE);
	out->off = (uint64_t)data;
	out->size = (hole < 0 ? end : at_most((uint64_t)hole, end)) - (uint64_t)data;
	return true;
}

static bool next_written(int fd, const struct segment_range *part, unsigned parts, uint64_t *at, struct segment_range *out)
{
	for (unsigned i = 0; i < parts; i++) {
		uint64_t end = part[i].off + part[i].size, from = *at > part[i].off ? *at : part[i].off;

		if (from < end && written(fd, from, end, out)) {
			*at = out->off + out->size;
			return true;
		}
	}
	return false;
}

bool segment_keep_next(const struct segment *seg, uint64_t *at, struct segment_range *out)
{
	struct segment_range part[PARTS];

	find_parts(seg, part);
	return next_written(seg->fd, part, PARTS, at, out);
}

bool segment_keep_common_next(const struct segment *seg, uint64_t *at, struct segment_range *out)
{
	struct segment_range part[COMMON_PARTS];

	if (!seg->layout.common_size)
		return false;
	find_common_parts(seg, part);
	if (!next_written(seg->common_fd, part, COMMON_PARTS, at, out))
		return false;
	out->off += seg->layout.common_off;
	return true;
}

/* Returns the offset of the first nonzero word in [from, end); 0: all words are 0. */
static uint64_t not_zero(const struct segment *seg, uint64_t from, uint64_t end)
{
	for (uint64_t at = from; at < end; at += sizeof(uint64_t)) {
		uint64_t word;

		memcpy(&word, at_offset(seg, at), sizeof(word));
		if (word)
			return at;
	}
	return 0;
}

uint64_t segment_written(const struct segment *seg)
{
	const struct session_layout *l = &seg->layout;
	struct segment_range range;
	uint64_t from, end = l->explore_off + l->explore_size, found = 0;

	if (!l->explore_size || seg->session->ctl.warm_up.unswept)
		return 0;
	from = l->explore_off + at_most(explore_used(at_offset(seg, l->explore_off)) + 7, l->explore_size) / 8 * 8;
	for (; !found && written(seg->fd, from, end, &range); from = range.off + range.size)
		found = not_zero(seg, range.off, range.off + range.size);
	return found;
}

bool segment_can_keep(const struct segment *seg)
{
	const struct session_control *ctl = &seg->session->ctl;

	if (!ctl->requests.shared_search)
		return !ctl->execution.accounting;
	return !ctl->execution.accounting && !ctl->execution.begun && ctl->execution.flight == FLIGHT_NONE;
}

/* ---- restoring ---- */

bool segment_put(struct segment *seg, uint64_t off, const void *data, uint64_t size)
{
	uint64_t all = seg->layout.size + seg->layout.common_size;

	if (off > all || size > all - off)
		return false;
	memcpy(at_offset(seg, off), data, size);
	return true;
}

static bool looks_right(const struct segment *seg, const struct session_config *config)
{
	const struct session *s = seg->session;
	struct strategy strategy;
	struct thread_names names;

	return s->magic == SESSION_MAGIC && s->version == SESSION_VERSION && s->header_size == sizeof(struct session) &&
	       memcmp(&s->layout, &seg->layout, sizeof(seg->layout)) == 0 && s->config.mode == config->mode &&
	       !s->ctl.execution.accounting && (!s->ctl.requests.shared_search || seg->layout.common_size) &&
	       s->ctl.execution.trace_n <= seg->layout.events_cap && s->pool.n <= SESSION_POOL &&
	       segment_names(seg, &names) &&
	       explore_attach(at_offset(seg, seg->layout.explore_off), seg->layout.explore_size, &strategy);
}

/* Resets the words that processes wrote which have ended. */
static void forget_processes(struct session_control *ctl)
{
	ctl->handshake.state = STATE_STARTING;
	ctl->handshake.doorbell = ctl->requests.release = ctl->execution.turn = 0;
	ctl->requests.stop_request = ctl->requests.pause_request = 0;
	if (ctl->execution.flight == FLIGHT_NONE)
		ctl->handshake.hang_request = 0; /* while an execution is unfinished, it says how that one ended */
	ctl->requests.main_pid = ctl->execution.exec_pid = 0;
}

/* Ends a trial of snapshots that is not decided, as if it had not begun. */
static void forget_trial(struct session_rewind *r)
{
	if (r->trial.phase != TRIAL_WITHOUT && r->trial.phase != TRIAL_WITH)
		return;
	if (r->trial.phase == TRIAL_WITH && r->trial.rewinds)
		r->rewind_off = 0;
	r->trial = (struct session_trial){.phase = TRIAL_WITHOUT};
}

void segment_limit(struct segment *seg, uint64_t executions, uint64_t done)
{
	seg->session->config.max_executions = executions;
	if (seg->session->ctl.warm_up.running)
		return;
	if (executions)
		seg->session->config.max_executions += done;
	explore_extend(at_offset(seg, seg->layout.explore_off), executions, seg->session->config.budgeted);
}

bool segment_go_on(struct segment *seg, const struct session_config *config, bool put_back)
{
	struct session *s = seg->session;
	uint64_t start_time = s->config.settings.start_time;

	if (!looks_right(seg, config))
		return false;
	s->config = *config;
	s->config.settings.start_time = start_time;
	forget_processes(&s->ctl);
	forget_trial(&s->ctl.rewind);
	if (put_back)
		segment_put_files_back(seg);
	else
		segment_leave_files(seg);
	return true;
}

/* ---- several workers ---- */

/* Copies the library functions that were reached, so that they are patched without having to be reached again. */
static void copy_reached(struct segment *to, const struct segment *from)
{
	struct session_sensors *sensors = segment_sensors(from);
	struct session_sensors *out = (struct session_sensors *)at_offset(to, to->layout.sensors_off);

	memcpy(out->reached, sensors->reached, sizeof(out->reached));
	out->n_reached = sensors->n_reached;
	free(sensors);
}

void segment_copy_known(struct segment *to, const struct segment *from)
{
	const struct session_control *known = &from->session->ctl;
	struct session_control *ctl = &to->session->ctl;
	struct segment_range range;
	uint64_t at = from->layout.memory_off;

	while (segment_keep_next(from, &at, &range) && range.off < from->layout.sensors_off)
		memcpy(at_offset(to, range.off), at_offset(from, range.off),
			at_most(range.size, from->layout.sensors_off - range.off));
	to->session->pool = from->session->pool;
	copy_reached(to, from);
	ctl->warm_up.restarts = known->warm_up.restarts;
	ctl->warm_up.executions = known->warm_up.executions;
	ctl->discoveries.applied_memory = known->discoveries.applied_memory;
	ctl->discoveries.applied_awaits = known->discoveries.applied_awaits;
	ctl->requests.pages_when_shared = known->requests.pages_when_shared;
	ctl->discoveries.regions = known->discoveries.regions;
	ctl->discoveries.applied_regions = known->discoveries.applied_regions;
	ctl->discoveries.fork_sees = known->discoveries.fork_sees;
	ctl->discoveries.applied_fork_sees = known->discoveries.applied_fork_sees;
	ctl->discoveries.applied_child_reads = known->discoveries.applied_child_reads;
	to->session->child_reads = from->session->child_reads;
	memcpy(ctl->discoveries.limits, known->discoveries.limits, sizeof(ctl->discoveries.limits));
	memcpy(ctl->discoveries.endless_limits, known->discoveries.endless_limits, sizeof(ctl->discoveries.endless_limits));
	ctl->discoveries.calls_refused = known->discoveries.calls_refused;
	ctl->discoveries.applied_calls_refused = known->discoveries.applied_calls_refused;
	ctl->discoveries.children_listed = known->discoveries.children_listed;
	ctl->discoveries.applied_children_listed = known->discoveries.applied_children_listed;
	ctl->rewind.rewind_off = known->rewind.rewind_off;
	ctl->rewind.trial = known->rewind.trial;
	forget_trial(&ctl->rewind);
	to->session->signatures = from->session->signatures;
	for (uint32_t i = 0; i < SESSION_SIGNATURES; i++)
		to->session->seen[i] = (struct session_sighting){
			.signature = from->session->seen[i].signature, .handed_over = from->session->seen[i].handed_over};
}

static void absorb_bug(struct session *to, const struct session_sighting *from)
{
	uint64_t signature = from->signature;
	uint32_t i = 0, n = to->signatures < SESSION_SIGNATURES ? to->signatures : SESSION_SIGNATURES;

	while (i < n && to->seen[i].signature != signature)
		i++;
	if (i == SESSION_SIGNATURES)
		return;
	if (i == n) {
		to->seen[i] = (struct session_sighting){.signature = signature, .handed_over = from->handed_over};
		to->signatures = n + 1;
	}
	if (from->count) /* a target may be writing to `to`: do not touch its counter without need */
		to->seen[i].count += from->count;
	if (from->sampled)
		to->seen[i].sampled += from->sampled;
}

static void absorb_race(struct session_races *to, const struct session_race *race)
{
	uint32_t i = 0, n = to->n < SESSION_RACES ? to->n : SESSION_RACES;

	while (i < n && !session_same_race(&to->race[i], race))
		i++;
	if (i < n) {
		to->race[i].count += race->count;
		to->race[i].certain |= race->certain;
	} else if (n < SESSION_RACES) {
		to->race[n] = *race;
		to->n = n + 1;
	}
}

static void absorb_unseen(struct session_unseen *to, const struct session_unseen *from)
{
	for (uint32_t i = 0; i < from->n && i < SESSION_UNSEEN; i++) {
		uint32_t k = 0;

		while (k < to->n && k < SESSION_UNSEEN && memcmp(to->name[k], from->name[i], sizeof(to->name[k])) != 0)
			k++;
		if (k == to->n && k < SESSION_UNSEEN)
			memcpy(to->name[k], from->name[i], sizeof(to->name[k]));
		if (k < SESSION_UNSEEN)
			callers_absorb(&to->at[k], &from->at[i]);
		if (k == to->n)
			to->n = k + 1;
	}
	if (from->n > SESSION_UNSEEN)
		to->n = SESSION_UNSEEN + 1;
}

static void move_circles(struct session_circles *to, struct session_circles *from)
{
	uint64_t executions = to->executions + from->executions;
	bool differ = to->n != from->n || memcmp(to->thread, from->thread, sizeof(to->thread)) != 0;
	uint32_t others = to->others | from->others | (to->executions && from->executions && differ);

	if (!to->executions)
		*to = *from;
	to->executions = executions;
	to->others = others;
	memset(from, 0, sizeof(*from));
}

/* Moves counters from one worker to another. */
static void move_counts(struct session_control *to, struct session_control *from)
{
	if (from->facts.uncontrolled && !to->facts.uncontrolled)
		memcpy(to->facts.uncontrolled_what, from->facts.uncontrolled_what, SESSION_MESSAGE);
	absorb_unseen(&to->facts.unseen, &from->facts.unseen);
	move_circles(&to->facts.circles, &from->facts.circles);
	to->facts.uncontrolled += from->facts.uncontrolled;
	to->facts.native_children += from->facts.native_children;
	to->rewind.rewound += from->rewind.rewound;
	to->rewind.resumed += from->rewind.resumed;
	to->rewind.restored_events += from->rewind.restored_events;
	to->execution.lost += from->execution.lost;
	from->facts.uncontrolled = from->facts.native_children = 0;
	from->rewind.rewound = from->rewind.resumed = from->rewind.restored_events = from->execution.lost = 0;
}

static void absorb_control(struct session_control *to, const struct session_control *from)
{
	to->warm_up.unsettled |= from->warm_up.unsettled;
	if (from->facts.cut_short && !to->facts.cut_short)
		to->facts.cut_short_thread = from->facts.cut_short_thread;
	to->facts.cut_short |= from->facts.cut_short;
	to->facts.time_forced |= from->facts.time_forced;
	to->facts.ran_on |= from->facts.ran_on;
	to->facts.endless |= from->facts.endless;
	to->facts.cooperative |= from->facts.cooperative;
	if (from->facts.policies.unknown && !to->facts.policies.unknown)
		memcpy(to->facts.policies.path, from->facts.policies.path, SESSION_MESSAGE);
	to->facts.policies.ran |= from->facts.policies.ran;
	to->facts.policies.unknown |= from->facts.policies.unknown;
	to->facts.policies.full |= from->facts.policies.full;
	to->facts.named_functions |= from->facts.named_functions;
	to->facts.left_out |= from->facts.left_out;
	to->discoveries.calls_refused |= from->discoveries.calls_refused;
	to->discoveries.children_listed |= from->discoveries.children_listed;
	to->facts.one_step |= from->facts.one_step;
	to->facts.task_pieces |= from->facts.task_pieces;
	to->facts.own_allocator |= from->facts.own_allocator;
	for (unsigned i = 0; i < EXCEPTIONS; i++)
		callers_absorb(&to->facts.exception[i], &from->facts.exception[i]);
	((struct rounds_limits *)to->discoveries.limits)->used |= ((const struct rounds_limits *)from->discoveries.limits)->used;
	((struct endless_limits *)to->discoveries.endless_limits)->used |= ((const struct endless_limits *)from->discoveries.endless_limits)->used;
	if (to->rewind.page_scan == PAGE_SCAN_UNUSED)
		to->rewind.page_scan = from->rewind.page_scan;
	if (from->rewind.rewind_off && !to->rewind.rewind_off)
		memcpy(to->rewind.rewind_why, from->rewind.rewind_why, SESSION_MESSAGE);
	to->rewind.rewind_off |= from->rewind.rewind_off;
}

void segment_move_found(struct segment *to, struct segment *from)
{
	struct session *s = from->session;
	struct session_races *races = segment_races(from);

	for (uint32_t i = 0; i < s->signatures && i < SESSION_SIGNATURES; i++) {
		absorb_bug(to->session, &s->seen[i]);
		s->seen[i].count = s->seen[i].sampled = 0;
	}
	for (uint32_t i = 0; i < races->n && i < SESSION_RACES; i++)
		absorb_race((struct session_races *)at_offset(to, to->layout.races_off), &races->race[i]);
	((struct session_races *)at_offset(from, from->layout.races_off))->n = 0;
	free(races);
	move_counts(&to->session->ctl, &s->ctl);
}

static struct session_sensors *sensors_in(struct segment *seg)
{
	return (struct session_sensors *)at_offset(seg, seg->layout.sensors_off);
}

static void absorb_hole(struct session_sensors *to, const struct session_sensors *from, uint32_t i)
{
	for (uint32_t k = 0; k < to->holes && k < SESSION_HOLES; k++)
		if (to->hole[k].addr == from->hole[i].addr)
			return;
	if (to->holes < SESSION_HOLES)
		to->hole[to->holes] = from->hole[i];
	to->holes++;
}

/* Keeps the first place; 0: there is none. */
static void absorb_place(uint64_t *to, uint64_t from)
{
	*to = *to ? *to : from;
}

/* Adds what certificates need of one worker. */
static void absorb_for_certificates(struct session_sensors *to, const struct session_sensors *from)
{
	to->sites_full |= from->sites_full;
	for (uint32_t k = 0; k < SESSION_SITES; k++) {
		uint64_t site = from->site[k];
		uint32_t at = site ? session_site_slot(to, site) : TABLE_FULL;

		if (at != TABLE_FULL)
			to->site[at] = site;
		else if (site)
			to->sites_full = 1;
	}
	for (unsigned k = 0; k < sizeof(to->kinds) / sizeof(*to->kinds); k++)
		to->kinds[k] |= from->kinds[k];
	for (unsigned k = 0; k < sizeof(to->place) / sizeof(*to->place); k++)
		absorb_place(&to->place[k], from->place[k]);
	absorb_place(&to->inline_call, from->inline_call);
	to->outside_signals |= from->outside_signals;
	absorb_place(&to->unordered_files, from->unordered_files);
	absorb_place(&to->shared_files, from->shared_files);
	absorb_place(&to->other_files, from->other_files);
	absorb_place(&to->unordered_sockets, from->unordered_sockets);
	absorb_place(&to->shared_sockets, from->shared_sockets);
	absorb_place(&to->older_sockets, from->older_sockets);
	absorb_place(&to->other_sockets, from->other_sockets);
	absorb_place(&to->shared_names, from->shared_names);
}

/* Adds the coverage of one worker. Each worker reaches library functions on its own. All have the same modules, except late ones. */
static void absorb_sensors(struct session_sensors *to, const struct session_sensors *from)
{
	for (uint32_t i = 0; i < from->holes && i < SESSION_HOLES; i++)
		absorb_hole(to, from, i);
	to->generated_code |= from->generated_code;
	to->early_unlocks |= from->early_unlocks;
	absorb_for_certificates(to, from);
	for (uint32_t i = 0; i < from->modules && i < SESSION_MODULES; i++) {
		const struct session_module *m = &from->module[i];
		uint32_t k = 0;

		while (k < to->modules && k < SESSION_MODULES && memcmp(to->module[k].path, m->path, sizeof(m->path)) != 0)
			k++;
		if (k >= SESSION_MODULES)
			continue;
		if (k >= to->modules) {
			to->module[k] = *m;
			to->modules = k + 1;
			continue;
		}
		if (m->executed && !to->module[k].executed)
			to->module[k].first = m->first;
		to->module[k].executed |= m->executed;
		if (m->refused[0] && !to->module[k].refused[0])
			memcpy(to->module[k].refused, m->refused, sizeof(m->refused));
		if (m->not_hooked > to->module[k].not_hooked)
			to->module[k].not_hooked = m->not_hooked;
	}
}

void segment_absorb(struct segment *to, struct segment *from)
{
	struct session_sensors *sensors = segment_sensors(from);
	struct session *s = from->session;
	struct memory_table *memory = (struct memory_table *)at_offset(to, to->layout.memory_off);
	struct await_table *await = (struct await_table *)at_offset(to, to->layout.await_off);

	segment_move_found(to, from);
	absorb_control(&to->session->ctl, &s->ctl);
	memory->full |= segment_memory_full(from);
	await->doubts |= segment_await_doubts(from);
	absorb_sensors(sensors_in(to), sensors);
	free(sensors);
}

static void not_put_back(void *ctx, const char *path, const char *why)
{
	say("the program changed %s, which cannot be restored: %s", path, why);
}

void segment_put_files_back(struct segment *seg)
{
	journal_undo(segment_journal(seg), journal_whole(), not_put_back, NULL);
	segment_leave_files(seg);
}

void segment_leave_files(struct segment *seg)
{
	journal_clear(segment_journal(seg));
	segment_journal(seg)->pid = 0;
}
