/* The bug of the running execution, in the session segment. */
#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "base/hash.h"
#include "preload/base/operations.h"
#include "preload/base/state.h"
#include "preload/base/sys.h"
#include "preload/base/thread.h"
#include "preload/failure/bug.h"
#include "preload/failure/values.h"
#include "sched/robust.h"
#include "preload/base/rules.h"

struct session_bug *bug_begin(enum bug_kind kind)
{
	struct session_bug *b = &ctl_session->bug;
	memset(b, 0, sizeof *b);
	b->kind = kind;
	b->thread = fiber_cur ? fiber_cur->id : 0;
	strncpy(b->process, operations.failing(), sizeof b->process - 1);
	return b;
}

void bug_message(struct session_bug *b, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(b->message, sizeof b->message, fmt, ap);
	va_end(ap);
}

static uint64_t mix(uint64_t h, uint64_t v)
{
	return hash_bytes(h, &v, sizeof v);
}

struct place {
	uint64_t pc, hash;
};

static int find_module(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct place *p = arg;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *h = &info->dlpi_phdr[i];
		if (h->p_type != PT_LOAD || p->pc - info->dlpi_addr - h->p_vaddr >= h->p_memsz)
			continue;
		p->hash = mix(p->hash, p->pc - info->dlpi_addr);
		for (const char *c = info->dlpi_name; *c; c++)
			p->hash = mix(p->hash, (unsigned char)*c);
		return 1;
	}
	return 0;
}

/* Mixes pc into the hash as a module name and an offset, which do not depend on where the module is loaded. */
static uint64_t mix_pc(uint64_t h, uint64_t pc)
{
	struct place p = { .pc = pc, .hash = h };
	dl_iterate_phdr(find_module, &p);
	return p.hash;
}

uint64_t bug_hash_frames(uint64_t h, const struct session_stack *stack, unsigned frames)
{
	for (unsigned i = 0; i < stack->n && i < frames; i++)
		h = mix_pc(h, stack->pc[i]);
	return h;
}

/* Two failures are one bug when their kind, their message and this many innermost frames are equal. The outer frames do not count. */
#define SIGNATURE_FRAMES 3

void bug_sign(struct session_bug *b)
{
	uint64_t h = mix(HASH_START, b->kind);
	h = mix(h, (uint64_t)b->signal << 32 | (uint32_t)b->status);
	h = mix(h, b->misuse);
	for (const char *p = b->message; *p; p++)
		h = mix(h, (unsigned char)*p);
	h = bug_hash_frames(h, &b->stack, SIGNATURE_FRAMES);
	b->signature = h ? h : 1;
}

/* Returns whether t waits, directly or through other threads, for itself. */
static bool in_cycle(thread_id t)
{
	thread_id x = t;
	for (unsigned i = world_live_threads(ctl_world); i; i--) {
		x = world_waits_for(ctl_world, x);
		if (x == t)
			return true;
		if (x == NO_THREAD || !world_alive(ctl_world, x))
			return false;
	}
	return false;
}

bool bug_circle(void)
{
	for (struct fiber *f = fiber_first; f; f = f->next)
		if (f->id != NO_THREAD && world_alive(ctl_world, f->id) && in_cycle(f->id))
			return true;
	return false;
}

/* Returns how well a blocked thread explains the deadlock: best is a thread in a cycle, worst one that waits in pthread_join. */
static int weight(const struct fiber *f, const struct op *op)
{
	return in_cycle(f->id) ? 3 : op->kind == EV_THREAD_JOIN ? 1 : 2;
}

/* Makes the bug a livelock: threads spin on memory that no thread will change. The first of them becomes the bug's thread. */
static void bug_livelock(struct session_bug *b, unsigned spinning, unsigned n)
{
	const struct op *op = NULL;
	b->kind = BUG_LIVELOCK;
	for (struct fiber *f = fiber_first; f && !op; f = f->next) {
		op = f->id == NO_THREAD ? NULL : world_pending(ctl_world, f->id);
		op = op && (op->flags & OPF_AWAIT) && event_kind_object(op->kind) == OBJ_MEMORY ? op : NULL;
		b->thread = op ? f->id : b->thread;
	}
	b->stack.pc[0] = op ? op->pc : 0;
	b->stack.n = b->stack.pc[0] != 0;
	bug_message(b, "livelock: %u thread%s in a loop that no thread can end, %u blocked for ever in all", spinning,
		spinning == 1 ? " spins" : "s spin", n);
}

static char process_words[160];

void bug_waits_for_process(thread_id t, pid_t pid, uint64_t ms, bool lock)
{
	char process[24] = "a process";
	if (pid)
		snprintf(process, sizeof process, "process %d", (int)pid);
	snprintf(process_words, sizeof process_words, "; T%u waits for %s, which has not ended for %u.%u s%s", (unsigned)t, process,
		(unsigned)(ms / 1000), (unsigned)(ms / 100 % 10),
		lock ? ": it waits for a lock that no thread of it holds" : "");
}

