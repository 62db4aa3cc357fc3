/*
 * See rewind.h. Data that must survive a rewind lies in shared mappings, which are never copied: `profile` (rewind_profile.h), shared with
 * the zygote and its other children, and `own`, which only this process uses. The copy is made and restored on a stack in `own`.
 */
#include "preload/life/rewind.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "explore/explore.h"
#include "explore/shared/common.h"
#include "base/processor.h"
#include "preload/base/aside.h"
#include "preload/control/fiber.h"
#include "preload/life/open_fds.h"
#include "preload/life/page_copies.h"
#include "preload/life/points.h"
#include "preload/life/run.h"
#include "preload/control/ctl.h"
#include "preload/memory/heap.h"
#include "preload/memory/round_state.h"
#include "preload/life/rewind_profile.h"
#include "preload/kernel/fd.h"
#include "preload/kernel/file_restore.h"
#include "preload/kernel/shared_memory.h"
#include "preload/kernel/made_mappings.h"
#include "preload/kernel/older_mappings.h"
#include "preload/kernel/process_state.h"
#include "preload/memory/shadow.h"
#include "preload/base/sys.h"
#include "preload/life/rewind_policy.h"
#include "preload/life/written_pages.h"
#include "preload/base/rules.h"

#define DISCARDED_AT_ONCE 64u /* pages whose state is read at a time when the program discards memory */
#define STACK_BYTES 131072u
#define ASIDE_KEPT 65536u /* most bytes of simul's own stack that are in use at a window */
#define AHEAD (UINT64_C(1) << 20) /* bytes of the session that are brought into memory before they are needed */

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

/* State of this process. */
static struct own {
	struct fiber_ctx here;      /* context at the checkpoint */
	struct fiber_ctx there;     /* context at the end of an execution, to continue there if the execution cannot be rewound */
	const char *why;            /* why the execution cannot be rewound */
	uint64_t executions, layout;
	uint64_t search_ready, common_ready; /* bytes that are in memory: of this search, and of the part that workers share */
	long faults;
	uint64_t mask;
	bool recount;               /* simul itself has had page faults since the page faults were counted */
	struct open_fds fds;        /* at the checkpoint */
	uint64_t begun;             /* when this execution began, in ticks */
	struct worth worth;
	struct copied copied;
	struct points points;
	bool files_used;            /* an execution has used older files that are made again: before each later one */
	bool touched;               /* the last execution may have used descriptors or printed */
	bool window;                /* executions start at a window: the checkpoint of this process is there */
	bool later;                 /* an execution has just started there, not the first one of this process */
	uint64_t stack_lo;          /* start of the used part of simul's own stack at the window */
	char aside[ASIDE_KEPT];     /* that part */
	bool at_point;              /* an execution has just started at a point */
	char stack[STACK_BYTES];
} *own;

static const char new_pages[] = "keep writing to memory that none wrote to before";
static const char other_way[] = "are put back in another way from now on";

bool rewind_wanted(void)
{
	const struct session *s = ctl_session;
	return profile && !s->ctl.rewind.rewind_off && s->config.mode == MODE_EXPLORE && !s->config.pause_at_end;
}

/* Set in the zygote; the next child inherits the setting. One write to a huge page would make 512 pages look written,
   so there are none while executions are rewound. */
static bool huge_pages_off;

static void set_huge_pages(bool off)
{
	if (off != huge_pages_off && !sys_prctl(PR_SET_THP_DISABLE, off, 0))
		huge_pages_off = off;
}

void rewind_init(void)
{
	const struct session_config *c = &ctl_session->config;
	if ((c->isolation != ISOLATION_REWIND && c->isolation != ISOLATION_AUTO) || c->mode != MODE_EXPLORE || c->settings.threads != THREADS_FIBER)
		return;
	if (!profile_init()) {
		policy_stop("no memory for copies");
		return;
	}
	open_fds_note(&profile->at_checkpoint, NULL);
	set_huge_pages(true);
	heap_share();
}

