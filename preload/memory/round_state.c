/* States for rounds of waiting loops; see round_state.h. */
#include "preload/base/access.h"
#include "preload/base/frames.h"
#include "preload/base/running.h"
#include "preload/base/state.h"
#include "preload/base/thread.h"
#include "preload/memory/note.h"
#include "preload/memory/round_state.h"

#include <link.h>
#include <unwind.h>

#include "base/hash.h"
#include "preload/memory/shadow.h"
#include "preload/memory/spin_state.h"
#include "preload/base/rules.h"

#define LONG_IDLE 8 /* after this many operations in a row that may be part of a waiting loop, a lock may begin a round */
#define MOST_REVEALED 16 /* writes in a round that may become visible */
#define COUNTED 2 /* so many operations that may be part of a waiting loop do not count as turns, until some loop has a limit */

static uint64_t writes_before; /* value of writes() when the running thread continued */

/* Returns the number of writes to memory that is not part of the writer's state. */
static uint64_t writes(void)
{
	return mem_writes - mem_local_writes;
}

bool round_possible(void)
{
	const struct session_config *c = &ctl_session->config;
	return c->rounds && c->mode == MODE_EXPLORE && c->settings.model == MODEL_SC && !c->settings.discrete_time && !c->settings.patience;
}

_Static_assert(sizeof(struct rounds_limits) <= SESSION_LIMITS, "too little room for the limits");

struct rounds_limits *round_limits(void)
{
	return (struct rounds_limits *)ctl_session->ctl.discoveries.limits;
}

bool endless_possible(void)
{
	const struct session_config *c = &ctl_session->config;
	return c->rounds && c->mode == MODE_EXPLORE && c->settings.model == MODEL_SC;
}

_Static_assert(sizeof(struct endless_limits) <= SESSION_ENDLESS, "too little room for the limits of threads");

struct endless_limits *endless_limits(void)
{
	return (struct endless_limits *)ctl_session->ctl.discoveries.endless_limits;
}

void round_begins(const struct fiber *f)
{
	writes_before = writes();
	if (f->rounds.reveals)
		mem_budget = 0; /* so that all accesses come to spin_probe */
}

void round_unforeseen(void)
{
	if (fiber_cur) /* before there are fibers, the program's allocator may already call hooks */
		fiber_cur->rounds.unforeseen++;
}

void round_number(int fd, bool opened)
{
	uint64_t number = hash_spread((uint64_t)fd + 1);
	if (fiber_cur)
		fiber_cur->rounds.numbers += opened ? number : -number;
}

/* Returns whether the operation may be part of a waiting loop. */
static bool waits(const struct op *op)
{
	enum event_round round = event_kind_round(op->kind);
	return round != ROUND_ENDS && round != ROUND_UNTIL && round != ROUND_TIMED && round != ROUND_CLAIMS && round != ROUND_WRITES;
}

/* Returns whether a round may begin with this operation. Locks and unlocks are rarely part of a waiting loop. */
static bool may_begin(const struct op *op, uint32_t idle, bool failed)
{
	unsigned kind = op->kind;
	if (kind == EV_LOAD || kind == EV_RMW || kind == EV_GIVE_WAY || kind == EV_MUTEX_UNLOCK || kind == EV_SPIN_UNLOCK)
		return false;
	return (kind != EV_MUTEX_LOCK && kind != EV_SPIN_LOCK) || failed || idle >= LONG_IDLE;
}

struct frame {
	uint64_t pc, hash; /* hash: hash of the registers; 0: not found */
	uint64_t sp;
};

static _Unwind_Reason_Code at_frame(struct _Unwind_Context *context, void *arg)
{
	static const int preserved[] = { 3, 6, 12, 13, 14, 15 }; /* rbx, rbp, r12 .. r15 */
	struct frame *f = arg;
	if (_Unwind_GetIP(context) != f->pc)
		return _URC_NO_REASON;
	f->sp = _Unwind_GetCFA(context);
	f->hash = hash_mix(f->pc, f->sp);
	for (unsigned i = 0; i < sizeof preserved / sizeof *preserved; i++)
		f->hash = hash_mix(f->hash, _Unwind_GetGR(context, preserved[i]));
	return _URC_END_OF_STACK;
}

