/* Atomic operations of every size, alone and by four threads at once: what is lost or torn shows in the sums. */
#include "case.h"

#include <pthread.h>

static uint8_t a8;
static uint16_t a16;
static uint32_t a32;
static uint64_t a64;
static _Alignas(16) unsigned __int128 a128;
static char lock_byte;
static uint64_t protected_by_lock, by_cas, unordered;
static _Alignas(64) uint64_t bits[4];

#define ALL_OPS(v, T) do { \
	for (unsigned i = 0; i < 100; i++) { \
		h = mix(h, (uint64_t)__atomic_fetch_add(&v, (T)(i * 77), __ATOMIC_SEQ_CST)); \
		h = mix(h, (uint64_t)__atomic_sub_fetch(&v, (T)i, __ATOMIC_RELAXED)); \
		h = mix(h, (uint64_t)__atomic_fetch_and(&v, (T)~(i & 5), __ATOMIC_ACQUIRE)); \
		h = mix(h, (uint64_t)__atomic_or_fetch(&v, (T)(i << 1), __ATOMIC_RELEASE)); \
		h = mix(h, (uint64_t)__atomic_fetch_xor(&v, (T)0x55, __ATOMIC_ACQ_REL)); \
		h = mix(h, (uint64_t)__atomic_nand_fetch(&v, (T)~i, __ATOMIC_SEQ_CST)); \
		h = mix(h, (uint64_t)__atomic_exchange_n(&v, (T)(v + 3), __ATOMIC_SEQ_CST)); \
		T expected = (T)(i & 1 ? v : v + 1); \
		h = mix(h, (uint64_t)__atomic_compare_exchange_n(&v, &expected, (T)(i * i), 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)); \
		h = mix(h, (uint64_t)expected); \
		__atomic_store_n(&v, (T)(v ^ i), i & 1 ? __ATOMIC_SEQ_CST : __ATOMIC_RELAXED); \
		h = mix(h, (uint64_t)__atomic_load_n(&v, __ATOMIC_SEQ_CST)); \
		h = mix(h, (uint64_t)__sync_val_compare_and_swap(&v, (T)i, (T)3)); \
		__atomic_fetch_add(&v, 1, __ATOMIC_RELAXED); /* results not used: lock add, inc, or, ... */ \
		__atomic_fetch_or(&v, (T)1, __ATOMIC_RELAXED); \
		__atomic_fetch_xor(&v, (T)i, __ATOMIC_RELAXED); \
		h = mix(h, (uint64_t)(__atomic_sub_fetch(&v, 1, __ATOMIC_SEQ_CST) == 0)); /* flags of a locked operation */ \
	} \
	} while (0)

__attribute__((target("cx16"))) static NOINLINE int cas128(unsigned __int128 *p, unsigned __int128 *expected, unsigned __int128 wanted)
{
	unsigned char ok;
	uint64_t lo = (uint64_t)*expected, hi = (uint64_t)(*expected >> 64);
	__asm__ volatile("lock cmpxchg16b %0; sete %1"
		: "+m"(*p), "=q"(ok), "+a"(lo), "+d"(hi)
		: "b"((uint64_t)wanted), "c"((uint64_t)(wanted >> 64)) : "cc", "memory");
	*expected = (unsigned __int128)hi << 64 | lo;
	return ok;
}

static void spin_lock(void)
{
	while (__atomic_test_and_set(&lock_byte, __ATOMIC_ACQUIRE))
		while (__atomic_load_n(&lock_byte, __ATOMIC_RELAXED))
			__builtin_ia32_pause();
}

static void *worker(void *arg)
{
	unsigned me = (unsigned)(uintptr_t)arg;
	for (unsigned i = 0; i < 2000; i++) {
		__atomic_fetch_add(&a8, 1, __ATOMIC_RELAXED);
		__atomic_fetch_add(&a16, 3, __ATOMIC_RELAXED);
		__sync_fetch_and_add(&a32, 5);
		(void)__atomic_add_fetch(&a64, 7, __ATOMIC_SEQ_CST);
		unsigned __int128 seen = a128;
		while (!cas128(&a128, &seen, seen + (((unsigned __int128)1 << 64) | 2)))
			;
		uint64_t old = __atomic_load_n(&by_cas, __ATOMIC_RELAXED);
		while (!__atomic_compare_exchange_n(&by_cas, &old, old + me + 1, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
			;
		__atomic_fetch_xor(&unordered, UINT64_C(1) << (i % 64), __ATOMIC_RELAXED);
		__atomic_fetch_or(&bits[me], UINT64_C(1) << (i % 64), __ATOMIC_RELAXED);
		if (i % 4 == 0) {
			spin_lock();
			protected_by_lock++;
			__atomic_clear(&lock_byte, __ATOMIC_RELEASE);
		}
	}
	return NULL;
}

CASE(atomics)
{
	pthread_t t[4];
	uint64_t h = 0;
	ALL_OPS(a8, uint8_t); result("8", h);
	ALL_OPS(a16, uint16_t); result("16", h);
	ALL_OPS(a32, uint32_t); result("32", h);
	ALL_OPS(a64, uint64_t); result("64", h);
	a8 = 0, a16 = 0, a32 = 0, a64 = 0;
	for (uintptr_t i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, worker, (void *)i);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	printf("%u %u %u %llu\n", a8, a16, a32, (unsigned long long)a64);
	printf("%llu %llu\n", (unsigned long long)a128, (unsigned long long)(a128 >> 64));
	printf("%llu %llu %llu\n", (unsigned long long)by_cas, (unsigned long long)unordered, (unsigned long long)protected_by_lock);
	result("bits", bits[0] & bits[1] & bits[2] & bits[3]);
}