void rewind_before_fork(void)
{
	set_huge_pages(rewind_wanted());
}

/* ---- process state besides memory ---- */

static long count_faults(void)
{
	struct rusage r;
	sys_call2(SYS_getrusage, RUSAGE_THREAD, (long)&r);
	return r.ru_minflt + r.ru_majflt;
}

static uint64_t signal_mask(void)
{
	uint64_t mask = 0;
	sys_sigprocmask(0, NULL, &mask);
	return mask;
}

/* Brings pages of the `size` bytes from `off` of the segment into memory ahead of use. `used` of them are in use, *ready in memory. */
static void make_ready(uint64_t off, uint64_t size, uint64_t used, uint64_t *ready)
{
	if (used + AHEAD / 4 <= *ready || *ready >= size)
		return;
	own->recount = true;
	uint64_t to = used + AHEAD < size ? used + AHEAD : size;
	uint64_t lo = (uintptr_t)ctl_segment(off + *ready) & -(uint64_t)PAGE_BYTES;
	uint64_t hi = (uintptr_t)ctl_segment(off + to) & -(uint64_t)PAGE_BYTES;
	if (hi > lo)
		sys_call3(SYS_madvise, (long)lo, (long)(hi - lo), MADV_POPULATE_WRITE);
	*ready = to;
}

/* The search grows while executions run, and so does what several workers share of it. Its page faults must not be taken for those of the program. */
static void make_session_ready(void)
{
	const struct session_layout *l = &ctl_session->layout;
	make_ready(l->explore_off, l->explore_size, explore_used(ctl_segment(l->explore_off)), &own->search_ready);
	if (explore_worker(ctl_segment(l->explore_off)))
		make_ready(l->common_search_off, l->common_search_size, explore_common_used(ctl_segment(l->common_search_off)), &own->common_ready);
}

/* ---- pages ---- */

/* Adds the first n pages of profile->seen to the known ones. Returns whether any of them is not in the copy. */
static bool add_seen(uint32_t n)
{
	bool news = profile_news(&own->copied, n);
	if (own->window && !news)
		copied_wrote(&own->copied, profile->seen, n);
	profile_add(n);
	return news;
}

/* Returns NULL, or the reason why the copy does not cover this execution. */
static const char *look_at_memory(void)
{
	uint32_t n = 0;
	uint64_t layout;
	const struct written_visitor visitor = { .ctx = &n, .page = profile_see };
	if (!written_look(&visitor, &layout)) {
		policy_stop("cannot be looked at (/proc/self/pagemap)");
		return "cannot be looked at";
	}
	if (n > PROFILE_PAGES) {
		policy_stop("write to too much memory");
		return "write to too much memory";
	}
	bool news = add_seen(n);
	if (layout != own->layout)
		return "change what is mapped";
	return news ? new_pages : NULL;
}

/* Does the slow checks, after executions 1, 2, 4, 8 and so on of this process. Returns NULL, or the reason why the execution cannot be
   rewound. */
static const char *look_closely(void)
{
	const struct written_visitor nothing = { .ctx = NULL };
	uint64_t layout;
	if (!written_look(&nothing, &layout) || layout != own->layout)
		return "change what is mapped";
	if (signal_mask() != own->mask)
		return "change the signal mask";
	if (!open_fds_no_other(&own->fds))
		return "leave files open";
	return NULL;
}

static const char *what_changed(void)
{
	const char *why = rewind_tainted;
	own->touched = outside_touched || fd_made_any() || !((own->executions + 1) & own->executions);
	if (!why && !state_put_back())
		why = "change the process itself";
	if (!why && own->touched)
		why = open_fds_put_back(&own->fds, own->window || fd_made_any());
	own->files_used |= fd_older_used() || own->fds.closed;
	if (!why) {
		made_unmap();
		if (!older_put_back())
			return "change what is mapped";
		long faults = count_faults() - own->faults;
		if (!own->window)
			copied_look(&own->copied);
		own->recount |= faults;
		if (faults != (long)own->copied.written)
			why = look_at_memory();
	}
	own->executions++;
	if (!why && !(own->executions & (own->executions - 1)))
		why = look_closely();
	return !why && !own->window && policy_otherwise(&own->worth, &own->copied) ? other_way : why;
}

