/*
 * The ThreadSanitizer ABI. A program that was compiled with -fsanitize=thread calls these functions instead of libtsan's; libtsan is never
 * loaded. This sensor knows the memory order of each atomic access. tsan.def lists the functions; x86_64/tsan_entry.S makes most of them.
 *
 * In a process that simul does not control (a native child), the functions only make the atomic accesses.
 */
#include "preload/accesses/tsan.h"

#include <stddef.h>

#include "base/processor.h"
#include "preload/control/ctl.h"
#include "preload/base/sys.h"
#include "sched/rc11.h"
#include "preload/base/rules.h"

#define HERE __builtin_return_address(0)
#define EXPORT __attribute__((visibility("default")))

/* x86_64/tsan_entry.S relies on these. */
_Static_assert(MEM_READ == 1 && MEM_WRITE == 2 && MEM_ATOMIC == 4 && MEM_ACQUIRE == 8 && MEM_RELEASE == 16 &&
		       MEM_PLAIN == 32 && MEM_CAS == 64 && MEM_DRAIN == 256 && MEM_SEQ_CST == 1048576 &&
		       __ATOMIC_SEQ_CST == 5 && TSAN_VALUE > MEM_FENCE,
	"flags");
_Static_assert(MEM_UPDATE == 4194304 && RC11_EXCHANGE == 0 && RC11_ADD == 1 && RC11_SUB == 2 && RC11_AND == 3 &&
		       RC11_OR == 4 && RC11_XOR == 5 && RC11_NAND == 6,
	"updates");
_Static_assert(offsetof(struct tsan_call, make) == 48 && offsetof(struct tsan_call, size) == 56 &&
		       offsetof(struct tsan_call, pc) == 64 && sizeof(struct tsan_call) == 72, "struct tsan_call");
_Static_assert(offsetof(struct mem_regs, rbx) == 24 && offsetof(struct mem_regs, sp) == 32 &&
		       offsetof(struct mem_regs, rbp) == 40 && offsetof(struct mem_regs, r12) == 96 &&
		       offsetof(struct mem_regs, r15) == 120 && offsetof(struct mem_regs, pc) == 128 &&
		       sizeof(struct mem_regs) == 160, "struct mem_regs");

/* The MEM_* flags of each memory order. x86_64/tsan_entry.S has the same table for the accesses. */
static const uint16_t orders[8] = {
	[__ATOMIC_CONSUME] = MEM_ACQUIRE,
	[__ATOMIC_ACQUIRE] = MEM_ACQUIRE,
	[__ATOMIC_RELEASE] = MEM_RELEASE,
	[__ATOMIC_ACQ_REL] = MEM_ACQUIRE | MEM_RELEASE,
	[__ATOMIC_SEQ_CST] = MEM_ACQUIRE | MEM_RELEASE | MEM_DRAIN,
};

/* Returns the memory order of a failed compare-and-swap, which is the last argument. Values of 16 bytes take two
   registers each. */
static unsigned order_of_failure(const struct tsan_call *c)
{
	uint64_t mo = c->argument[4];

	if (c->size == 16 && (c->flags & TSAN_VALUE))
		mo = ((const uint64_t *)(c + 1))[1]; /* the argument is on the stack, above the return address */
	else if (c->size == 16)
		mo = c->argument[5];
	return mo & 7;
}

/* Registers may have anything above a short argument. */
static uint64_t cut_to(uint64_t argument, uint32_t size)
{
	return size < 8 ? argument & ((UINT64_C(1) << 8 * size) - 1) : argument;
}

void tsan_perform(const struct tsan_call *c, const struct mem_regs *regs)
{
	struct mem_access a = { .addr = c->argument[0], .size = c->size, .flags = c->flags & ~TSAN_VALUE, .pc = c->pc, .regs = regs };

	if ((c->flags & MEM_CAS) && !(orders[order_of_failure(c)] & MEM_ACQUIRE))
		a.flags |= MEM_FAILED_RELAXED;
	if ((c->flags & MEM_CAS) && order_of_failure(c) == __ATOMIC_SEQ_CST)
		a.flags |= MEM_FAILED_SEQ_CST;
	a.operand = cut_to(c->argument[c->flags & MEM_CAS ? 2 : 1], c->size);
	if (c->flags & TSAN_VALUE) {
		a.expected[0] = cut_to(c->argument[1], c->size);
		a.expected[1] = c->argument[2];
	} else if (c->flags & MEM_CAS) {
		for (uint32_t i = 0; i < c->size; i++) /* at most 16 bytes; memcpy would be simul's hook */
			((uint8_t *)a.expected)[i] = ((const uint8_t *)c->argument[1])[i];
	}
	mem_perform(&a);
}

/* Announces an access that a C function of this file or its caller makes. */
static void announce(const volatile void *addr, uint64_t size, unsigned flags, const void *pc)
{
	struct mem_access a = { .addr = (uint64_t)addr, .size = size, .flags = flags, .pc = (uint64_t)pc };

	if (mem_on && size && mem_note(a.addr, size, flags))
		mem_perform(&a);
}

