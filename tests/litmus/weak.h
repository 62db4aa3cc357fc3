/*
 * For the litmus programs about store buffers: relaxed accesses, which are plain movs in machine code, and a full fence. What
 * main reads at the end it reads after joining everybody.
 */
#include <stdatomic.h>

#include "litmus.h"

#define LD(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define ST(x, v) atomic_store_explicit(&(x), (v), memory_order_relaxed)
#define FENCE() atomic_thread_fence(memory_order_seq_cst)