/* ---- memory from before the checkpoint that the program unmaps or discards ---- */

bool rewind_may_move(uint64_t lo, uint64_t hi)
{
	if (!own || !copied_watches(&own->copied, lo, hi))
		return true;
	profile->watch = WATCH_OFF; /* the kernel does not watch pages any more that were moved */
	rewind_taint_once(other_way);
	return false;
}

bool rewind_discards(uint64_t lo, uint64_t hi, bool writable)
{
	uint64_t entry[DISCARDED_AT_ONCE];
	uint32_t n = 0;
	int fd = own ? pages_open() : -1;
	if (fd < 0)
		return false;
	own->recount = true; /* putting discarded pages back causes page faults */
	for (uint64_t at = lo; at < hi; at += DISCARDED_AT_ONCE * PAGE_BYTES) {
		uint64_t pages = (hi - at) / PAGE_BYTES < DISCARDED_AT_ONCE ? (hi - at) / PAGE_BYTES : DISCARDED_AT_ONCE;
		uint64_t got = pages_read(fd, at, pages, entry);
		for (uint64_t i = 0; i < pages; i++)
			if (i >= got || (entry[i] & PAGE_SWAPPED) || ((entry[i] & PAGE_PRESENT) && !(entry[i] & PAGE_FILE)))
				profile_see(&n, at + i * PAGE_BYTES);
	}
	sys_close(fd);
	bool news = n > PROFILE_PAGES || add_seen(n);
	if (news && writable)
		rewind_taint_once(new_pages);
	return !news || writable;
}

/* ---- copying and restoring ---- */

static void __attribute__((noreturn)) go_on(struct own *o, const struct fiber_ctx *at)
{
	o->begun = processor_ticks();
	make_session_ready();
	if (o->recount)
		o->faults = count_faults();
	o->recount = false;
	fiber_jump(&o->there, at);
	__builtin_unreachable();
}

/* Call it at the beginning of an execution. */
static void make_files_again(void)
{
	if (own->files_used)
		fd_restore();
}

static void __attribute__((noreturn)) make_copy(void)
{
	struct own *o = own;
	copied_make(&o->copied);
	if (o->window) {
		o->stack_lo = o->here.sp;
		processor_copy(o->aside, (const void *)o->stack_lo, aside_hi - o->stack_lo);
	}
	go_on(o, &o->here);
}

/* what_changed must see every write to private memory, so this function writes to none. copied_put_back then changes all private variables,
   simul's too, so afterwards only `o` is used. */
static void __attribute__((noreturn)) put_back(void)
{
	struct own *o = own;
	uint64_t start = processor_ticks(), lasted = start - o->begun;
	o->why = what_changed();
	if (o->why) {
		struct fiber_ctx nowhere;
		fiber_jump(&nowhere, &o->there);
	}
	ctl_session->ctl.rewind.rewound++;
	if (o->window) {
		copied_put_back_wrote(&o->copied);
		processor_copy((void *)o->stack_lo, o->aside, aside_hi - o->stack_lo);
		o->later = true;
		profile->rewound_at_window++;
		go_on(o, &o->here);
	}
	o->at_point = points_choose(&o->points, explore_repeats(ctl_segment(ctl_session->layout.explore_off), &ctl_trace), ctl_trace.n, lasted);
	ctl_session->ctl.rewind.restored_events += o->points.from;
	uint64_t dirty = copied_put_back(&o->copied, &o->points.versions);
	if (o->at_point)
		points_put_back(&o->points);
	policy_rewound(&o->worth, &o->copied, processor_ticks() - start, dirty);
	go_on(o, o->at_point ? &o->points.point[o->points.n - 1].here : &o->here);
}

