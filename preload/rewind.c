/*
 * See rewind.h. What must outlive a rewind lies in a mapping that is shared, which is never copied: `known` with the zygote and
 * its other children, `aside` with nobody. The copy is made and put back by a stack in there.
 */
#include "preload/rewind.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "explore/explore.h"
#include "preload/aside.h"
#include "preload/copied.h"
#include "preload/core.h"
#include "preload/ctl.h"
#include "preload/heap.h"
#include "preload/shadow.h"
#include "preload/snapshot.h"
#include "preload/sys.h"
#include "preload/written.h"
#include "preload/rules.h"

#define MAX_PAGES 20480u      /* of the program's memory, */
#define ALL_PAGES (2 * MAX_PAGES + 1024) /* and with simul's shadow of that (shadow.h) and what else it writes to */
#define MAX_FDS 32            /* that are looked at after each execution; the others now and then */
#define STACK_BYTES 131072u
#define AHEAD (UINT64_C(1) << 20) /* bytes of the session that are made ready before they are needed */
#define SHOTS 16              /* processes that could not be rewound, before anybody thinks about it */
#define STAINED_SHOTS 3       /* the same of those whose reason is not one that passes */
#define WASTED_PAGES (3 * ALL_PAGES)/* the same when so many pages were copied for them */
#define WORTH 8               /* after that: so many rewinds for each of them */
#define MANY_PAGES 512u       /* so many take less time than any fork */
#define FAULT_TICKS 2000u     /* at least, for each page that an execution writes to after a fork */
#define LIFE 3                /* a process costs so many times what the call of fork does: start, end, wait */
#define ENOUGH 16             /* rewinds before they are compared with forks */
#define TRIAL 8               /* rewinds before comparing is compared with watching */
#define WATCH_FROM 256u       /* pages in long runs: fewer are compared in no time */
#define WATCH_BELOW 8         /* watched when fewer than one in so many is written to, */
#define WATCH_ABOVE 4         /* no more when more than one in so many is */
#define BLOCK_BYTES (UINT64_C(1) << 24) /* of memory whose shadow lies together */
#define MAX_BLOCKS 64
#define FRESH 4               /* processes that wrote to new pages, before pages are copied that none wrote to yet */
#define LONG_ONES 4           /* executions in a row that take so long that they had better not be repeated from the start */

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

const char *rewind_stained;
bool rewind_passes;

/* The pages that some execution has written to, in order. */
static struct known {
	uint64_t gave_up;   /* processes that could not be rewound, */
	uint64_t stained;   /* and for a reason that the next one will have too; */
	uint64_t wasted;    /* pages that were copied for them */
	uint32_t fresh;     /* processes that could not be rewound because of new pages */
	bool widen;         /* the next process copies what lies beside known pages */
	uint32_t n_blocks;  /* whose shadow gets its place at the checkpoint, in this order, so that it is the same in each process */
	uint64_t block[MAX_BLOCKS]; /* an address of each */
	enum { WATCH_OPEN, WATCH_ON, WATCH_OFF } watch; /* are long runs of pages watched, or compared? */
	uint32_t n;
	uint64_t page[ALL_PAGES];
	uint64_t seen[ALL_PAGES]; /* room for written_look */
} *known;

/* Of this process. */
static struct own {
	struct fiber_ctx here;      /* at the checkpoint */
	struct fiber_ctx there;     /* at the end of an execution: nobody returns but when it cannot be rewound */
	const char *why;            /* which is why */
	uint64_t executions, layout, session_ready;
	long faults, next_fd;
	uint64_t mask;
	bool recount;               /* simul itself had page faults since they were counted */
	unsigned n_fds, n_far;
	int fd[MAX_FDS], far[MAX_FDS]; /* open; those beyond the next number */
	uint64_t begun;             /* when this execution was */
	uint32_t long_ones;
	uint64_t ticks, fork_ticks, compared; /* what the fastest of so many rewinds took, and what as many forks would have, in all */
	uint64_t dirty, rounds;     /* pages that executions wrote to, in so many of them */
	struct copied copied;
	char stack[STACK_BYTES];
} *own;

