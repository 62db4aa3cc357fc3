/*
 * Every atomic operation, of every size and with every memory order, gives back and leaves behind what the C standard says:
 * before there are threads, in a thread on its own memory, and on memory that another thread reads meanwhile. Also
 * called by the name that the compiler calls it by, since no compiler uses them all.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef unsigned __int128 u128;

#define MUST(c)                                                                                    \
	do {                                                                                       \
		if (!(c)) {                                                                        \
			fprintf(stderr, "line %d: not %s\n", __LINE__, #c);                        \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

/* The interface, see compiler-rt's tsan_interface_atomic.h. */
#define DECLARE(n)                                                                                 \
	u##n __tsan_atomic##n##_load(const volatile void *, int);                                  \
	void __tsan_atomic##n##_store(volatile void *, u##n, int);                                 \
	u##n __tsan_atomic##n##_exchange(volatile void *, u##n, int);                             \
	u##n __tsan_atomic##n##_fetch_add(volatile void *, u##n, int);                            \
	u##n __tsan_atomic##n##_fetch_sub(volatile void *, u##n, int);                            \
	u##n __tsan_atomic##n##_fetch_and(volatile void *, u##n, int);                            \
	u##n __tsan_atomic##n##_fetch_or(volatile void *, u##n, int);                             \
	u##n __tsan_atomic##n##_fetch_xor(volatile void *, u##n, int);                            \
	u##n __tsan_atomic##n##_fetch_nand(volatile void *, u##n, int);                           \
	_Bool __tsan_atomic##n##_compare_exchange_strong(volatile void *, void *, u##n, int, int); \
	_Bool __tsan_atomic##n##_compare_exchange_weak(volatile void *, void *, u##n, int, int);   \
	u##n __tsan_atomic##n##_compare_exchange_val(volatile void *, u##n, u##n, int, int);

/* Values whose halves differ at every size. */
#define A(n) ((u##n)((u128)0xf1e2d3c4b5a69788u << 64 | 0x1928374655647382u))
#define B(n) ((u##n)((u128)0x0123456789abcdefu << 64 | 0xfedcba987654321du))

#define FETCH(n, p, op, result, mo)                                                                \
	__tsan_atomic##n##_store(p, A(n), mo);                                                     \
	MUST(__tsan_atomic##n##_fetch_##op(p, B(n), mo) == A(n));                                  \
	MUST(__tsan_atomic##n##_load(p, mo) == (u##n)(result));

#define CHECK(n)                                                                                   \
	DECLARE(n)                                                                                 \
	static void by_name##n(volatile u##n *p, int mo)                                           \
	{                                                                                          \
		u##n e = B(n);                                                                     \
                                                                                                   \
		__tsan_atomic##n##_store(p, A(n), mo);                                             \
		MUST(*p == A(n) && __tsan_atomic##n##_load(p, mo) == A(n));                        \
		MUST(__tsan_atomic##n##_exchange(p, B(n), mo) == A(n) && *p == B(n));              \
		FETCH(n, p, add, A(n) + B(n), mo)                                                  \
		FETCH(n, p, sub, A(n) - B(n), mo)                                                  \
		FETCH(n, p, and, A(n) & B(n), mo)                                                  \
		FETCH(n, p, or, A(n) | B(n), mo)                                                   \
		FETCH(n, p, xor, A(n) ^ B(n), mo)                                                  \
		FETCH(n, p, nand, ~(A(n) & B(n)), mo)                                              \
		*p = A(n);                                                                         \
		MUST(!__tsan_atomic##n##_compare_exchange_strong(p, &e, 7, mo, mo));               \
		MUST(e == A(n) && *p == A(n));                                                     \
		MUST(__tsan_atomic##n##_compare_exchange_strong(p, &e, B(n), mo, mo));             \
		MUST(e == A(n) && *p == B(n));                                                     \
		MUST(!__tsan_atomic##n##_compare_exchange_weak(p, &e, 7, mo, mo));                 \
		MUST(e == B(n) && *p == B(n));                                                     \
		MUST(__tsan_atomic##n##_compare_exchange_weak(p, &e, A(n), mo, mo) && *p == A(n)); \
		MUST(__tsan_atomic##n##_compare_exchange_val(p, B(n), 7, mo, mo) == A(n));         \
		MUST(*p == A(n));                                                                  \
		MUST(__tsan_atomic##n##_compare_exchange_val(p, A(n), B(n), mo, mo) == A(n));      \
		MUST(*p == B(n));                                                                  \
	}                                                                                          \
	/* What the compiler makes of it: memory orders are constants there. */                    \
	static void compiled##n(volatile u##n *p)                                                  \
	{                                                                                          \
		u##n e = A(n);                                                                     \
                                                                                                   \
		__atomic_store_n(p, A(n), __ATOMIC_RELEASE);                                       \
		MUST(__atomic_load_n(p, __ATOMIC_ACQUIRE) == A(n));                                \
		MUST(__atomic_exchange_n(p, B(n), __ATOMIC_ACQ_REL) == A(n));                      \
		MUST(!__atomic_compare_exchange_n(p, &e, 7, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)); \
		MUST(e == B(n) && __atomic_compare_exchange_n(p, &e, A(n), 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)); \
		while (!__atomic_compare_exchange_n(p, &e, B(n), 1, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) \
			;                                                                          \
		MUST(e == A(n) && __atomic_fetch_add(p, A(n), __ATOMIC_RELAXED) == B(n));          \
		MUST(__atomic_sub_fetch(p, A(n), __ATOMIC_SEQ_CST) == B(n));                       \
		MUST(__atomic_nand_fetch(p, A(n), __ATOMIC_SEQ_CST) == (u##n)~(A(n) & B(n)));      \
		MUST(__atomic_fetch_xor(p, A(n), __ATOMIC_SEQ_CST) == (u##n)~(A(n) & B(n)));       \
		__atomic_store_n(p, A(n), __ATOMIC_SEQ_CST);                                       \
		MUST(__sync_bool_compare_and_swap(p, A(n), B(n)) && !__sync_bool_compare_and_swap(p, A(n), 7)); \
		MUST(__sync_val_compare_and_swap(p, A(n), 7) == B(n));                             \
	}
CHECK(8)
CHECK(16)
CHECK(32)
CHECK(64)
CHECK(128)

struct all {
	u8 a;
	u16 b;
	u32 c;
	u64 d;
	u128 e;
};

static void check(struct all *x)
{
	for (int mo = __ATOMIC_RELAXED; mo <= __ATOMIC_SEQ_CST; mo++) {
		by_name8(&x->a, mo);
		by_name16(&x->b, mo);
		by_name32(&x->c, mo);
		by_name64(&x->d, mo);
		by_name128(&x->e, mo);
	}
	compiled8(&x->a);
	compiled16(&x->b);
	compiled32(&x->c);
	compiled64(&x->d);
	compiled128(&x->e);
}

static struct all before, mine, shared;

static void *work(void *arg)
{
	check(&mine);
	check(&shared);
	return NULL;
}

int main(void)
{
	pthread_t t;

	check(&before);
	pthread_create(&t, NULL, work, NULL);
	/* whatever they hold now */
	__atomic_load_n(&shared.a, __ATOMIC_RELAXED);
	__atomic_load_n(&shared.b, __ATOMIC_RELAXED);
	__atomic_load_n(&shared.c, __ATOMIC_RELAXED);
	__atomic_load_n(&shared.d, __ATOMIC_RELAXED);
	__atomic_load_n(&shared.e, __ATOMIC_RELAXED);
	pthread_join(t, NULL);
	return 0;
}
