#ifndef SIMUL_ENFORCE_HOOK_MALLOC_H
#define SIMUL_ENFORCE_HOOK_MALLOC_H

#include <stdbool.h>
#include <stdint.h>

/* From now on blocks come from preload/memory/heap.h, if the certificate names some. Call it once, before the program's own code runs. */
void heap_begin(void);

/* true: the running thread allocates from libc; false: as before that. The program has one thread. */
void heap_of_libc(bool use);

/* The running thread allocates from now on as this thread of the plan. PLAN_NONE: it allocates from libc. */
void heap_thread(uint32_t thread);

/* The running thread allocates from libc until heap_thread is called with the result. */
uint32_t heap_leave(void);

/* Makes the call. What libc allocates in it does not come from the program's part of the heap. */
#define HEAP_AS_LIBC(call) \
	({ \
		uint32_t owner_ = heap_leave(); \
		__typeof__(call) result_ = call; \
		heap_thread(owner_); \
		result_; \
	})

#endif
