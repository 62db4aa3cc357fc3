/*
 * The futex system call, by which programs wait without libc: std::atomic::wait, std::latch, std::counting_semaphore and hand-made locks.
 * Calls come here through syscall() (hook_syscall.c).
 */
#include <asm/unistd.h>
#include <errno.h>
#include <linux/futex.h>
#include <stddef.h>

#include "explore/explore.h"
#include "preload/control/ctl.h"
#include "preload/control/exceptions.h"
#include "preload/hooks/futex.h"
#include "preload/kernel/signals.h"
#include "preload/accesses/mem.h"
#include "preload/memory/object_memory.h"
#include "preload/base/maps.h"
#include "preload/base/real.h"
#include "preload/hooks/sync.h"
#include "preload/base/safe_read.h"
#include "preload/base/sys.h"

#include "preload/base/rules.h"

/* ---- the word ---- */

/* Returns the futex word of a model object; NULL for an unknown object. */
static uint32_t *word_of(object_id o)
{
	struct object_info info;

	if (!world_object_info(ctl_world, o, &info))
		return NULL;
	return (uint32_t *)(uintptr_t)futex_word(info.addr);
}

/* The result stays valid: no thread of the program runs between this check and the wait or requeue. */
bool futex_word_matches(void *ctx, const struct op *op)
{
	const volatile uint32_t *word = word_of(op->obj[0]);

	return word && *word == futex_expected(op);
}

/* Returns the kernel's error for an address that cannot be a futex: EINVAL or EFAULT, otherwise 0. */
static int word_error(uintptr_t addr)
{
	uint32_t value;

	if (addr % sizeof(value))
		return EINVAL;
	if (world_find(ctl_world, OBJ_FUTEX, addr) || world_find(ctl_world, OBJ_FUTEX, addr | FUTEX_SHARED))
		return 0;
	return safe_read(addr, &value, sizeof(value)) == sizeof(value) ? 0 : EFAULT;
}

/* ---- the operations ---- */

struct futex_call {
	uintptr_t addr;
	int command; /* the operation without its flags */
	bool realtime, shared; /* shared: without FUTEX_PRIVATE_FLAG */
	uint32_t val;
	uintptr_t timeout; /* or val2 */
	uintptr_t addr2;
	uint32_t val3;
	const void *pc;
};

/*
 * The kernel knows a futex in a shared mapping by the file and the place in it, so calls by different addresses meet. Returns the address of a word
 * that is the same one in another mapping and has a futex already; 0: there is none.
 */
static uintptr_t mapped_elsewhere(uintptr_t addr)
{
	struct mapping here, other;
	struct maps m;
	bool found = false;
	uintptr_t place = 0;

	if (!maps_open(&m))
		ctl_uncontrolled("a futex call without FUTEX_PRIVATE_FLAG, where /proc does not say what else its memory is");
	while (!found && maps_next(&m, &here))
		found = addr - here.lo < here.hi - here.lo;
	maps_close(&m);
	if (!found || !here.shared || !here.ino || !maps_open(&m))
		return 0;
	while (!place && maps_next(&m, &other)) {
		uintptr_t at = other.lo + (addr - here.lo + here.offset - other.offset);

		if (other.shared && other.dev == here.dev && other.ino == here.ino && at - other.lo < other.hi - other.lo &&
			world_find(ctl_world, OBJ_FUTEX, at | FUTEX_SHARED))
			place = at;
	}
	maps_close(&m);
	return place;
}

/* Returns the futex of the word at addr. */
static object_id futex_at(const struct futex_call *f, uintptr_t addr)
{
	if (!f->shared)
		return ctl_object(OBJ_FUTEX, (const void *)addr);
	uintptr_t other = world_find(ctl_world, OBJ_FUTEX, addr | FUTEX_SHARED) ? 0 : mapped_elsewhere(addr);

	return ctl_object(OBJ_FUTEX, (const void *)((other ? other : addr) | FUTEX_SHARED));
}

static struct op futex_op(enum event_kind kind, const struct futex_call *f)
{
	struct op op = ctl_op(kind, f->pc);

	op.obj[0] = futex_at(f, f->addr);
	return op;
}

/* Sets the deadline of a wait. The timeout of FUTEX_WAIT is a duration, that of FUTEX_WAIT_BITSET a time of a clock. Returns 0 or an errno
   value. */
static int set_deadline(struct op *op, const struct futex_call *f)
{
	const struct timespec *ts = (const struct timespec *)f->timeout;

	if (!ts)
		return 0;
	if (ts->tv_sec < 0 || !sync_nanoseconds_ok(ts))
		return EINVAL;
	op->flags |= OPF_TIMED;
	op->deadline = f->command == FUTEX_WAIT ? ctl_deadline_rel(ts)
		       : ctl_deadline_abs(f->realtime ? CLOCK_REALTIME : CLOCK_MONOTONIC, ts);
	return 0;
}

