/* Short words for atomic accesses with their memory orders. */
#ifndef TESTS_RC11_ORDERS_H
#define TESTS_RC11_ORDERS_H

#include <assert.h>
#include <stdatomic.h>

#define rlx memory_order_relaxed
#define acq memory_order_acquire
#define rel memory_order_release
#define ar memory_order_acq_rel
#define sc memory_order_seq_cst
#define load(p, o) atomic_load_explicit(p, o)
#define store(p, v, o) atomic_store_explicit(p, v, o)
#define cas(p, e, v, s, f) atomic_compare_exchange_strong_explicit(p, e, v, s, f)
#define fadd(p, v, o) atomic_fetch_add_explicit(p, v, o)
#define fsub(p, v, o) atomic_fetch_sub_explicit(p, v, o)
#define fence(o) atomic_thread_fence(o)
#define SPIN() ((void)0)
#ifdef COUNT
#define CHECK(x) ((void)(x))
#else
#define CHECK(x) assert(x)
#endif

#endif
