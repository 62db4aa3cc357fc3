/*
 * See rewind.h. What must outlive a rewind lies in a mapping that is shared, which is never copied: `known` with the zygote and
 * its other children, `aside` with nobody. The copy is made and put back by a stack in there.
 */
#include "preload/rewind.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "explore/explore.h"
#include "preload/aside.h"
#include "preload/core.h"
#include "preload/ctl.h"
#include "preload/heap.h"
#include "preload/snapshot.h"
#include "preload/sys.h"
#include "preload/written.h"
#include "preload/rules.h"

#define MAX_PAGES 16384u      /* to copy that many takes longer than a fork */
#define MAX_FDS 32            /* that are looked at after each execution; the others now and then */
#define STACK_BYTES 131072u
#define AHEAD (UINT64_C(1) << 20) /* bytes of the session that are made ready before they are needed */
#define SHOTS 16              /* processes that could not be rewound, before anybody thinks about it */
#define STAINED_SHOTS 3       /* the same of those whose reason is not one that passes */
#define WASTED_PAGES 32768u   /* the same when so many pages were copied for them */
#define WORTH 8               /* after that: so many rewinds for each of them */
#define MANY_PAGES 512u       /* so many take less time than any fork */
#define FAULT_TICKS 2000u     /* at least, for each page that an execution writes to after a fork */
#define LIFE 3                /* a process costs so many times what the call of fork does: start, end, wait */
#define ENOUGH 16             /* rewinds before they are compared with forks */
#define LONG 16               /* an execution that takes so many times what a process does is better not repeated from the start */
#define LONG_ONES 4           /* so many of them in a process */

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
	uint32_t n;
	uint64_t page[MAX_PAGES];
	uint64_t seen[MAX_PAGES]; /* room for written_look */
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
	bool (*restore)(void *to, const void *from); /* one page */
	uint64_t begun;             /* when this execution was */
	uint32_t long_ones;
	uint64_t ticks, fork_ticks, compared; /* what the fastest of so many rewinds took, and what as many forks would have, in all */
	uint32_t n;                 /* pages copied */
	uint64_t *page;
	char *copy;
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

/* This process cannot go on. Is it worth while to copy memory for the next one? */
static void give_up(const char *why)
{
	const struct session_control *c = &ctl_session->ctl;
	known->gave_up++;
	known->wasted += own->n;
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
	for (unsigned i = 0; i < own->n_fds; i++)
		if (own->fd[i] > own->next_fd && own->fd[i] != ctl_session_fd)
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
	if (*n < MAX_PAGES)
		known->seen[*n] = addr;
	++*n;
}

/* Adds what was seen to what is known. true when something is new to this process. */
static bool learn_pages(uint32_t n)
{
	uint32_t i = 0, k = 0, more = 0;
	bool news = false;
	for (i = 0; i < n; i++) { /* news to this process? */
		while (k < own->n && own->page[k] < known->seen[i])
			k++;
		news |= k == own->n || own->page[k] != known->seen[i];
	}
	for (i = k = 0; i < n; i++) { /* what is new to all is moved to the front of `seen` */
		while (k < known->n && known->page[k] < known->seen[i])
			k++;
		if (k == known->n || known->page[k] != known->seen[i])
			known->seen[more++] = known->seen[i];
	}
	if (known->n + more > MAX_PAGES)
		return true;
	uint32_t from = known->n, to = known->n + more;
	known->n = to;
	while (more) /* merged from behind */
		known->page[--to] = from && known->page[from - 1] > known->seen[more - 1] ? known->page[--from] : known->seen[--more];
	return news;
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
	if (n > MAX_PAGES) {
		stop_for_good("write to more than 64 MiB of memory");
		return "write to too much memory";
	}
	bool news = learn_pages(n);
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

static const char *what_changed(void)
{
	const char *why = rewind_stained ? rewind_stained : descriptors_changed();
	long faults = why ? 0 : count_faults();
	if (!why && faults != own->faults) {
		why = look_at_memory();
		own->recount = true;
	}
	own->executions++;
	if (!why && !(own->executions & (own->executions - 1)))
		why = look_closely();
	return why;
}

/* ---- there and back ---- */

bool rewind_page_avx2(void *to, const void *from); /* rewind_x86_64.S */

static bool has_avx2(void)
{
	uint32_t a = 7, b, c = 0, d;
	__asm__("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
	return ctl_avx && (b & 1u << 5);
}

/* rep movsb: at this point the program's registers are saved, and nothing of libc's may be used. Says, like rewind_page_avx2, that
   there was something to do: it does not know. */
static bool copy_page(void *to, const void *from)
{
	uint64_t n = PAGE_BYTES;
	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
	return true;
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

/* Of much memory that some execution writes to each may write to little. A fork copies what is written to, a rewind looks at all of it:
   `took` ticks this time, with `dirty` pages that had changed. The fastest of each is what counts: others were interrupted. */
static void compare_with_fork(struct own *o, uint64_t took, uint64_t dirty)
{
	if (o->n < MANY_PAGES)
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
	const struct session *s = ctl_session;
	if (s->config.isolation != ISOLATION_AUTO || !snapshot_possible() || !s->ctl.fork_ticks)
		return;
	bool lasts = ticks() - o->begun > s->ctl.fork_ticks * LIFE * LONG;
	o->long_ones = lasts ? o->long_ones + 1 : 0;
	if (o->long_ones == LONG_ONES)
		stop_for_good("take long: they start in the middle, from snapshots");
}

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
	for (uint32_t i = 0; i < o->n; i++)
		copy_page(o->copy + (uint64_t)i * PAGE_BYTES, (const void *)o->page[i]);
	go_on(o);
}

/* From here on nothing private is written, or it would be written after it was looked at. And then all of simul's own variables
   change under it. */
static void __attribute__((noreturn)) put_back(void)
{
	struct own *o = own;
	o->why = what_changed();
	if (o->why) {
		struct fiber_ctx nowhere;
		fiber_jump(&nowhere, &o->there);
	}
	ctl_session->ctl.rewound++;
	uint64_t start = ticks(), dirty = 0;
	for (uint32_t i = 0; i < o->n; i++)
		dirty += o->restore((void *)o->page[i], o->copy + (uint64_t)i * PAGE_BYTES);
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

/* Pages of known memory that are there: all but surprises. */
static void note_mapping(void *ctx, const struct mapping *m)
{
	uint32_t *at = ctx; /* in known->page */
	for (; *at < known->n && known->page[*at] < m->hi; ++*at)
		if (known->page[*at] >= m->lo && m->writable && !m->shared)
			own->page[own->n++] = known->page[*at];
}

/* false: there is no room. */
static bool make_own(void)
{
	uint64_t pages = known->n, head = (sizeof *own + pages * 8 + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
	own = map_shared(SYS_AWAY(3), head + pages * PAGE_BYTES);
	if (!own)
		return false;
	own->page = (uint64_t *)(own + 1);
	own->copy = (char *)own + head;
	return true;
}

static void *prepare(void *unused)
{
	uint32_t at = 0;
	const struct written_tell tell = { .ctx = &at, .mapping = note_mapping };
	written_begin();
	if (!make_own() || !written_look(&tell, &own->layout)) {
		stop_for_good("cannot be looked at (/proc/self/maps, memory)");
		return NULL;
	}
	own->restore = has_avx2() ? rewind_page_avx2 : copy_page;
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
	give_up(own->why);
}