/* ---- start ---- */

/* Called by the constructor of each compiled file. The main program may call it before simul's constructor, when there is no session. */
void __tsan_init(void) EXPORT;
void __tsan_init(void)
{
	if (ctl_state != CTL_ON)
		return;
	struct session_sensors *s = ctl_segment(ctl_session->layout.sensors_off);

	s->tsan |= 1;
}

/* ---- plain accesses ---- */

/* Constructors and destructors store the address of a virtual table that is very often there already. Such a store conflicts with other
   writers, but not with virtual calls of other threads. */
void __tsan_vptr_update(void **vptr, void *value) EXPORT;
void __tsan_vptr_update(void **vptr, void *value)
{
	if (*vptr == value)
		announce(vptr, sizeof(*vptr), MEM_READ | MEM_PLAIN, HERE);
	if (*vptr != value)
		announce(vptr, sizeof(*vptr), MEM_WRITE | MEM_PLAIN, HERE);
}

/* ---- atomics ----

   X jumps to do_X, with its arguments, when the access may be made. Under control one thread runs at a time; otherwise real atomic
   instructions are needed. They cost nothing here, so they are always used, with the strongest order. */

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef unsigned __int128 u128;

#define SC __ATOMIC_SEQ_CST

#define FETCH(n, op)                                                                               \
	u##n do___tsan_atomic##n##_fetch_##op(volatile u##n *p, u##n v, int mo);                   \
	u##n do___tsan_atomic##n##_fetch_##op(volatile u##n *p, u##n v, int mo)                    \
	{                                                                                          \
		return __atomic_fetch_##op(p, v, SC);                                              \
	}

#define ATOMICS(n)                                                                                 \
	u##n do___tsan_atomic##n##_load(const volatile u##n *p, int mo);                           \
	u##n do___tsan_atomic##n##_load(const volatile u##n *p, int mo)                            \
	{                                                                                          \
		return __atomic_load_n(p, SC);                                                     \
	}                                                                                          \
	void do___tsan_atomic##n##_store(volatile u##n *p, u##n v, int mo);                        \
	void do___tsan_atomic##n##_store(volatile u##n *p, u##n v, int mo)                         \
	{                                                                                          \
		__atomic_store_n(p, v, SC);                                                        \
	}                                                                                          \
	u##n do___tsan_atomic##n##_exchange(volatile u##n *p, u##n v, int mo);                     \
	u##n do___tsan_atomic##n##_exchange(volatile u##n *p, u##n v, int mo)                      \
	{                                                                                          \
		return __atomic_exchange_n(p, v, SC);                                              \
	}                                                                                          \
	FETCH(n, add) FETCH(n, sub) FETCH(n, and) FETCH(n, or) FETCH(n, xor) FETCH(n, nand)        \
	static int cas##n(volatile u##n *p, u##n *expected, u##n v)                                \
	{                                                                                          \
		return __atomic_compare_exchange_n(p, expected, v, 0, SC, SC);                     \
	}                                                                                          \
	COMPARE_EXCHANGE(n)

/* Makes the ABI's functions from cas<n>(p, expected, v). It returns 1 after it has replaced *expected by v; otherwise it sets *expected to
   the value found and returns 0. */
#define COMPARE_EXCHANGE(n)                                                                        \
	int do___tsan_atomic##n##_compare_exchange_strong(volatile u##n *p, u##n *e, u##n v, int mo, int fmo); \
	int do___tsan_atomic##n##_compare_exchange_strong(volatile u##n *p, u##n *e, u##n v, int mo, int fmo) \
	{                                                                                          \
		return cas##n(p, e, v);                                                            \
	}                                                                                          \
	int do___tsan_atomic##n##_compare_exchange_weak(volatile u##n *p, u##n *e, u##n v, int mo, int fmo); \
	int do___tsan_atomic##n##_compare_exchange_weak(volatile u##n *p, u##n *e, u##n v, int mo, int fmo) \
	{                                                                                          \
		return cas##n(p, e, v);                                                            \
	}                                                                                          \
	u##n do___tsan_atomic##n##_compare_exchange_val(volatile u##n *p, u##n e, u##n v, int mo, int fmo); \
	u##n do___tsan_atomic##n##_compare_exchange_val(volatile u##n *p, u##n e, u##n v, int mo, int fmo) \
	{                                                                                          \
		cas##n(p, &e, v);                                                                  \
		return e;                                                                          \
	}

ATOMICS(8)
ATOMICS(16)
ATOMICS(32)
ATOMICS(64)

static int cas128(volatile u128 *p, u128 *expected, u128 v)
{
	return processor_compare_exchange16(p, expected, v);
}