static void *map_shared(void *wish, uint64_t bytes)
{
	void *p = sys_mmap(wish, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return sys_failed((long)p) ? NULL : p;
}

/* ---- for good or not ---- */

static void note_why(const char *why)
{
	struct session_control *c = &ctl_session->ctl;
	size_t n = strlen(why) < SESSION_MESSAGE ? strlen(why) : SESSION_MESSAGE - 1;
	memcpy(c->rewind_why, why, n);
	c->rewind_why[n] = 0;
}

static void stop_for_good(const char *why)
{
	note_why(why);
	ctl_session->ctl.rewind_off = 1;
}

static const char new_pages[] = "keep writing to memory that none wrote to before";
static const char other_way[] = "are put back in another way from now on";

/* This process cannot go on. Is it worth while to copy memory for the next one? */
static void give_up(const char *why)
{
	const struct session_control *c = &ctl_session->ctl;
	known->gave_up++;
	known->wasted += own->copied.n;
	if (why == new_pages && ++known->fresh % FRESH == 0)
		known->widen = true;
	if (why != new_pages && !rewind_passes) { /* which are only a matter of learning, at first */
		note_why(why);
		known->stained++;
	}
	bool enough = known->gave_up >= SHOTS || known->stained >= STAINED_SHOTS || known->wasted >= WASTED_PAGES;
	if (enough && c->rewound < known->gave_up * WORTH)
		stop_for_good(why);
}

bool rewind_wanted(void)
{
	const struct session *s = ctl_session;
	return known && !s->ctl.rewind_off && s->config.mode == MODE_EXPLORE && !s->config.pause_at_end;
}

static bool huge_pages_off; /* in the zygote, and so in the next child */

void rewind_init(void)
{
	const struct session_config *c = &ctl_session->config;
	if ((c->isolation != ISOLATION_REWIND && c->isolation != ISOLATION_AUTO) || c->mode != MODE_EXPLORE || c->threads != THREADS_FIBER)
		return;
	known = map_shared(SYS_AWAY(2), sizeof *known);
	if (!known) {
		stop_for_good("no memory for copies");
		return;
	}
	/* A fault on a huge page would make 512 pages seem written. */
	huge_pages_off = !sys_prctl(PR_SET_THP_DISABLE, 1, 0);
	heap_share();
}

void rewind_before_fork(void)
{
	if (huge_pages_off && !rewind_wanted())
		huge_pages_off = sys_prctl(PR_SET_THP_DISABLE, 0, 0);
}

/* ---- the state of the process that is not memory ---- */

static long count_faults(void)
{
	struct rusage r;
	sys_call2(SYS_getrusage, RUSAGE_THREAD, (long)&r);
	return r.ru_minflt + r.ru_majflt;
}

/* The number that the next descriptor would have. */
static long next_fd(void)
{
	long fd = sys_fcntl(own->fd[0], F_DUPFD_CLOEXEC, 0);
	if (!sys_failed(fd))
		sys_close((int)fd);
	return fd;
}

static uint64_t signal_mask(void)
{
	uint64_t mask = 0;
	sys_sigprocmask(0, NULL, &mask);
	return mask;
}

static bool is_open(int fd)
{
	return !sys_failed(sys_fcntl(fd, F_GETFD, 0));
}

static void note_descriptors(void)
{
	own->n_fds = own->n_far = 0;
	for (int fd = 0; fd < 1024 && own->n_fds < MAX_FDS; fd++)
		if (is_open(fd))
			own->fd[own->n_fds++] = fd;
	own->next_fd = next_fd();
	const struct watch *w = &own->copied.watch;
	for (unsigned i = 0; i < own->n_fds; i++)
		if (own->fd[i] > own->next_fd && own->fd[i] != ctl_session_fd && own->fd[i] != w->uffd && own->fd[i] != w->pagemap)
			own->far[own->n_far++] = own->fd[i];
}

/* One that was closed below the next number, or opened, changes that number. */
static const char *descriptors_changed(void)
{
	for (unsigned i = 0; i < own->n_far; i++)
		if (!is_open(own->far[i]))
			return "close files";
	long next = next_fd();
	return next > own->next_fd ? "leave files open" : next < own->next_fd ? "close files" : NULL;
}

/* The search and the trace grow while executions run. That must not look like memory of the program. */
static void make_session_ready(void)
{
	const struct session_layout *l = &ctl_session->layout;
	uint64_t used = explore_used(ctl_segment(l->explore_off));
	if (used + AHEAD / 4 <= own->session_ready)
		return;
	own->recount = true;
	uint64_t lo = (uintptr_t)ctl_segment(l->explore_off + own->session_ready) & -(uint64_t)PAGE_BYTES;
	uint64_t to = used + AHEAD < l->explore_size ? used + AHEAD : l->explore_size;
	uint64_t hi = (uintptr_t)ctl_segment(l->explore_off + to) & -(uint64_t)PAGE_BYTES;
	if (hi > lo)
		sys_call3(SYS_madvise, (long)lo, (long)(hi - lo), MADV_POPULATE_WRITE);
	own->session_ready = to;
}

/* ---- pages ---- */

static void see_page(void *ctx, uint64_t addr)
{
	uint32_t *n = ctx;
	if (*n < ALL_PAGES)
		known->seen[*n] = addr;
	++*n;
}

/* Is any of what was seen no page of the copy? */
static bool seen_news(uint32_t n)
{
	const struct copied *c = &own->copied;
	uint32_t k = 0;
	for (uint32_t i = 0; i < n; i++) {
		while (k < c->n && c->page[k] < known->seen[i])
			k++;
		if (k == c->n || c->page[k] != known->seen[i])
			return true;
	}
	return false;
}

/* Adds what was seen to what is known. false: there is no room. */
static bool learn_pages(uint32_t n)
{
	uint32_t k = 0, more = 0;
	for (uint32_t i = 0; i < n; i++) { /* what is new is moved to the front of `seen` */
		while (k < known->n && known->page[k] < known->seen[i])
			k++;
		if (k == known->n || known->page[k] != known->seen[i])
			known->seen[more++] = known->seen[i];
	}
	if (known->n + more > ALL_PAGES)
		return false;
	uint32_t from = known->n, to = known->n + more;
	known->n = to;
	while (more) /* merged from behind */
		known->page[--to] = from && known->page[from - 1] > known->seen[more - 1] ? known->page[--from] : known->seen[--more];
	return true;
}

/* NULL, or why the copy is not enough. */
static const char *look_at_memory(void)
{
	uint32_t n = 0;
	uint64_t layout;
	const struct written_tell tell = { .ctx = &n, .page = see_page };
	if (!written_look(&tell, &layout)) {
		stop_for_good("cannot be looked at (/proc/self/pagemap)");
		return "cannot be looked at";
	}
	if (n > ALL_PAGES) {
		stop_for_good("write to too much memory");
		return "write to too much memory";
	}
	bool news = seen_news(n);
	learn_pages(n);
	if (layout != own->layout)
		return "change what is mapped";
	return news ? new_pages : NULL;
}

/* In the execution 1, 2, 4, 8 and so on of this process. */
static const char *look_closely(void)
{
	const struct written_tell nothing = { .ctx = NULL };
	uint64_t layout;
	int fd = -1;
	if (!written_look(&nothing, &layout) || layout != own->layout)
		return "change what is mapped";
	if (signal_mask() != own->mask)
		return "change the signal mask";
	for (unsigned i = 0; fd < 1024 && own->n_fds < MAX_FDS; i++) {
		for (fd++; fd < 1024 && sys_failed(sys_fcntl(fd, F_GETFD, 0)); fd++)
			;
		if (fd < 1024 && (i >= own->n_fds || own->fd[i] != fd))
			return "leave files open";
	}
	return NULL;
}

/* Can pages be watched? Asked when that would pay. */
static bool may_watch(void)
{
	if (known->watch == WATCH_OPEN) {
		known->watch = watch_possible() ? WATCH_ON : WATCH_OFF;
		if (known->watch == WATCH_OFF)
			ctl_session->ctl.page_scan = PAGE_SCAN_MISSING;
	}
	return known->watch == WATCH_ON;
}

/* Asked once in each process, after some rewinds: should pages be watched, or not any more? For the next process. */
static bool better_otherwise(void)
{
	const struct copied *c = &own->copied;
	if (own->rounds != TRIAL)
		return false;
	if (c->watched) {
		if (own->dirty * WATCH_ABOVE <= (uint64_t)c->watched * own->rounds)
			return false;
		known->watch = WATCH_OFF;
		return true;
	}
	if (known->watch != WATCH_OPEN || c->long_runs < WATCH_FROM || own->dirty * WATCH_BELOW > (uint64_t)c->long_runs * own->rounds)
		return false;
	return may_watch();
}

static const char *what_changed(void)
{
	const char *why = rewind_stained ? rewind_stained : descriptors_changed();
	if (!why) {
		long faults = count_faults() - own->faults;
		copied_look(&own->copied);
		own->recount |= faults;
		if (faults != (long)own->copied.written)
			why = look_at_memory();
	}
	own->executions++;
	if (!why && !(own->executions & (own->executions - 1)))
		why = look_closely();
	return !why && better_otherwise() ? other_way : why;
}

/* ---- what it costs ---- */

static uint64_t ticks(void)
{
	return __builtin_ia32_rdtsc();
}

void rewind_forked(uint64_t start)
{
	uint64_t took = ticks() - start, *least = &ctl_session->ctl.fork_ticks;
	if (!*least || took < *least)
		*least = took;
}

uint64_t rewind_clock(void)
{
	return ticks();
}

/* Of much memory that some execution writes to each may write to little. A fork copies what is written to, a rewind looks at all of it that
   is not watched: `took` ticks this time, with `dirty` pages there that had changed. (Those that are watched had a page fault in either case.) The fastest of each is what counts: others were interrupted. */
static void compare_with_fork(struct own *o, uint64_t took, uint64_t dirty)
{
	if (o->copied.n < MANY_PAGES)
		return;
	o->ticks = !o->compared || took < o->ticks ? took : o->ticks;
	o->fork_ticks += ctl_session->ctl.fork_ticks * LIFE + dirty * FAULT_TICKS;
	if (++o->compared % ENOUGH == 0 && o->ticks * o->compared > o->fork_ticks)
		stop_for_good("write to little of much memory, not always the same");
}

/* A process forked in the middle of an execution need not repeat what came before (snapshot.h); memory can only be put back to the
   start. */
static void compare_with_snapshots(struct own *o)
{
	bool lasts = ctl_session->config.isolation == ISOLATION_AUTO && snapshot_pays(ticks() - o->begun);
	o->long_ones = lasts ? o->long_ones + 1 : 0;
	if (o->long_ones == LONG_ONES)
		stop_for_good("take long: they start in the middle, from snapshots");
}

/* ---- there and back ---- */

static void __attribute__((noreturn)) go_on(struct own *o)
{
	o->begun = ticks();
	make_session_ready();
	if (o->recount)
		o->faults = count_faults();
	o->recount = false;
	fiber_jump(&o->there, &o->here);
	__builtin_unreachable();
}

static void __attribute__((noreturn)) make_copy(void)
{
	struct own *o = own;
	copied_make(&o->copied);
	go_on(o);
}

/* From here on nothing private is written, or it would be written after it was looked at. And then all of simul's own variables
   change under it. */
static void __attribute__((noreturn)) put_back(void)
{
	struct own *o = own;
	uint64_t start = ticks();
	o->why = what_changed();
	if (o->why) {
		struct fiber_ctx nowhere;
		fiber_jump(&nowhere, &o->there);
	}
	ctl_session->ctl.rewound++;
	uint64_t dirty = copied_put_back(&o->copied);
	o->dirty += o->copied.watched ? o->copied.written : dirty;
	o->rounds++;
	compare_with_fork(o, ticks() - start, dirty);
	compare_with_snapshots(o);
	go_on(o);
}

/* Runs `f` on the stack in *own; returns when it goes on at *from. */
static void enter(struct fiber_ctx *from, void (*f)(void))
{
	struct fiber_ctx to = { .mxcsr = 0x1f80, .x87 = 0x37f, .fsbase = fiber_cur->ctx.fsbase };
	to.rsp = ((uintptr_t)(own->stack + STACK_BYTES) & -UINT64_C(16)) - 8; /* as behind a call */
	to.rip = (uintptr_t)f;
	from->fsbase = to.fsbase;
	fiber_jump(from, &to);
}

/* Is it private memory of the program's, not of simul's? */
static bool programs(const struct mapping *m)
{
	uint64_t lo, hi;
	shadow_region(&lo, &hi);
	return m->writable && !m->shared && !m->stack && !(m->lo < hi && m->hi > lo) && m->lo != ctl_arena_start();
}

/* What lies beside known pages: all pages in memory of such mappings that have a known page. */
struct beside {
	uint32_t n, at; /* as see_page; in known->page */
	bool wanted, shadow;
};

static void look_beside(void *ctx, const struct mapping *m)
{
	struct beside *b = ctx;
	while (b->at < known->n && known->page[b->at] < m->lo)
		b->at++;
	b->wanted = b->at < known->n && known->page[b->at] < m->hi && programs(m);
}

/* The shadow of the page at addr; 0: it may lie anywhere, since there are too many. */
static uint64_t place_shadow(uint64_t addr)
{
	uint64_t lo = addr & -BLOCK_BYTES;
	uint32_t i = 0;
	while (i < known->n_blocks && known->block[i] != lo)
		i++;
	if (i == MAX_BLOCKS)
		return 0;
	known->block[i] = lo;
	known->n_blocks += i == known->n_blocks;
	return shadow_page(addr);
}

static void see_beside(void *ctx, uint64_t addr)
{
	struct beside *b = ctx;
	if (!b->wanted)
		return;
	if (b->shadow && !(addr = place_shadow(addr)))
		return;
	if (b->n && b->n <= ALL_PAGES && addr < known->seen[b->n - 1]) { /* another leaf of the shadow */
		learn_pages(b->n);
		b->n = 0;
	}
	see_page(&b->n, addr);
}

static bool learn_beside(bool shadow)
{
	struct beside b = { .shadow = shadow };
	const struct written_tell tell = { .ctx = &b, .mapping = look_beside, .page = see_beside, .others = true };
	uint64_t layout;
	if (!written_look(&tell, &layout) || b.n > MAX_PAGES || (b.n > MANY_PAGES && !may_watch()))
		return false;
	return learn_pages(b.n);
}

/* Executions keep writing to other pages of memory that was there before them. So all of that is copied, if it can be watched or is little. */
static void widen(void)
{
	known->widen = false;
	if (learn_beside(false))
		learn_beside(true);
}

/* The first thread's stack grows when the kernel finds a page below it in use, here by looking for the end of a path there. */
static bool stack_reaches(uint64_t page)
{
	return sys_call2(SYS_access, (long)page, 0) != -EFAULT;
}

/* Pages of known memory that are there: all but surprises. */
static void note_mapping(void *ctx, const struct mapping *m)
{
	uint32_t *at = ctx; /* in known->page */
	for (; *at < known->n && known->page[*at] < m->hi; ++*at)
		if (m->writable && !m->shared && (known->page[*at] >= m->lo || (m->stack && stack_reaches(known->page[*at]))))
			copied_add(&own->copied, m, known->page[*at]);
}

/* false: there is no room. */
static bool make_own(void)
{
	own = map_shared(SYS_AWAY(3), copied_bytes(sizeof *own, known->n));
	if (!own)
		return false;
	copied_at(&own->copied, own, sizeof *own, known->n);
	return true;
}

/* Decides what is copied. *layout: written_look's. */
static bool choose_pages(uint64_t *layout)
{
	uint32_t at = 0;
	const struct written_tell tell = { .ctx = &at, .mapping = note_mapping }, nothing = { .ctx = NULL };
	if (!written_look(&tell, layout))
		return false;
	if (known->watch != WATCH_ON || !copied_watch(&own->copied))
		return true;
	ctl_session->ctl.page_scan = PAGE_SCAN_USED;
	return written_look(&nothing, layout); /* mappings may have been joined */
}

static void *prepare(void *unused)
{
	written_begin();
	for (uint32_t i = 0; i < known->n_blocks; i++)
		shadow_page(known->block[i]);
	if (known->widen)
		widen();
	if (!make_own() || !choose_pages(&own->layout)) {
		stop_for_good("cannot be looked at (/proc/self/maps, memory)");
		return NULL;
	}
	note_descriptors();
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
	rewind_stained = NULL;
	rewind_passes = false;
	enter(&own->here, make_copy);
}

void rewind_again(void)
{
	if (!own || !rewind_wanted())
		return;
	enter(&own->there, put_back);
	if (own->why != other_way)
		give_up(own->why);
}