/* Runs `f` on the stack in *own. Returns when `f` enters *from. */
static void enter(struct fiber_ctx *from, void (*f)(void))
{
	struct fiber_ctx to = registers_at_function(f, (uintptr_t)(own->stack + STACK_BYTES), fiber_cur->ctx.tls);
	from->tls = to.tls;
	fiber_jump(from, &to);
}

/* Makes the kernel grow the first thread's stack down to `page`, by a system call that reads a path there. Returns whether it did. */
static bool stack_reaches(uint64_t page)
{
	return sys_call2(SYS_access, (long)page, 0) != -EFAULT;
}

/* For written_look: adds the profile's pages of this mapping to the copy. */
static void note_mapping(void *ctx, const struct mapping *m)
{
	uint32_t *at = ctx; /* index into profile->page */
	older_add(m);
	for (; *at < profile->n && profile->page[*at] < m->hi; ++*at)
		if (m->writable && !m->shared && (profile->page[*at] >= m->lo || (m->stack && stack_reaches(profile->page[*at]))))
			copied_add(&own->copied, m, profile->page[*at]);
}

/* Maps the memory that survives a rewind. Returns false if there is no room. */
static bool make_own(void)
{
	size_t copies = copied_bytes(sizeof *own, profile->n);
	own = sys_map_shared(SYS_AWAY(3), copies + versions_bytes(profile->n));
	if (!own)
		return false;
	copied_at(&own->copied, own, sizeof *own, profile->n);
	points_at(&own->points, (char *)own + copies, profile->n);
	own->touched = true; /* by an execution of an earlier process */
	return true;
}

/* Chooses the pages to copy, and sets *layout as written_look does. Returns false if memory cannot be examined. */
static bool choose_pages(uint64_t *layout)
{
	uint32_t at = 0;
	const struct written_visitor visitor = { .ctx = &at, .mapping = note_mapping }, nothing = { .ctx = NULL };
	if (!written_look(&visitor, layout))
		return false;
	if (profile->watch != WATCH_ON || !copied_watch(&own->copied))
		return true;
	ctl_session->ctl.rewind.page_scan = PAGE_SCAN_USED;
	return written_look(&nothing, layout); /* once more, because watching may have merged mappings */
}

/* Forgets what the executions before this point have changed: it belongs to the checkpoint of this process. */
static void begin_here(void)
{
	written_begin();
	older_begin();
	state_begin();
	fd_all_older();
}

static void *prepare(void *unused)
{
	begin_here();
	for (uint32_t i = 0; i < profile->n_blocks; i++)
		shadow_page(profile->block[i]);
	if (profile->widen)
		profile_widen();
	if (!make_own() || !choose_pages(&own->layout)) {
		policy_stop("cannot be looked at (/proc/self/maps, memory)");
		return NULL;
	}
	open_fds_note(&own->fds, &own->copied.watch);
	own->mask = signal_mask();
	own->recount = true;
	return own;
}

static bool on_own_stack(void)
{
	uint64_t here = (uintptr_t)__builtin_frame_address(0);
	return here - aside_lo < aside_size;
}

void rewind_point(void)
{
	if (!rewind_wanted() || on_own_stack() || !aside(prepare, NULL))
		return;
	rewind_tainted = NULL;
	rewind_passes = outside_touched = false;
	made_begin();
	enter(&own->here, make_copy);
	make_files_again();
}

/* Returns whether the execution ends on a stack that it has mapped itself, as that of a coroutine. */
static bool on_made_stack(void)
{
	return made_has((const void *)((uintptr_t)__builtin_frame_address(0) & -(uint64_t)PAGE_BYTES), 1);
}

void rewind_again(void)
{
	if (!own || !rewind_wanted())
		return;
	if (on_made_stack()) { /* what_changed would unmap it, and may then have to return to it */
		policy_gave_up(&own->copied, POLICY_PASSES, "end on a stack that they mapped");
		return;
	}
	enter(&own->there, put_back);
	if (own->why != other_way)
		policy_gave_up(&own->copied, own->why == new_pages ? POLICY_NEW_PAGES : rewind_passes ? POLICY_PASSES : POLICY_STAYS, own->why);
}