/* Adds the running thread's thread-local variables of one module to the hash. */
static int add_module(struct dl_phdr_info *info, size_t size, void *arg)
{
	uint64_t *h = arg, at = (uintptr_t)info->dlpi_tls_data;
	for (int i = 0; at && i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		struct spin_stack block = { .from = at & ~UINT64_C(7), .hi = at + p->p_memsz };
		if (p->p_type == PT_TLS)
			*h = hash_mix(*h, spin_stack_now(&block, ctl_segment(ctl_session->layout.memory_off)));
	}
	return 0;
}

/* Returns a hash of what decides what the thread does next, without what it has written where nobody sees it; 0: it is not known. */
static uint64_t local_state(const struct op *op)
{
	struct frame f = { .pc = op->pc };
	struct spin_stack stack;
	frames_walk(at_frame, &f);
	if (!f.hash || f.sp < mem_stack_lo || f.sp > mem_stack_hi)
		return 0;
	stack = (struct spin_stack){ .from = f.sp & ~UINT64_C(7), .hi = mem_stack_hi };
	uint64_t h = hash_mix(hash_mix(op->kind, op->obj[0]), fiber_cur->rounds.unforeseen + fiber_cur->rounds.numbers);
	h = hash_mix(hash_mix(h, f.hash), spin_stack_now(&stack, ctl_segment(ctl_session->layout.memory_off)));
	dl_iterate_phdr(add_module, &h);
	return h ? h : 1;
}

uint64_t round_state(const struct op *op)
{
	uint64_t local = local_state(op);
	return local ? hash_mix(local, fiber_cur->rounds.unseen_writes) : 0;
}

/* The thread may begin a round. If it has come back to its state, but for a few writes that nobody sees, these become visible: perhaps they are undone. */
static uint64_t begin(const struct op *op)
{
	struct fiber *me = fiber_cur;
	uint64_t local = local_state(op), unseen = me->rounds.unseen_writes - me->rounds.unseen_then;
	me->rounds.reveals = local && local == me->rounds.local_then && unseen && unseen <= MOST_REVEALED;
	me->rounds.local_then = local;
	me->rounds.unseen_then = me->rounds.unseen_writes;
	return local ? hash_mix(local, me->rounds.unseen_writes) : 0;
}

/* Returns how many of the writes that were counted belong to the operation itself. */
static uint64_t own_writes(const struct op *op)
{
	uint64_t addr = op->arg[0];
	return (op->kind == EV_RMW || op->kind == EV_STORE) && !mem_on_own_stack(addr) && !mem_is_local(addr);
}

/* Says whether the operation counts as a turn of a waiting loop. Until some loop has a limit, that only serves to find such loops. */
static void count(struct fiber *me, struct op *op, uint64_t written)
{
	op->wrote = written > own_writes(op);
	bool timed = op->kind == EV_COND_WAIT && (op->flags & OPF_TIMED);
	me->rounds.waits = (waits(op) || timed) && !op->wrote ? me->rounds.waits + 1 : 0;
	op->counts = me->rounds.waits > (round_limits()->limited ? 0 : COUNTED) && op->kind != EV_MUTEX_UNLOCK && op->kind != EV_SPIN_UNLOCK;
}

void round_announce(struct op *op)
{
	struct fiber *me = fiber_cur;
	uint64_t written = writes() - writes_before, own = own_writes(op), unseen = written > own ? written - own : 0;
	bool wrote = unseen, failed = me->result != 0;
	if (ctl_past_checkpoint && mem_on && round_possible())
		count(me, op, written);
	me->rounds.unseen_writes += unseen;
	writes_before = writes();
	me->rounds.idle = waits(op) && !wrote ? me->rounds.idle + 1 : 0;
	if (mem_on && ctl_past_checkpoint && op->pc && round_possible() && waits(op) && may_begin(op, me->rounds.idle, failed))
		op->state = begin(op);
}