/* Only a wait without a timeout is restarted after handlers with SA_RESTART. */
static long wait_on(const struct futex_call *f)
{
	uint32_t bitset = f->command == FUTEX_WAIT ? FUTEX_BITSET_MATCH_ANY : f->val3;
	struct op op = futex_op(EV_FUTEX_WAIT, f);

	if (!bitset)
		return -EINVAL;
	int err = set_deadline(&op, f);

	if (err)
		return -err;
	futex_set_wait(&op, f->val, bitset);
	object_memory_check_futex(f->addr);
	if (ctl_session->config.settings.model == MODEL_RC11 && ctl_session->config.strategy == STRATEGY_GRAPHS)
		except_for(EXCEPT_FUTEX_WORDS, (uintptr_t)f->pc);
	int64_t r;

	do {
		mem_attach(&op, f->addr, sizeof(uint32_t));
		r = signals_perform_wait(&op, !(op.flags & OPF_TIMED));
	} while (r == CTL_RESTART);
	if (r == CTL_EINTR)
		return -EINTR;
	if (r == EAGAIN) /* the word was read just now */
		object_memory_check_futex(f->addr);
	return -r;
}

static long wake(const struct futex_call *f)
{
	uint32_t bitset = f->command == FUTEX_WAKE ? FUTEX_BITSET_MATCH_ANY : f->val3;
	struct op op = futex_op(EV_FUTEX_WAKE, f);

	if (!bitset)
		return -EINVAL;
	/* The kernel wakes at least one thread: it treats a count of 0 as 1. */
	futex_set_wake(&op, (int32_t)f->val > 0 ? f->val : 1, bitset);
	return (long)ctl_perform(&op);
}

static long requeue(const struct futex_call *f)
{
	bool compares = f->command == FUTEX_CMP_REQUEUE;
	struct op op = futex_op(compares ? EV_FUTEX_CMP_REQUEUE : EV_FUTEX_REQUEUE, f);
	int err = word_error(f->addr2);

	if (err)
		return -err;
	if ((int32_t)f->val < 0 || (int32_t)f->timeout < 0)
		return -EINVAL;
	op.obj[1] = futex_at(f, f->addr2);
	if (op.obj[1] == op.obj[0])
		op.obj[1] = 0;
	ctl_session->ctl.facts.trust_misses |= TRUST_REQUEUES;
	if (compares)
		mem_reads_word(f->addr, sizeof(uint32_t));
	futex_set_requeue(&op, f->val, (uint32_t)f->timeout, f->val3);
	return (long)ctl_perform(&op);
}

static void __attribute__((noreturn)) refuse(const char *what)
{
	ctl_refuse("the program calls syscall(SYS_futex, %s), which simul does not model. Use the wait, wake "
		   "and requeue forms, or pthread mutexes with PTHREAD_PRIO_INHERIT in place of the PI forms",
		what);
}

static long futex(const struct futex_call *f)
{
	int err = word_error(f->addr);

	if (err)
		return -err;
	switch (f->command) {
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET:
		return wait_on(f);
	case FUTEX_WAKE:
	case FUTEX_WAKE_BITSET:
		return wake(f);
	case FUTEX_REQUEUE:
	case FUTEX_CMP_REQUEUE:
		return requeue(f);
	case FUTEX_WAKE_OP:
		refuse("FUTEX_WAKE_OP");
	case FUTEX_LOCK_PI:
	case FUTEX_LOCK_PI2:
	case FUTEX_UNLOCK_PI:
	case FUTEX_TRYLOCK_PI:
	case FUTEX_WAIT_REQUEUE_PI:
	case FUTEX_CMP_REQUEUE_PI:
		refuse("FUTEX_LOCK_PI and its kin");
	default:
		return -ENOSYS;
	}
}

long futex_call(const long a[6], const void *pc)
{
	int op = (int)a[1], command = op & FUTEX_CMD_MASK;
	struct futex_call f = {
		.addr = (uintptr_t)a[0],
		.command = command,
		.realtime = op & FUTEX_CLOCK_REALTIME,
		.shared = !(op & FUTEX_PRIVATE_FLAG),
		.val = (uint32_t)a[2],
		.timeout = (uintptr_t)a[3],
		.addr2 = (uintptr_t)a[4],
		.val3 = (uint32_t)a[5],
		.pc = pc,
	};

	return futex(&f);
}