/* ---- windows ---- */

/* Adds all pages in memory to the known ones. Returns false if there are too many. */
static bool know_all_pages(void)
{
	uint32_t n = 0;
	uint64_t layout;
	const struct written_visitor visitor = { .ctx = &n, .page = profile_see, .others = true };
	return written_look(&visitor, &layout) && n <= KNOWN_PROGRAMS && profile_add(n);
}

static bool prepare_at_window(void)
{
	begin_here();
	if (!know_all_pages() || !make_own())
		return false;
	uint32_t at = 0;
	const struct written_visitor visitor = { .ctx = &at, .mapping = note_mapping };
	return written_look(&visitor, &own->layout);
}

bool rewind_possible_at_windows(void)
{
	return profile && !profile->windows_off;
}

bool rewind_at_window(void)
{
	uint64_t used = aside_hi - (uintptr_t)__builtin_frame_address(0);
	if (!rewind_possible_at_windows() || !on_own_stack() || used > ASIDE_KEPT / 2)
		return false;
	if (!open_fds_hold(&profile->at_window, &profile->at_checkpoint))
		return false;
	set_huge_pages(true);
	if (!prepare_at_window()) {
		profile->windows_off = true;
		return false;
	}
	own->window = true;
	own->fds = profile->at_window;
	open_fds_note(&own->fds, NULL);
	own->mask = signal_mask();
	own->recount = true;
	rewind_tainted = NULL;
	rewind_passes = outside_touched = false;
	made_begin();
	enter(&own->here, make_copy);
	make_files_again();
	return own->later;
}

void rewind_to_window(void)
{
	if (!own || !own->window || on_made_stack())
		return;
	enter(&own->there, put_back);
	policy_left_window();
}

/* ---- points ---- */

/* Returns whether the search has sections that are steps. */
static bool steps_searched(void)
{
	return ctl_session->config.sections && ctl_session->ctl.discoveries.applied_regions & REGION_SECTIONS;
}

/* Returns whether this search can start executions at points. */
static bool points_possible(void)
{
	const struct session *s = ctl_session;
	return own && rewind_wanted() && !s->config.no_snapshots && !steps_searched() && !s->ctl.warm_up.running && !own->copied.watched &&
	       explore_backtracks(ctl_segment(s->layout.explore_off)) && !shared_any();
}

bool rewind_printed(void)
{
	return !own || own->touched;
}

void rewind_begin(void)
{
	snapshot_armed = points_possible();
	if (snapshot_armed)
		points_begin(&own->points, explore_prefix(ctl_segment(ctl_session->layout.explore_off)));
}

/* Returns whether the running execution has changed nothing but memory so far. */
static bool only_memory(void)
{
	return !rewind_tainted && !snapshot_tainted && !fd_made_any() && !fd_older_used() && !state_kept_any() &&
	       !made_any() && !older_changed_any() && !outside_touched;
}

static void __attribute__((noreturn)) add_point(void)
{
	struct own *o = own;
	const struct fiber_ctx *here = &o->points.point[o->points.n].here;
	points_add(&o->points, &o->copied);
	fiber_jump(&o->there, here);
	__builtin_unreachable();
}

void rewind_look(void)
{
	if (ctl_trace.n != own->points.next)
		return;
	bool probes = round_limits()->probe != PROBE_OFF; /* later executions do not repeat a probe */
	if (!on_own_stack() || !only_memory() || probes) {
		own->points.next = POINTS_NEVER;
		return;
	}
	enter(&own->points.point[own->points.n].here, add_point);
	if (!own->at_point)
		return;
	own->at_point = false; /* this is a later execution */
	make_files_again();
	files_restore(own->touched);
	points_resume(&own->points);
	rewind_begin();
}