/* Under control a plain read is atomic. A compare-and-swap would fail for a constant in memory that cannot be written. */
u128 do___tsan_atomic128_load(volatile u128 *p, int mo);
u128 do___tsan_atomic128_load(volatile u128 *p, int mo)
{
	u128 found = 0;

	if (mem_on && ctl_state == CTL_ON)
		return *p;
	cas128(p, &found, 0);
	return found;
}

#define MODIFY128(name, type, result, value)                                                       \
	type do___tsan_atomic128_##name(volatile u128 *p, u128 v, int mo);                         \
	type do___tsan_atomic128_##name(volatile u128 *p, u128 v, int mo)                          \
	{                                                                                          \
		u128 found = 0;                                                                    \
                                                                                                   \
		cas128(p, &found, 0);                                                              \
		while (!cas128(p, &found, value))                                                  \
			;                                                                          \
		return result;                                                                     \
	}

MODIFY128(store, void, , v)
MODIFY128(exchange, u128, found, v)
MODIFY128(fetch_add, u128, found, found + v)
MODIFY128(fetch_sub, u128, found, found - v)
MODIFY128(fetch_and, u128, found, found & v)
MODIFY128(fetch_or, u128, found, found | v)
MODIFY128(fetch_xor, u128, found, found ^ v)
MODIFY128(fetch_nand, u128, found, ~(found & v))
COMPARE_EXCHANGE(128)

void __tsan_atomic_thread_fence(int mo) EXPORT;
void __tsan_atomic_thread_fence(int mo)
{
	struct mem_access a = { .flags = orders[mo & 7] | MEM_FENCE, .pc = (uint64_t)HERE };

	__atomic_thread_fence(SC);
	if (orders[mo & 7] && mem_on && mem_note(0, 0, a.flags))
		mem_perform(&a);
}

void __tsan_atomic_signal_fence(int mo) EXPORT;
void __tsan_atomic_signal_fence(int mo)
{
	__atomic_signal_fence(SC);
}

/* ---- memory functions ---- */

void *__tsan_memcpy(void *to, const void *from, uint64_t n) EXPORT;
void *__tsan_memmove(void *to, const void *from, uint64_t n) EXPORT;
void *__tsan_memset(void *to, int value, uint64_t n) EXPORT;

static void *copy(void *to, const void *from, uint64_t n, const void *pc)
{
	announce(from, n, MEM_READ | MEM_PLAIN, pc);
	announce(to, n, MEM_WRITE | MEM_PLAIN, pc);
	if ((u64)to - (u64)from >= n)
		processor_copy(to, from, n);
	else
		processor_copy_backwards(to, from, n);
	return to;
}

void *__tsan_memcpy(void *to, const void *from, uint64_t n)
{
	return copy(to, from, n, HERE);
}

void *__tsan_memmove(void *to, const void *from, uint64_t n)
{
	return copy(to, from, n, HERE);
}

void *__tsan_memset(void *to, int value, uint64_t n)
{
	announce(to, n, MEM_WRITE | MEM_PLAIN, HERE);
	processor_fill(to, (uint8_t)value, n);
	return to;
}

/* ---- names that must be distinct ---- */

static char *current_fiber; /* only compared and returned */
static char fiber_names[4096];
static uint32_t fibers = 1, tags;

void *__tsan_get_current_fiber(void) EXPORT;
void *__tsan_get_current_fiber(void)
{
	return current_fiber ? current_fiber : fiber_names;
}

void *__tsan_create_fiber(unsigned flags) EXPORT;
void *__tsan_create_fiber(unsigned flags)
{
	uint32_t i = fibers++;

	return fiber_names + i % sizeof(fiber_names);
}

void __tsan_switch_to_fiber(void *fiber, unsigned flags) EXPORT;
void __tsan_switch_to_fiber(void *fiber, unsigned flags)
{
	current_fiber = fiber;
}

void *__tsan_external_register_tag(const char *type) EXPORT;
void *__tsan_external_register_tag(const char *type)
{
	return (void *)(uintptr_t)++tags;
}

/* ---- the barrier of the sanitizer's own tests ---- */

void __tsan_testonly_barrier_init(uint64_t *barrier, uint32_t n) EXPORT;
void __tsan_testonly_barrier_init(uint64_t *barrier, uint32_t n)
{
	*barrier = n;
}

void __tsan_testonly_barrier_wait(uint64_t *barrier) EXPORT;
void __tsan_testonly_barrier_wait(uint64_t *barrier)
{
	if (ctl_state == CTL_ON)
		ctl_refuse("__tsan_testonly_barrier_wait blocks threads in a way that is meant to be invisible to tools; use "
			   "pthread_barrier_wait");
	u32 n = (u32)*barrier, turn = (__atomic_fetch_add(barrier, UINT64_C(1) << 32, SC) >> 32) / n;

	while ((__atomic_load_n(barrier, SC) >> 32) / n == turn)
		sys_call0(SYS_sched_yield);
}