/* The signature of a deadlock is a sum over its blocked threads, so it does not depend on the order in which they were blocked. */
void bug_deadlock(void)
{
	struct session_bug *b = bug_begin(BUG_DEADLOCK);
	uint64_t h = 0;
	unsigned n = 0;
	int best = 0;
	b->thread = NO_THREAD;
	for (struct fiber *f = fiber_first; f; f = f->next) {
		const struct op *op = f->id == NO_THREAD ? NULL : world_pending(ctl_world, f->id);
		if (!op)
			continue;
		uint64_t loop = world_spins_at(ctl_world, f->id); /* the loop as a whole: the place inside the loop varies */
		h += mix_pc(mix(HASH_START, loop ? EV_LOAD : op->kind), loop ? loop : op->pc);
		if (weight(f, op) > best) {
			best = weight(f, op);
			b->thread = f->id;
		}
		n++;
	}
	unsigned spinning;
	world_stuck(ctl_world, &spinning);
	if (spinning)
		bug_livelock(b, spinning, n);
	else
		bug_message(b, "deadlock: %u thread%s blocked for ever%s", n, n == 1 ? "" : "s", process_words);
	h = mix(h, b->kind);
	b->signature = h ? h : 1;
}

/* Hashes kind and code address of an event. */
static uint64_t hash_event(const struct event *e)
{
	return mix_pc(mix(HASH_START, e->kind), e->pc);
}

/* The signature is a sum over the events of the cycle, so it depends neither on the threads nor on the first event. */
static void bug_cycle(const struct robust_cycle *c)
{
	struct session *s = ctl_session;
	struct session_bug *b = bug_begin(BUG_ROBUSTNESS);
	const struct event *first = &ctl_trace.event[c->event[0]];
	uint64_t h = 0;
	b->thread = first->thread;
	b->cycle_n = c->n;
	for (uint32_t i = 0; i < c->n; i++) {
		b->cycle[i].event = c->event[i];
		b->cycle[i].step = c->step[i];
		h += hash_event(&ctl_trace.event[c->event[i]]);
	}
	if (s->config.keep_stacks && c->event[0] < s->layout.stacks_cap)
		b->stack = ((struct session_frames *)ctl_segment(s->layout.stacks_off))[c->event[0]].stack;
	b->stack.n = b->stack.n ? b->stack.n : first->pc != 0;
	b->stack.pc[0] = first->pc;
	bug_message(b, "this execution is impossible under sequential consistency");
	h = mix(h, b->kind);
	b->signature = h ? h : 1;
}
_Static_assert(ROBUST_MOST == SESSION_CYCLE, "a cycle is reported as a whole");

#define SCRATCH_BYTES (UINT64_C(1) << 32) /* reserved address space; a page takes memory at its first use */

bool bug_robustness(void)
{
	struct robust_cycle c;
	bool unknown, late = false;
	for (uint32_t i = 0; i < ctl_trace.n && !late; i++)
		late = ctl_trace.event[i].kind == EV_UPDATE;
	if (!late)
		return false;
	void *room = sys_mmap(NULL, SCRATCH_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (sys_failed((long)room))
		ctl_refuse("no room in the program's address space to check for sequential consistency (check the limit on address space: ulimit -v)");
	bool robust = robust_check(ctl_trace.event, ctl_trace.n, arena_init(room, SCRATCH_BYTES), &c, &unknown);
	sys_munmap(room, SCRATCH_BYTES);
	if (unknown)
		ctl_refuse("the execution is too long to be checked for sequential consistency: try a smaller --max-steps");
	if (!robust)
		bug_cycle(&c);
	return !robust;
}

static void write_threads(void)
{
	struct session *s = ctl_session;
	struct session_thread *t = ctl_segment(s->layout.threads_off);
	for (struct fiber *f = fiber_first; f; f = f->next) {
		if (f->id == NO_THREAD || f->id >= s->layout.threads_cap)
			continue;
		t[f->id].alive = world_alive(ctl_world, f->id);
		t[f->id].waits_for = t[f->id].alive ? world_waits_for(ctl_world, f->id) : NO_THREAD;
		t[f->id].start_pc = (uintptr_t)f->start;
	}
}

void bug_objects(void)
{
	struct session *s = ctl_session;
	struct session_object *to = ctl_segment(s->layout.objects_off);
	unsigned n = world_object_count(ctl_world);
	to[n < s->layout.objects_cap ? n : s->layout.objects_cap - 1].kind = OBJ_NONE;
	for (unsigned o = 1; o <= n && o <= s->layout.objects_cap; o++) {
		struct object_info in;
		if (!world_object_info(ctl_world, o, &in))
			continue;
		to[o - 1] = (struct session_object){ .kind = in.kind, .number = in.number,
			.addr = in.kind == OBJ_FUTEX ? futex_word(in.addr) : in.addr, .pc = in.pc, .owner = in.owner };
	}
	write_threads();
}

void bug_die(void)
{
	if (!ctl_past_checkpoint)
		operations.without_threads(SIMUL_DIED);
	values_after();
	const struct session *s = ctl_session;
	if (s->config.keep_stacks && s->bug.thread < s->layout.threads_cap) /* the DEATH event shows the stack of the bug */
		((struct session_thread *)ctl_segment(s->layout.threads_off))[s->bug.thread].frames = (struct session_frames){ .stack = s->bug.stack };
	struct event e = { .thread = (thread_id)ctl_session->bug.thread, .kind = EV_DEATH,
		.pc = ctl_session->bug.stack.pc[0] };
	operations.append(&e);
	operations.over(RUN_FAILED);
}
